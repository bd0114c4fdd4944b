"""Dragonfly: groups of routers that are all joined, and groups that are all joined.

Source: Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA
2008; the arrangement of global links is their figure 5, which Hastings et al., "Comparing global
link arrangements for dragonfly networks", CLUSTER 2015, call absolute.
Idea: each of g groups has a routers, each router p hosts, a link to every other router of its group
and h global ones. Global channel c of a group belongs to router floor(c / h). The channels of a
group go to the other groups in order, and from the start again while there are enough for all:
floor(a h / (g - 1)) links between any two groups; channels that are left over are not used.
A shortest path has one global link: local, global, local. Of several links between two groups it
takes one of the fewest local hops. A detour passes a third group (Valiant), with one global link
into it and one out of it.
Counts: a p g hosts; g (g - 1) floor(a h / (g - 1)) global links, g a (a - 1) local ones, both
directions counted; g is at most a h + 1. Balanced: a = 2 p = 2 h.
Restrictions: a path of two global links that has no local one would be shorter than local, global,
local, but is no minimal route in this sense.
"""

import re
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.kind import Bandwidth, Latency, Member, NamedByNumbers
from contend.simulate.topologies.multipath import NO_LINK, Multipath, check_positive, check_size
from contend.simulate.topologies.routing import RoutingWord, routed
from contend.simulate.topologies.topology import Topology


