"""What a routing is: it chooses, for each flow, one of the paths that a topology has.

A word names one with its seed after an @: `k-ary:32@random:7`; in a topology file it is the field
`routing`. Without one the topology's usual path is taken.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import BeforeValidator, Field

from contend.base.errors import ContendError, InvalidInputError
from contend.base.registry import Registry
from contend.simulate.topologies.multipath import Multipath, parts, routes_along, wide
from contend.simulate.topologies.topology import Routes, Topology, check_hosts

_WORD = re.compile(r"([a-z][a-z0-9-]*)(?::(\d{1,18}))?")


@dataclass(frozen=True, eq=False)
class Traffic:
    """What a routing may know of the flows, arrays of (n_flows,): bytes, and starts in seconds."""

    src: np.ndarray
    dst: np.ndarray
    bytes: np.ndarray
    start: np.ndarray


class Routing(ABC):
    """Base of the routings; a module in `topologies/routings` that defines a subclass is one."""

    name: ClassVar[str]

    @abstractmethod
    def paths(self, network: Multipath, traffic: Traffic, seed: int) -> np.ndarray:
        """The number of the path of each flow, (n_flows,) int32."""

    def missing(self, network: Multipath) -> str:
        """Why the topology does not suit it; "" where it does."""
        return ""


class Oblivious(Routing):
    """Base of those that know nothing of other flows."""

    @abstractmethod
    def chosen(
        self, network: Multipath, src: np.ndarray, dst: np.ndarray, flow: np.ndarray, seed: int
    ) -> np.ndarray:
        """Paths of some flows, of which `flow` are the numbers from 0; arrays are int64."""

    def paths(self, network: Multipath, traffic: Traffic, seed: int) -> np.ndarray:
        path = np.empty(len(traffic.src), dtype=np.int32)
        for part in parts(len(path), network.longest):
            src, dst = wide(traffic.src[part], traffic.dst[part])
            flow = np.arange(part.start, part.stop, dtype=np.int64)
            path[part] = self.chosen(network, src, dst, flow, seed)
        return path


ROUTINGS: Registry[Routing] = Registry(
    "routing", Routing, "contend.simulate.topologies.routings", group="contend.topologies.routings"
)


@dataclass(frozen=True, eq=False)
class Routed(Topology):
    network: Multipath
    routing: Routing
    seed: int = 0

    def __post_init__(self) -> None:
        if missing := self.routing.missing(self.network):
            raise InvalidInputError(
                f"{type(self.network).__name__} {missing}, which the routing "
                f"{self.routing.name!r} is for",
                "take minimal, ecmp, random or adaptive",
            )

    @property
    def hosts(self) -> int:  # type: ignore[override]
        return self.network.hosts

    def capacity(self) -> np.ndarray:
        return self.network.capacity()

    def latency(self) -> np.ndarray:
        return self.network.latency()

    def of_hosts(self) -> np.ndarray:
        return self.network.of_hosts()

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Return the routes of equal flows that start together."""
        return self.carrying(src, dst, np.ones(len(src)), np.zeros(len(src)))

    def carrying(
        self, src: np.ndarray, dst: np.ndarray, bytes: np.ndarray, start: np.ndarray
    ) -> Routes:
        """The path that the routing takes for each flow."""
        check_hosts(self.network, src, dst)
        path = self.routing.paths(self.network, Traffic(src, dst, bytes, start), self.seed)
        return routes_along(self.network, src, dst, path)


def routed(network: Topology, word: str) -> Topology:
    """The network with a routing by its name, and perhaps a seed behind a colon; "" for none.

    >>> from contend.simulate.topologies import FatTree
    >>> routed(FatTree(2, 4, 4, 100.0), "random:7").seed
    7
    """
    if not word:
        return network
    match = _WORD.fullmatch(word)
    if match is None:
        raise InvalidInputError(
            f"{word!r} is no routing", f"give {', '.join(ROUTINGS.names())}, and :SEED if wanted"
        )
    if not isinstance(network, Multipath):
        raise InvalidInputError(
            f"a topology with one path between two hosts and the routing {word!r}",
            f"leave out @{word}",
        )
    return Routed(network, ROUTINGS.get(match[1]), int(match[2] or 0))


def _known(value: object) -> object:
    if isinstance(value, str) and value:
        match = _WORD.fullmatch(value)
        try:
            ROUTINGS.get(match[1] if match else value)
        except ContendError as error:
            raise ValueError(str(error)) from None
    return value


RoutingWord = Annotated[
    str,
    BeforeValidator(_known),
    Field(description="NAME or NAME:SEED of a routing; without one the usual path"),
]
