"""Zones within zones, and the way through them, as SimGrid routes.

Source: Bobelin, Legrand, Marquez, Navarro, Quinson, Suter, Thiery, "Scalable multi-purpose network
representation for large scale distributed system simulation", CCGrid 2012.
Idea: two points meet in the innermost zone that holds both. There an edge, or a shortest path of
edges, leads from the member that holds the one to the member that holds the other; a member that is
a zone is passed between gateways, by its own routes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from contend.errors import InvalidInputError

MOST_WAYS = 400  # between gateways, for one route; each may lie within the one before
LONGEST = 10_000  # links of a route; gateways of zones within each other can double it at each


@dataclass(frozen=True)
class Edge:
    """A route between two members; gateways are the points where it leaves and enters them."""

    links: Sequence[int]
    gw_src: str
    gw_dst: str


@dataclass(eq=False)
class Zone:
    """A zone; `routing` is full (the edges are all there is) or shortest (paths of edges).

    In a star, which has a `middle`, every path leads over that point.
    """

    name: str
    routing: str
    parent: "Zone | None" = None
    zones: dict[str, "Zone"] = field(default_factory=dict)
    edges: dict[tuple[str, str], Edge] = field(default_factory=dict)
    middle: str = ""
    _paths: dict[str, dict[str, list[str]]] = field(default_factory=dict)  # from each source


def route_between(src: str, dst: str, zone_of: Mapping[str, Zone]) -> list[int]:
    """Links from one point to another, in order."""
    return _route(src, dst, zone_of, {})


def _route(
    src: str,
    dst: str,
    zone_of: Mapping[str, Zone],
    known: dict[tuple[str, str], list[int] | None],
) -> list[int]:
    """The same; `known` holds the routes that were asked for before, None while they are sought."""
    if src == dst:
        return []
    if (src, dst) in known:
        found = known[src, dst]
        if found is None:
            raise InvalidInputError(f"the way to {dst!r} leads in a circle", "mend the gateways")
        return found
    known[src, dst] = None
    if len(known) > MOST_WAYS:
        raise InvalidInputError(
            f"the way to {dst!r} asks for more than {MOST_WAYS} others", "mend the gateways"
        )
    zone, a, b = _meeting(src, dst, zone_of)
    links: list[int] = []
    at = src
    for edge in _edges(zone, a, b):
        links += _route(at, edge.gw_src, zone_of, known)
        links += edge.links
        at = edge.gw_dst
    links += _route(at, dst, zone_of, known)
    if len(links) > LONGEST:
        raise InvalidInputError(
            f"the way from {src!r} to {dst!r} passes more than {LONGEST} links", "mend the gateways"
        )
    known[src, dst] = links
    return links


def _meeting(src: str, dst: str, zone_of: Mapping[str, Zone]) -> tuple[Zone, str, str]:
    """The innermost zone that holds both, and its members that hold them."""
    ways = [_upwards(point, zone_of) for point in (src, dst)]
    above = {id(zone): member for zone, member in ways[0]}
    for zone, member in ways[1]:
        if id(zone) in above:
            return zone, above[id(zone)], member
    raise InvalidInputError(f"no zone holds {src!r} and {dst!r}", "mend the gateways")


def _upwards(point: str, zone_of: Mapping[str, Zone]) -> list[tuple[Zone, str]]:
    """Each zone that holds a point, from within, and its member that does."""
    if point not in zone_of:
        raise InvalidInputError(f"there is no {point!r}", "mend the gateway that names it")
    zone, member = zone_of[point], point
    found = [(zone, member)]
    while zone.parent is not None:
        member, zone = zone.name, zone.parent
        found.append((zone, member))
    return found


def _edges(zone: Zone, a: str, b: str) -> list[Edge]:
    if (a, b) in zone.edges:
        return [zone.edges[a, b]]
    if zone.middle:
        return [zone.edges[a, zone.middle], zone.edges[zone.middle, b]]
    path = _shortest(zone, a, b) if zone.routing == "shortest" else None
    if path is None:
        raise InvalidInputError(f"zone {zone.name!r} has no route from {a!r} to {b!r}", "add one")
    return [zone.edges[pair] for pair in pairwise(path)]


def _shortest(zone: Zone, a: str, b: str) -> list[str] | None:
    """The path with fewest links."""
    if a not in zone._paths:
        import networkx as nx

        graph = nx.DiGraph()
        for (src, dst), edge in zone.edges.items():
            graph.add_edge(src, dst, links=len(edge.links))
        is_there = a in graph
        zone._paths[a] = (
            nx.single_source_dijkstra_path(graph, a, weight="links") if is_there else {}
        )
    return zone._paths[a].get(b)
