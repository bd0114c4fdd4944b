"""Zones within zones, and the way through them, as SimGrid routes.

Source: Bobelin, Legrand, Marquez, Navarro, Quinson, Suter, Thiery, "Scalable multi-purpose network
representation for large scale distributed system simulation", CCGrid 2012.
Idea: two points meet in the innermost zone that holds both. There an edge, or a shortest path of
edges, leads from the member that holds the one to the member that holds the other; a member that is
a zone is passed between gateways, by its own routes. A bypass of that zone goes before all this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contend.base.errors import InvalidInputError

MOST_WAYS = 400  # between gateways, for one route; each may lie within the one before
GATEWAYS = (
    "check gw_src and gw_dst of the zoneRoute elements in the platform file: gw_src has to be a "
    "host or router inside the zone that src names, gw_dst one inside the zone that dst names"
)
LONGEST = 10_000  # links of a route; gateways of zones within each other can double it at each


@dataclass(frozen=True)
class Edge:
    """A route between two members; gateways are the points where it leaves and enters them."""

    links: Sequence[int]
    gw_src: str
    gw_dst: str


@dataclass(eq=False)
class Zone:
    """A zone whose edges are all the routes that it has: SimGrid's Full.

    `members` are its hosts, routers and zones in the order in which they are declared; of a cluster
    without its hosts.
    """

    name: str
    parent: "Zone | None" = None
    members: dict[str, "Zone | None"] = field(default_factory=dict)
    edges: dict[tuple[str, str], Edge] = field(default_factory=dict)
    bypasses: dict[tuple[str, str], Edge] = field(default_factory=dict)

    def way(self, a: str, b: str) -> Sequence[Edge]:
        edge = self.edges.get((a, b))
        return [edge] if edge else self.no_way(a, b)

    def no_way(self, a: str, b: str) -> Sequence[Edge]:
        raise InvalidInputError(f"zone {self.name!r} has no route from {a!r} to {b!r}", "add one")


@dataclass(eq=False)
class Star(Zone):
    """A zone whose members each have links to its middle and from it: SimGrid's Cluster."""

    spokes: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)
    backbone: Sequence[int] = ()  # between hosts and the middle

    def spoke(self, member: str) -> tuple[list[int], list[int]]:
        """Links of a member to the middle, and from there to it; a router is in the middle."""
        if member not in self.spokes:
            return [], []
        up, down = self.spokes[member]
        return [*up, *self.backbone], [*self.backbone, *down]

    def way(self, a: str, b: str) -> Sequence[Edge]:
        """Edges that are given, or over the middle, each link once."""
        if (a, b) in self.edges:
            return [self.edges[a, b]]
        links = list(dict.fromkeys([*self.spoke(a)[0], *self.spoke(b)[1]]))
        if not links or self.members.get(a) or self.members.get(b):
            return self.no_way(a, b)
        return [Edge(links, a, b)]


def route_between(src: str, dst: str, zone_of: Mapping[str, Zone]) -> list[int]:
    """Links from one point to another, in order."""
    return _route(src, dst, zone_of, {})


def _route(
    src: str, dst: str, zone_of: Mapping[str, Zone], ways: dict[tuple[str, str], list[int] | None]
) -> list[int]:
    """The same; `ways` holds the routes that were asked for before, None while they are sought."""
    if src == dst:
        return []
    if (src, dst) in ways:
        links = ways[src, dst]
        if links is None:
            raise InvalidInputError(f"the way to {dst!r} leads in a circle", GATEWAYS)
        return links
    ways[src, dst] = None
    if len(ways) > MOST_WAYS:
        raise InvalidInputError(
            f"the way to {dst!r} asks for more than {MOST_WAYS} others", GATEWAYS
        )
    links = []
    at = src
    for edge in _edges(src, dst, zone_of):
        links += _route(at, edge.gw_src, zone_of, ways)
        links += edge.links
        at = edge.gw_dst
    links += _route(at, dst, zone_of, ways)
    if len(links) > LONGEST:
        raise InvalidInputError(
            f"the way from {src!r} to {dst!r} passes more than {LONGEST} links", GATEWAYS
        )
    ways[src, dst] = links
    return links


def _edges(src: str, dst: str, zone_of: Mapping[str, Zone]) -> Sequence[Edge]:
    """The bypass from one point to another, or else the way between the members that hold them."""
    up, down = _upwards(src, zone_of), _upwards(dst, zone_of)
    member_of = {id(zone): member for zone, member in up}
    for depth, (zone, b) in enumerate(down):
        if id(zone) in member_of:
            a = member_of[id(zone)]
            height = next(place for place, (other, _) in enumerate(up) if other is zone)
            sides = [[end, *(member for _, member in way[1 : at + 1])]
                     for end, way, at in ((src, up, height), (dst, down, depth))]  # fmt: skip
            bypass = _bypass(zone, *sides) if zone.bypasses else None
            return [bypass] if bypass else zone.way(a, b)
    raise InvalidInputError(f"no zone holds both {src!r} and {dst!r}", GATEWAYS)


def _bypass(zone: Zone, up: Sequence[str], down: Sequence[str]) -> Edge | None:
    """The bypass of a zone between what holds one point and the other, the innermost first.

    `up` and `down` are each point and the zones that hold it, from within.
    """
    if len(up) == 1 and len(down) == 1:
        return zone.bypasses.get((up[0], down[0]))
    rings = sorted((max(i, j), min(i, j), i > j, i, j)
                   for i in range(1, len(up)) for j in range(1, len(down)))  # fmt: skip
    pairs = ((up[i], down[j]) for *_, i, j in rings)
    return next((zone.bypasses[pair] for pair in pairs if pair in zone.bypasses), None)


def _upwards(point: str, zone_of: Mapping[str, Zone]) -> list[tuple[Zone, str]]:
    """Each zone that holds a point, from within, and its member that does."""
    if point not in zone_of:
        raise InvalidInputError(f"no zone of the platform file has a {point!r}", GATEWAYS)
    zone, member = zone_of[point], point
    holders = [(zone, member)]
    while zone.parent is not None:
        member, zone = zone.name, zone.parent
        holders.append((zone, member))
    return holders