@dataclass(frozen=True)
class Dragonfly(Multipath):
    """Groups of routers of hosts, numbered in this order; `channels` is per router.

    `bandwidth` is that of the links of hosts; those within groups and between them have others
    where these are given.

    >>> Dragonfly(groups=9, routers=4, per_router=2, channels=2, bandwidth=100.0).hosts
    72
    """

    groups: int
    routers: int
    per_router: int
    channels: int
    bandwidth: float
    bandwidth_local: float | None = None
    bandwidth_global: float | None = None
    latency_of_link: float = 0.0

    has_detours = True
    longest = 7

    def __post_init__(self) -> None:
        for name in ("groups", "routers", "per_router", "channels"):
            if getattr(self, name) < 1:
                raise InvalidInputError(
                    f"{name} is {getattr(self, name)}", "a dragonfly has at least 1"
                )
        if self.groups > self.routers * self.channels + 1:
            raise InvalidInputError(
                f"{self.groups} groups of {self.routers} routers of {self.channels} global links",
                f"take at most {self.routers * self.channels + 1}",
            )
        given = {"bandwidth_local": self.bandwidth_local, "bandwidth_global": self.bandwidth_global}
        rates = {name: rate for name, rate in given.items() if rate is not None}
        check_positive(bandwidth=self.bandwidth, **rates)
        links = self._first_global + self.groups * self._used
        check_size("a dragonfly", links, self.groups * self._rounds**2)

    @property
    def _rounds(self) -> int:
        return self.routers * self.channels // (self.groups - 1) if self.groups > 1 else 0

    @property
    def _used(self) -> int:
        return self._rounds * (self.groups - 1)

    @property
    def _first_global(self) -> int:
        return 2 * self.hosts + self.groups * self.routers * (self.routers - 1)

    @property
    def hosts(self) -> int:  # type: ignore[override]
        return self.groups * self.routers * self.per_router

    def between(self) -> np.ndarray:
        """Local links by group, source and destination; global ones by group and channel."""
        local, far = (
            self.bandwidth if rate is None else rate
            for rate in (self.bandwidth_local, self.bandwidth_global)
        )
        counts = [self._first_global - 2 * self.hosts, self.groups * self._used]
        return np.repeat([local, far], counts)

    def shortest(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """One within a group; else the links between the two groups with the fewest local hops."""
        hops = self._local_hops(src, dst)
        if hops.shape[1] <= 1:
            return np.ones(len(src), dtype=np.int64)
        fewest = (hops == hops.min(axis=1, keepdims=True)).sum(axis=1)
        return np.where(self._group(src) == self._group(dst), 1, fewest)

    def detours(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """A third group, and the links into it and out of it."""
        is_any = self._group(src) != self._group(dst)
        return np.where(is_any, max(self.groups - 2, 0) * self._rounds**2, 0)

    def usual(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """By destination and source, of several links between the groups."""
        return np.asarray((src + dst) % self.shortest(src, dst))

    def along(self, src: np.ndarray, dst: np.ndarray, path: np.ndarray) -> np.ndarray:
        """Through the group of the source, perhaps a third, and that of the destination."""
        links = np.full((len(src), self.longest), NO_LINK, dtype=np.int32)
        links[:, 0], links[:, -1] = src, self.hosts + dst
        router, goal = src // self.per_router, dst // self.per_router
        src_group, other = self._group(src), self._group(dst)
        detour = path - self.shortest(src, dst)
        is_direct, is_detour = (detour < 0) & (src_group != other), detour >= 0
        at = router.copy()
        if is_detour.any():
            third, into, out = self._detour(src_group, other, np.maximum(detour, 0))
            at = self._cross(links, 1, is_detour, at, src_group, third, into)
            at = self._cross(links, 3, is_detour, at, third, other, out)
        if is_direct.any():
            link = self._nth_link(src, dst, path)
            at = self._cross(links, 1, is_direct, at, src_group, other, link)
        self._step(links, 5, np.ones(len(src), dtype=bool), at, goal)
        return links

    def _group(self, host: np.ndarray) -> np.ndarray:
        return np.asarray(host // (self.per_router * self.routers))

    def _channel(self, group: np.ndarray, other: np.ndarray, link: np.ndarray | int) -> np.ndarray:
        return np.asarray(link * (self.groups - 1) + other - (other > group))

    def _gateway(self, group: np.ndarray, other: np.ndarray, link: np.ndarray | int) -> np.ndarray:
        return np.asarray(group * self.routers + self._channel(group, other, link) // self.channels)

    def _local_hops(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """Return local hops for each link between both groups, (n_pairs, links)."""
        router, goal = src // self.per_router, dst // self.per_router
        src_group, other = self._group(src), self._group(dst)
        hops = np.empty((len(src), self._rounds), dtype=np.int8)
        for link in range(self._rounds):
            hops[:, link] = self._gateway(src_group, other, link) != router
            hops[:, link] += self._gateway(other, src_group, link) != goal
        return hops

    def _nth_link(self, src: np.ndarray, dst: np.ndarray, nth: np.ndarray) -> np.ndarray:
        if self._rounds <= 1:
            return np.zeros(len(src), dtype=np.int64)
        order = np.argsort(self._local_hops(src, dst), axis=1, kind="stable")
        return np.asarray(order[np.arange(len(src)), np.minimum(nth, self._rounds - 1)])

    def _detour(
        self, src_group: np.ndarray, other: np.ndarray, detour: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The third group, and the numbers of the links into it and out of it."""
        detour, into = np.divmod(detour, self._rounds)
        third, out = np.divmod(detour, self._rounds)
        for taken in (np.minimum(src_group, other), np.maximum(src_group, other)):
            third = third + (third >= taken)
        return third % self.groups, into, out

    def _cross(
        self, links: np.ndarray, column: int, rows: np.ndarray,
        at: np.ndarray, group: np.ndarray, other: np.ndarray, link: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """Into another group: a local link perhaps, and a global one; where these rows are then."""
        self._step(links, column, rows, at, self._gateway(group, other, link))
        far = self._first_global + group * self._used + self._channel(group, other, link)
        links[rows, column + 1] = far[rows]
        return np.where(rows, self._gateway(other, group, link), at)

    def _step(
        self, links: np.ndarray, column: int, rows: np.ndarray, at: np.ndarray, to: np.ndarray
    ) -> None:
        near, far = at % self.routers, to % self.routers
        link = 2 * self.hosts + at * (self.routers - 1) + far - (far > near)
        rows = rows & (at != to)
        links[rows, column] = link[rows]


class Groups(Member):
    """Groups of routers that are all joined, and groups that are all joined."""

    groups: int = Field(ge=1)
    routers: int = Field(ge=1, description="of a group")
    hosts_per_router: int = Field(ge=1)
    channels: int = Field(1, ge=1, description="global links of a router")
    bandwidth: Bandwidth = Field(description="of the links of hosts")
    bandwidth_local: Bandwidth | None = Field(None, description="within groups; default the same")
    bandwidth_global: Bandwidth | None = Field(None, description="between them; default the same")
    latency: Latency = Field(0.0, description="of each link: seconds, or a text such as 1.5us")
    routing: RoutingWord = ""

    def topology(self) -> Topology:
        dragonfly = Dragonfly(
            self.groups, self.routers, self.hosts_per_router, self.channels, self.bandwidth,
            self.bandwidth_local, self.bandwidth_global, self.latency,
        )  # fmt: skip
        return routed(dragonfly, self.routing)


class DragonflyKind(NamedByNumbers):
    name = "dragonfly"
    member = Groups
    syntax = "dragonfly:GROUPSxROUTERSxHOSTS[xGLOBAL]"
    pattern = re.compile(r"dragonfly:(\d{1,5})x(\d{1,5})x(\d{1,5})(?:x(\d{1,5}))?")
    examples = "dragonfly:9x4x2x2: groups, routers of each, hosts and global links of a router"

    def of_match(self, match: re.Match[str], bandwidth: float) -> Dragonfly:
        """All links alike, and one global link per router unless it says so."""
        groups, routers, hosts, channels = (int(number or 1) for number in match.groups())
        return Dragonfly(groups, routers, hosts, channels, bandwidth)
