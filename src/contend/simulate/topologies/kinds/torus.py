"""Torus of any dimension: routers in a grid whose lines are rings.

Source: Dally, Seitz, "Deadlock-free message routing in multiprocessor interconnection networks",
IEEE Transactions on Computers C-36(5), 1987 (dimension order); for several orders Seo, Ali, Lim,
Rafique, Thottethodi, "Near-optimal worst-case throughput routing for two-dimensional mesh
networks", ISCA 2005 (O1TURN).
Idea: a router has a link in either direction of every dimension. A message goes the shorter way
around the ring of one dimension after the other, upwards where both ways are equal. Path p begins
with dimension p and goes on with the next ones; without a routing it is path 0.
Counts: k_1 ... k_d routers, 2 d links out of each; floor(k_1 / 2) + ... + floor(k_d / 2) hops at
most; two halves across dimension i are joined by 4 k_1 ... k_d / k_i links, in both directions.
"""

import re
from dataclasses import dataclass
from math import prod

import numpy as np
from pydantic import Field

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.kind import Bandwidth, Latency, Member, NamedByNumbers
from contend.simulate.topologies.multipath import NO_LINK, Multipath, check_positive, check_size
from contend.simulate.topologies.routing import RoutingWord, routed
from contend.simulate.topologies.topology import Topology

MOST_DIMENSIONS = 8
LONGEST = 10_000  # links of a route; a table of routes is as wide


@dataclass(frozen=True)
class Torus(Multipath):
    """Routers by coordinates of which the first varies fastest, with `per_router` hosts each.

    `bandwidth` is that of the links of hosts, `bandwidth_between` of those between routers, where
    it is another one.

    >>> Torus((4, 4, 4), 100.0).shortest(np.array([0]), np.array([21])).tolist()
    [3]
    """

    sizes: tuple[int, ...]
    bandwidth: float
    per_router: int = 1
    bandwidth_between: float | None = None
    latency_of_link: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= len(self.sizes) <= MOST_DIMENSIONS:
            raise InvalidInputError(
                f"a torus of {len(self.sizes)} dimensions", f"give 1 to {MOST_DIMENSIONS}"
            )
        if min(*self.sizes, self.per_router) < 1:
            raise InvalidInputError("a torus with none in a dimension", "give at least 1 of each")
        check_positive(bandwidth=self.bandwidth, bandwidth_between=self._between)
        check_size("a torus", 2 * self.hosts + self._links_between)
        if self.longest > LONGEST:
            raise InvalidInputError(
                f"a torus with routes of {self.longest} links, where {LONGEST} are the most",
                "take more dimensions of fewer routers",
            )

    @property
    def _between(self) -> float:
        return self.bandwidth if self.bandwidth_between is None else self.bandwidth_between

    @property
    def _links_between(self) -> int:
        return 2 * len(self.sizes) * prod(self.sizes)

    @property
    def hosts(self) -> int:  # type: ignore[override]
        return self.per_router * prod(self.sizes)

    @property
    def longest(self) -> int:  # type: ignore[override]
        """Half of every ring, and the links of both hosts."""
        return 2 + sum(size // 2 for size in self.sizes)

    def between(self) -> np.ndarray:
        """Router by router, dimension by dimension, upwards and downwards."""
        return np.full(self._links_between, self._between)

    def shortest(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        return np.full(len(src), len(self.sizes))

    def usual(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        return np.zeros(len(src), dtype=np.int64)

    def along(self, src: np.ndarray, dst: np.ndarray, path: np.ndarray) -> np.ndarray:
        links = np.full((len(src), self.longest), NO_LINK, dtype=np.int32)
        links[:, 0], links[:, -1] = src, self.hosts + dst
        router, goal = src // self.per_router, dst // self.per_router
        for first in range(len(self.sizes)):
            rows = np.flatnonzero(path == first) if path.any() else slice(None)
            if path.any() or first == 0:
                links[rows, 1:-1] = self._rings(router[rows], goal[rows], first)
        return links

    def _rings(self, router: np.ndarray, goal: np.ndarray, first: int) -> np.ndarray:
        """Links between routers, (n, longest - 2), from dimension `first` on."""
        count = len(self.sizes)
        columns = []
        for dimension in (*range(first, count), *range(first)):
            size, stride = self.sizes[dimension], prod(self.sizes[:dimension])
            at, to = (end // stride % size for end in (router, goal))
            up = (to - at) % size
            is_down = up > size // 2
            hops = np.where(is_down, size - up, up)
            step = np.where(is_down, -1, 1)
            for hop in range(size // 2):
                place = router + ((at + hop * step) % size - at) * stride
                link = 2 * self.hosts + 2 * (place * count + dimension) + is_down
                columns.append(np.where(hop < hops, link, NO_LINK))
            router = router + (to - at) * stride
        return np.stack(columns, axis=1) if columns else np.empty((len(router), 0), dtype=int)


class Grid(Member):
    """Routers in a grid whose lines are rings."""

    sizes: tuple[int, ...] = Field(
        min_length=1, max_length=MOST_DIMENSIONS, description="routers in each dimension"
    )
    hosts_per_router: int = Field(1, ge=1)
    bandwidth: Bandwidth = Field(description="of the links of hosts")
    bandwidth_between: Bandwidth | None = Field(
        None, description="of the links between routers, in either direction; default the same"
    )
    latency: Latency = Field(0.0, description="of each link: seconds, or a text such as 1.5us")
    routing: RoutingWord = ""

    def topology(self) -> Topology:
        torus = Torus(
            self.sizes, self.bandwidth, self.hosts_per_router, self.bandwidth_between, self.latency
        )
        return routed(torus, self.routing)


class TorusKind(NamedByNumbers):
    name = "torus"
    member = Grid
    syntax = "torus:SIZEx...[:HOSTS]"
    pattern = re.compile(r"torus:(\d{1,6}(?:x\d{1,6})*)(?::(\d{1,6}))?")
    examples = "torus:8x8x8 or torus:8x8x8:2"

    def of_match(self, match: re.Match[str], bandwidth: float) -> Torus:
        """One host per router unless it says so; all links alike."""
        sizes = tuple(int(size) for size in match[1].split("x"))
        return Torus(sizes, bandwidth, int(match[2] or 1))
