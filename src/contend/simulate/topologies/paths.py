"""Topologies of named hosts and links, which files are read into; and of links alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.topology import LINUX_TCP, Routes, Topology, check_hosts, listed


@dataclass(frozen=True)
class Link:
    """A link in one direction, or of both together.

    `is_of_host`: it belongs to one host, whose contention penalty models know themselves.
    `is_unshared`: every flow gets the bandwidth, however many there are.
    """

    name: str
    bandwidth: float  # bytes per second
    latency: float = 0.0  # seconds
    is_of_host: bool = False
    is_unshared: bool = False
    buffer: float = np.inf  # bytes


@dataclass(frozen=True, eq=False)
class LinkTable:
    """The same by columns, (n_links,) each."""

    bandwidth: np.ndarray
    latency: np.ndarray
    is_of_host: np.ndarray
    is_unshared: np.ndarray
    buffer: np.ndarray = field(default_factory=lambda: np.empty(0))  # empty for no limit
    names: Callable[[], Sequence[str]] = tuple  # made where somebody asks for them

    @classmethod
    def of(cls, links: Sequence[Link]) -> "LinkTable":
        rows = [(link.bandwidth, link.latency, link.buffer, link.is_of_host, link.is_unshared)
                for link in links]  # fmt: skip
        columns = np.array(rows, dtype=np.float64).reshape(-1, 5).T
        return cls(
            columns[0], columns[1], columns[3] > 0, columns[4] > 0, columns[2],
            lambda: [link.name for link in links],
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Paths(Topology):
    """Links by number, and a function that gives those between two hosts, by number too."""

    host_names: Sequence[str]
    links: Sequence[Link] | LinkTable
    path: Callable[[int, int], Sequence[int]]
    host_tcp: Mapping[str, float] = field(default_factory=lambda: LINUX_TCP)
    _known: dict[tuple[int, int], Sequence[int]] = field(default_factory=dict)

    @cached_property
    def table(self) -> LinkTable:
        return self.links if isinstance(self.links, LinkTable) else LinkTable.of(self.links)

    @property
    def hosts(self) -> int:  # type: ignore[override]
        return len(self.host_names)

    def names(self) -> Sequence[str]:
        return self.host_names

    def link_names(self) -> Sequence[str]:
        return self.table.names()

    def capacity(self) -> np.ndarray:
        return np.array(self.table.bandwidth)

    def latency(self) -> np.ndarray:
        return np.array(self.table.latency)

    def buffer(self) -> np.ndarray:
        return np.array(self.table.buffer)

    def tcp(self) -> Mapping[str, float]:
        return self.host_tcp

    def of_hosts(self) -> np.ndarray:
        return np.array(self.table.is_of_host)

    def unshared(self) -> np.ndarray:
        return np.array(self.table.is_unshared)

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """A path per pair of hosts, found once."""
        check_hosts(self, src, dst)
        pairs = list(zip(src.tolist(), dst.tolist(), strict=True))
        for pair in set(pairs) - self._known.keys():
            # A link that is passed twice is one link to share: once is enough to bound the flow.
            self._known[pair] = list(dict.fromkeys(self.path(*pair)))
        return listed([self._known[pair] for pair in pairs])


@dataclass(frozen=True, eq=False)
class Links(Topology):
    """Links of given capacity; each flow names its own route."""

    hosts: int
    capacities: Sequence[float]

    def capacity(self) -> np.ndarray:
        return np.ascontiguousarray(self.capacities, dtype=np.float64)

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """None: the topology does not know them."""
        raise InvalidInputError(
            "the flows have no routes over these links", "give the column route"
        )
