"""Topologies with several paths between two hosts, of which a routing takes one.

Idea: the paths of a pair are numbered: first those of fewest links, then the detours. A topology
says how many a pair has and gives the links of one by its number, for many pairs at once; which
number each flow has is the business of a routing (`topologies/routings`). Every host has one link
out and one in, which come first: out of host h is link h, into it link hosts + h.
"""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.topology import Routes, Topology, check_hosts

MOST_LINKS = 1 << 24  # numbered by 32 bits, with room; a gigabyte in the engine
MOST_PATHS = 1 << 31  # between two hosts, numbered by 32 bits
NO_LINK = -1
CELLS = 1 << 22  # of the tables that are made at once: some tens of megabytes


class Multipath(Topology):
    """Hosts with a link each way, and numbered paths between them.

    Arrays are (n_pairs,) int64; src and dst differ.
    """

    bandwidth: float  # bytes per second of the links of hosts
    longest: int  # links of the longest path
    latency_of_link: float  # seconds, alike for all
    has_detours: ClassVar[bool] = False

    @abstractmethod
    def between(self) -> np.ndarray:
        """Bytes per second of each link that is no host's."""

    @abstractmethod
    def shortest(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """How many paths are of fewest links; these have the first numbers."""

    def detours(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """How many others there are; they have the next numbers."""
        return np.zeros(len(src), dtype=np.int64)

    @abstractmethod
    def usual(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """The number of the path that is taken without a routing, one of fewest links."""

    @abstractmethod
    def along(self, src: np.ndarray, dst: np.ndarray, path: np.ndarray) -> np.ndarray:
        """Links of a path by its number, (n_pairs, longest) int32; NO_LINK where there is none."""

    def capacity(self) -> np.ndarray:
        """Out of hosts, into hosts, then those between switches."""
        return np.concatenate([np.full(2 * self.hosts, self.bandwidth), self.between()])

    def latency(self) -> np.ndarray:
        return np.full(len(self.capacity()), self.latency_of_link)

    def of_hosts(self) -> np.ndarray:
        """The links out of hosts and into them."""
        return np.arange(len(self.capacity())) < 2 * self.hosts

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        check_hosts(self, src, dst)
        path = np.empty(len(src), dtype=np.int32)
        for part in parts(len(src), self.longest):
            path[part] = self.usual(*wide(src[part], dst[part]))
        return routes_along(self, src, dst, path)


def routes_along(network: Multipath, src: np.ndarray, dst: np.ndarray, path: np.ndarray) -> Routes:
    """Routes of the paths of these numbers, made part by part.

    Memory: two numbers of 64 bits a flow, one of 32 bits for each link of a route.
    """
    offsets = np.zeros(len(src) + 1, dtype=np.int64)
    links = np.empty(len(src) * network.longest, dtype=np.int32)  # what is not written costs none
    filled = 0
    for part in parts(len(src), network.longest):
        table = network.along(*wide(src[part], dst[part]), path[part].astype(np.int64))
        is_link = table != NO_LINK
        numbers = table[is_link]
        links[filled : filled + len(numbers)] = numbers
        filled += len(numbers)
        offsets[part.start + 1 : part.stop + 1] = is_link.sum(axis=1)
    np.cumsum(offsets, out=offsets)
    return Routes(offsets, links[:filled])


def parts(count: int, width: int) -> list[slice]:
    """Parts of so many rows that tables of this width stay small.

    >>> parts(5, CELLS // 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    rows = max(1, CELLS // max(width, 1))
    return [slice(first, min(first + rows, count)) for first in range(0, count, rows)]


def wide(src: np.ndarray, dst: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both as 64 bits, in which products of hosts fit."""
    return src.astype(np.int64), dst.astype(np.int64)


def check_size(name: str, links: int, paths: int = 1) -> None:
    if links > MOST_LINKS:
        raise InvalidInputError(
            f"{name} of {links} links, where {MOST_LINKS} are the most",
            "take fewer hosts or switches",
        )
    if paths > MOST_PATHS:
        raise InvalidInputError(
            f"{name} with {paths} paths between two hosts, where {MOST_PATHS} are the most",
            "take fewer levels or switches",
        )


def check_positive(**values: float) -> None:
    for name, value in values.items():
        if not (np.isfinite(value) and value > 0):
            raise InvalidInputError(f"{name} is {value}", "give a finite number above 0")
