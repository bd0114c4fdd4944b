"""Topologies: the links of a network and which of them lie between two hosts.

One switch: host h sends through link h and receives through link hosts + h.
Two-level fat tree (Leiserson 1985; Al-Fares, Loukissas, Vahdat 2008): leaf switches of equal size
under spine switches; the links between a leaf and all spines carry, together, what its hosts
carry divided by the oversubscription factor. A pair of hosts goes over spine (src + dst) mod
spines, as static routing does.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from contend.errors import InvalidInputError

MOST_LINKS = 1 << 24  # numbered by 32 bits, with room; a gigabyte in the engine


@dataclass(frozen=True, eq=False)
class Routes:
    """Links of flow f: links[offsets[f]:offsets[f + 1]]; all empty on one switch."""

    offsets: np.ndarray
    links: np.ndarray


NO_ROUTES = Routes(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32))


class Topology(ABC):
    """Hosts, the capacity of each link in bytes per second, and the routes."""

    hosts: int

    @abstractmethod
    def capacity(self) -> np.ndarray:
        """Bytes per second of each link; empty if all are those of one switch."""

    @abstractmethod
    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Links between src[i] and dst[i]."""

    def names(self) -> Sequence[str] | None:
        """Names of the hosts, if they have any."""
        return None

    def link_names(self) -> Sequence[str]:
        """Names of the links; empty if they have none."""
        return ()

    def latency(self) -> np.ndarray:
        """Seconds of each link; empty for none."""
        return np.empty(0)

    def of_hosts(self) -> np.ndarray:
        """Which links belong to one host, whose contention a model of penalties knows itself."""
        return np.zeros(len(self.capacity()), dtype=bool)

    def unshared(self) -> np.ndarray:
        """Which links give every flow their capacity, however many there are."""
        return np.zeros(len(self.capacity()), dtype=bool)


@dataclass(frozen=True)
class OneSwitch(Topology):
    """A cluster on one switch: each host has a link in and a link out of the same bandwidth."""

    hosts: int

    def capacity(self) -> np.ndarray:
        """Empty: every link has the bandwidth."""
        return np.empty(0)

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Empty: out of the source, into the destination."""
        return NO_ROUTES


@dataclass(frozen=True)
class FatTree(Topology):
    """Two levels of switches; `oversubscription` is what the hosts carry over what leaves a leaf.

    >>> tree = FatTree(leaves=2, hosts_per_leaf=4, spines=2, bandwidth=100.0, oversubscription=2)
    >>> tree.capacity()[-2:].tolist()
    [100.0, 100.0]
    """

    leaves: int
    hosts_per_leaf: int
    spines: int
    bandwidth: float
    oversubscription: float = 1.0

    def __post_init__(self) -> None:
        for name in ("leaves", "hosts_per_leaf", "spines"):
            if getattr(self, name) < 1:
                raise InvalidInputError(
                    f"{name} is {getattr(self, name)}", "a fat tree has at least 1"
                )
        for name in ("bandwidth", "oversubscription"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise InvalidInputError(f"{name} is {value}", "give a finite number above 0")
        if self._link_count > MOST_LINKS:
            raise InvalidInputError(
                f"a fat tree of {self._link_count} links, where {MOST_LINKS} are the most",
                "take fewer leaves, hosts or spines",
            )

    @property
    def _link_count(self) -> int:
        return 2 * self.hosts + 2 * self.leaves * self.spines

    @property
    def hosts(self) -> int:  # type: ignore[override]
        """Number of hosts, leaf by leaf."""
        return self.leaves * self.hosts_per_leaf

    def capacity(self) -> np.ndarray:
        """Out of hosts, into hosts, leaf to spine, spine to leaf."""
        up = self.bandwidth * self.hosts_per_leaf / self.oversubscription / self.spines
        of_hosts = 2 * self.hosts
        return np.repeat([self.bandwidth, up], [of_hosts, self._link_count - of_hosts])

    def of_hosts(self) -> np.ndarray:
        """The links out of hosts and into them."""
        return np.arange(len(self.capacity())) < 2 * self.hosts

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Two links within a leaf, four between leaves."""
        spine = (src.astype(np.int64) + dst) % self.spines
        leaves = [end.astype(np.int64) // self.hosts_per_leaf for end in (src, dst)]
        up = 2 * self.hosts + leaves[0] * self.spines + spine
        down = 2 * self.hosts + self.leaves * self.spines + leaves[1] * self.spines + spine
        every = np.stack([src, up, down, self.hosts + dst], axis=1)
        is_used = np.ones(every.shape, dtype=bool)
        is_used[:, 1:3] = (leaves[0] != leaves[1])[:, None]
        offsets = np.concatenate([[0], np.cumsum(is_used.sum(axis=1))])
        return Routes(offsets, np.ascontiguousarray(every[is_used], dtype=np.int32))


@dataclass(frozen=True, eq=False)
class Links(Topology):
    """Links of given capacity; each flow names its own route."""

    hosts: int
    capacities: Sequence[float]

    def capacity(self) -> np.ndarray:
        """As given."""
        return np.ascontiguousarray(self.capacities, dtype=np.float64)

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """None: the topology does not know them."""
        raise InvalidInputError(
            "the flows have no routes over these links", "give the column route"
        )


def listed(route: Sequence[Sequence[int | str]], what: str = "link") -> Routes:
    """Routes given flow by flow; or other lists of `what` by number.

    >>> listed([[0, 3], [1]]).offsets.tolist()
    [0, 2, 3]
    """
    try:
        lengths = [len(links) for links in route]
        links = np.array([link for links in route for link in links] or np.empty(0, dtype=int))
        if links.size and links.dtype.kind not in "iu":
            raise TypeError
    except (TypeError, ValueError):
        problem = "a route is no list of links" if what == "link" else f"{what}s are not listed"
        raise InvalidInputError(problem, f"number {what}s from 0") from None
    if links.size and not (links.min() >= 0 and links.max() < 2**31):
        name = "route names link" if what == "link" else f"a list names {what}"
        wrong = links.min() if links.min() < 0 else links.max()
        raise InvalidInputError(f"{name} {wrong}", "number them from 0")
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    return Routes(offsets, np.ascontiguousarray(links, dtype=np.int32))
