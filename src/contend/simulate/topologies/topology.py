"""What a topology is: the links of a network, and which of them lie between two hosts."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from contend.base.errors import InvalidInputError


@dataclass(frozen=True, eq=False)
class Routes:
    """Links of flow f: links[offsets[f]:offsets[f + 1]]; all empty on one switch."""

    offsets: np.ndarray
    links: np.ndarray


NO_ROUTES = Routes(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32))


# Seconds: the shortest time-out of retransmission, and how much of what a connection paces waits in
# its host (tcp_small_queue_check, sk_pacing_shift).
LINUX_TCP = {"minimum_timeout": 0.2, "queue_time": 2.0**-10}


class Topology(ABC):
    """Hosts, the capacity of each link in bytes per second, and the routes."""

    hosts: int

    @abstractmethod
    def capacity(self) -> np.ndarray:
        """Bytes per second of each link; empty if all are those of one switch."""

    @abstractmethod
    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Links between src[i] and dst[i]."""

    def carrying(
        self, src: np.ndarray, dst: np.ndarray, bytes: np.ndarray, start: np.ndarray
    ) -> Routes:
        """Links of each flow, where they may depend on its bytes and its start in seconds."""
        return self.routes(src, dst)

    def names(self) -> Sequence[str] | None:
        return None

    def link_names(self) -> Sequence[str]:
        return ()

    def latency(self) -> np.ndarray:
        """Seconds of each link; empty for none."""
        return np.empty(0)

    def buffer(self) -> np.ndarray:
        """Bytes that wait before each link at most, more are dropped; empty for no limit."""
        return np.empty(0)

    def tcp(self) -> Mapping[str, float]:
        """What TCP does in its hosts, by the names of `LINUX_TCP`."""
        return LINUX_TCP

    def of_hosts(self) -> np.ndarray:
        """Which links belong to one host, whose contention a model of penalties knows itself."""
        return np.zeros(len(self.capacity()), dtype=bool)

    def unshared(self) -> np.ndarray:
        """Which links give every flow their capacity, however many there are."""
        return np.zeros(len(self.capacity()), dtype=bool)


def check_hosts(network: Topology, src: np.ndarray, dst: np.ndarray) -> None:
    """Raise for the first number that is no host's."""
    for ends in (src, dst):
        for host in (ends.min(initial=0), ends.max(initial=0)):
            if not 0 <= host < network.hosts:
                raise InvalidInputError(
                    f"there is no host {host}", f"the topology has {network.hosts}, from 0"
                )


def listed(route: Sequence[Sequence[int | str]], kind: str = "link") -> Routes:
    """Routes given flow by flow; or other lists of a `kind` by number.

    >>> listed([[0, 3], [1]]).offsets.tolist()
    [0, 2, 3]
    """
    try:
        lengths = [len(links) for links in route]
        links = np.array([link for links in route for link in links] or np.empty(0, dtype=int))
        if links.size and links.dtype.kind not in "iu":
            raise TypeError
    except (TypeError, ValueError):
        problem = "a route is no list of links" if kind == "link" else f"{kind}s are not listed"
        raise InvalidInputError(problem, f"number {kind}s from 0") from None
    if links.size and not (links.min() >= 0 and links.max() < 2**31):
        name = "route names link" if kind == "link" else f"a list names {kind}"
        wrong = links.min() if links.min() < 0 else links.max()
        raise InvalidInputError(f"{name} {wrong}", "number them from 0")
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    return Routes(offsets, np.ascontiguousarray(links, dtype=np.int32))
