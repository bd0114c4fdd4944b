"""SimGrid platforms: hosts, links and routes of a platform file, version 4.

Source: the platform reference of SimGrid 3.25 and later (platform version 4.1), simgrid.org/doc.
Idea: a zone knows routes between its members: hosts, routers and zones within. The way between two
hosts is the route of the zone that holds both, and within each zone on the way the one to its
gateway.
Read: platform, zone and AS with routing Full, Floyd, Dijkstra, Cluster or None; host, router, link
(SHARED, SPLITDUPLEX, FATPIPE), route, zoneRoute and ASroute with link_ctn; cluster without a
topology of its own (bw, lat, bb_bw, bb_lat and their policies); prop and config are passed over.
Restrictions: all else is refused by its name. Factors that SimGrid's models apply to bandwidth and
latency are not applied. A FATPIPE link gives every message its bandwidth.
"""

from xml.etree.ElementTree import Element

from contend.errors import InvalidInputError
from contend.topologies.paths import Link, Paths
from contend.topologies.simgrid.cluster import read_cluster
from contend.topologies.simgrid.elements import Platform, float_of, rate_of, seconds_of, text_of
from contend.topologies.simgrid.zones import Edge, Zone, route_between
from contend.xml_text import parse_xml

_ZONES = {"zone", "AS"}
_ROUTES = {"route", "zoneRoute", "ASroute"}
_ROUTINGS = {"full": "full", "floyd": "shortest", "dijkstra": "shortest", "dijkstracache":
             "shortest", "cluster": "full", "none": "full"}  # fmt: skip
_PASSED_OVER = {"prop", "config"}


def read_platform(text: str) -> Paths:
    """Topology of a platform file.

    Raises
    ------
    FileFormatError, InvalidInputError
        Names the element that is wrong, or that is not read.
    """
    root = parse_xml(text)
    if root.tag != "platform":
        raise InvalidInputError(f"the root is <{root.tag}>", "name a SimGrid platform, <platform>")
    if float_of(root, "version", "4") < 4:
        raise InvalidInputError(
            f"the platform has version {root.get('version')}", "bring it to 4 by simgrid_update_xml"
        )
    platform = Platform()
    world = Zone("", "full")
    for element in root:
        _read(element, world, platform)
    if not platform.hosts:
        raise InvalidInputError("the platform has no host", "name one with hosts")
    return _paths(platform)


def _paths(platform: Platform) -> Paths:
    hosts, known = platform.hosts, set(platform.hosts)
    links = [
        Link(
            link.name,
            link.bandwidth,
            link.latency,
            is_of_host=len((platform.ends.get(number) or set()) & known) == 1,
            is_unshared=link.is_unshared,
        )
        for number, link in enumerate(platform.links)
    ]
    zone_of = platform.zone_of
    return Paths(hosts, links, lambda a, b: route_between(hosts[a], hosts[b], zone_of))


def _read(element: Element, zone: Zone, platform: Platform) -> None:
    tag = element.tag
    if tag in _ZONES:
        _read_zone(element, zone, platform)
    elif tag == "host":
        platform.add_host(text_of(element, "id"), zone)
        _refuse_children(element)
    elif tag == "router":
        platform.add_point(text_of(element, "id"), zone)
    elif tag == "link":
        rate, latency = rate_of(element, "bandwidth"), seconds_of(element, "latency")
        policy = element.get("sharing_policy", "SHARED").upper()
        platform.add_link(text_of(element, "id"), rate, latency, policy)
        _refuse_children(element)
    elif tag == "cluster":
        read_cluster(element, zone, platform)
    elif tag in _ROUTES:
        _read_route(element, zone, platform)
    elif tag not in _PASSED_OVER:
        raise InvalidInputError(
            f"the element <{tag}> is not read", "take it out, or describe the topology as JSON"
        )


def _read_zone(element: Element, parent: Zone, platform: Platform) -> None:
    routing = element.get("routing", "None")
    name = text_of(element, "id")
    if routing.lower() not in _ROUTINGS:
        raise InvalidInputError(
            f"zone {name!r} has the routing {routing!r}", "use Full, Floyd, Dijkstra or Cluster"
        )
    zone = Zone(name, _ROUTINGS[routing.lower()], parent)
    platform.add_point(name, parent)
    parent.zones[name] = zone
    for child in element:
        _read(child, zone, platform)


def _read_route(element: Element, zone: Zone, platform: Platform) -> None:
    src, dst = text_of(element, "src"), text_of(element, "dst")
    there: list[int] = []
    back: list[int] = []
    for child in element:
        if child.tag != "link_ctn":
            raise InvalidInputError(f"a route holds <{child.tag}>", "list its links as <link_ctn>")
        way = child.get("direction", "NONE").upper()
        numbers = _link(text_of(child, "id"), way, platform)
        there.append(numbers[0])
        back.append(numbers[1])
    for name in (src, dst):
        if platform.zone_of.get(name) is not zone:
            raise InvalidInputError(
                f"a route of zone {zone.name!r} ends at {name!r}",
                "let it end at a host, router or zone of that zone, which stands above it",
            )
    gateways = (_gateway(element, "src", src, zone), _gateway(element, "dst", dst, zone))
    _add(platform, zone, (src, dst), Edge(there, *gateways))
    if element.get("symmetrical", "YES").upper() in ("YES", "TRUE", "1"):
        back = back[::-1]
        if (dst, src) not in zone.edges:
            _add(platform, zone, (dst, src), Edge(back, *gateways[::-1]))


def _add(platform: Platform, zone: Zone, ends: tuple[str, str], edge: Edge) -> None:
    if ends in zone.edges and ends[0] != ends[1]:
        raise InvalidInputError(
            f"zone {zone.name!r} has two routes from {ends[0]!r} to {ends[1]!r}", "leave one out"
        )
    zone.edges[ends] = edge
    platform.note_ends(edge.links, *ends)


def _gateway(element: Element, role: str, end: str, zone: Zone) -> str:
    """The point of a zone at which a route leaves or enters it; of a point, itself."""
    if end not in zone.zones:
        return end
    return text_of(element, f"gw_{role}")


def _link(name: str, way: str, platform: Platform) -> tuple[int, int]:
    """Number of a link there and back."""
    if name not in platform.by_name:
        raise InvalidInputError(
            f"a route passes the link {name!r}, which there is not", "define it above the route"
        )
    numbers = platform.by_name[name]
    if "NONE" in numbers:
        return numbers["NONE"], numbers["NONE"]
    if way not in ("UP", "DOWN"):
        way = "UP"
    other = "DOWN" if way == "UP" else "UP"
    return numbers[way], numbers[other]


def _refuse_children(element: Element) -> None:
    for child in element:
        if child.tag not in _PASSED_OVER:
            raise InvalidInputError(
                f"<{element.tag}> holds <{child.tag}>, which is not read", "take it out"
            )
