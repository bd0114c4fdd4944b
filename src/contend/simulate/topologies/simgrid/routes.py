"""Declared routes of SimGrid's zones: between hosts and routers, between zones, and bypasses.

Source: the platform reference of SimGrid.
Idea: a route holds in both directions unless it says otherwise, a bypass in its own alone. A route
between zones begins and ends at a gateway within each.
"""

from xml.etree.ElementTree import Element

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.simgrid.attributes import (
    check_attributes,
    is_symmetrical,
    shown,
    text_of,
)
from contend.simulate.topologies.simgrid.elements import Platform
from contend.simulate.topologies.simgrid.zones import Edge, Zone

_BYPASSES = {"bypassRoute", "bypassZoneRoute", "bypassASroute"}
ROUTES = {"route", "zoneRoute", "ASroute"} | _BYPASSES
_DIRECTIONS = ("NONE", "UP", "DOWN")


def read_route(element: Element, zone: Zone, platform: Platform) -> None:
    src, dst = text_of(element, "src"), text_of(element, "dst")
    forward, back = _links(element, platform)
    is_bypass = element.tag in _BYPASSES
    for name in (src, dst):
        holder = platform.zone_of.get(name)
        if holder is not zone and not (is_bypass and holder and _is_within(name, zone, platform)):
            raise InvalidInputError(
                f"{shown(element)} of zone {zone.name!r} ends at {name!r}",
                "let it end at a host, router or zone of that zone, which stands above it",
            )
    if not forward:
        raise InvalidInputError(f"{shown(element)} has no link", "list its links as <link_ctn>")
    gateways = (_gateway(element, "src", src, platform), _gateway(element, "dst", dst, platform))
    if src == dst:
        return  # a loopback, which no message between hosts passes
    if is_bypass:
        _add(element, platform, zone.bypasses, (src, dst), Edge(forward, *gateways))
        return
    _add(element, platform, zone.edges, (src, dst), Edge(forward, *gateways))
    if is_symmetrical(element):
        _add(element, platform, zone.edges, (dst, src), Edge(back[::-1], *gateways[::-1]))


def _links(element: Element, platform: Platform) -> tuple[list[int], list[int]]:
    """Numbers of the links of a route, and of the same links passed the other way."""
    forward: list[int] = []
    back: list[int] = []
    for child in element:
        check_attributes(child)
        if child.tag != "link_ctn":
            raise InvalidInputError(
                f"{shown(element)} holds <{child.tag}>", "list its links as <link_ctn>"
            )
        way = child.get("direction", "NONE").strip().upper()
        numbers = platform.link(text_of(child, "id"))
        if way not in _DIRECTIONS:
            raise InvalidInputError(
                f"{shown(child)} has the direction {way!r}", f"write {', '.join(_DIRECTIONS)}"
            )
        up, down = numbers if way != "DOWN" else numbers[::-1]
        forward.append(up)
        back.append(down)
    return forward, back


def _add(
    element: Element, platform: Platform, edges: dict[tuple[str, str], Edge],
    ends: tuple[str, str], edge: Edge,
) -> None:  # fmt: skip
    if ends in edges:
        raise InvalidInputError(
            f"{shown(element)}: there are two routes from {ends[0]!r} to {ends[1]!r}",
            'leave one out, or write symmetrical="NO"',
        )
    edges[ends] = edge
    platform.note_ends(edge.links, *ends)


def _gateway(element: Element, role: str, end: str, platform: Platform) -> str:
    """The point of a zone at which a route leaves or enters it; of a point, itself."""
    zone = platform.zone_of[end].members.get(end)
    if zone is None:
        return end
    gateway = text_of(element, f"gw_{role}")
    holder = platform.zone_of.get(gateway)
    is_point = holder is not None and holder.members.get(gateway) is None
    if not is_point or not _is_within(gateway, zone, platform):
        raise InvalidInputError(
            f"gw_{role} {gateway!r} of {shown(element)} is not in {end!r}",
            f"name a host or router in {end!r} that stands above the route",
        )
    return gateway


def _is_within(name: str, zone: Zone, platform: Platform) -> bool:
    """Whether a point or a zone lies in a zone, at any depth."""
    holder: Zone | None = platform.zone_of[name]
    while holder is not None and holder is not zone:
        holder = holder.parent
    return holder is zone
