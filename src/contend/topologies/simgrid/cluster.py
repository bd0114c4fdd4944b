"""SimGrid's <cluster>: hosts alike, each with a private link, perhaps a backbone between.

Source: the platform reference of SimGrid.
Idea: host to host passes the private link of the source upwards, the backbone, and that of the
destination downwards; the router of the cluster stands beyond the backbone.
Restrictions: no topology of its own (FAT_TREE, TORUS, DRAGONFLY), no loopback or limiter links.
"""

from xml.etree.ElementTree import Element

from contend.errors import InvalidInputError
from contend.topologies.simgrid.elements import (
    MOST_HOSTS,
    Platform,
    rate_of,
    seconds_of,
    text_of,
)
from contend.topologies.simgrid.zones import Edge, Zone

_REFUSED = ("loopback_bw", "loopback_lat", "limiter_link", "topo_parameters")


def read_cluster(element: Element, parent: Zone, platform: Platform) -> None:
    """Add the hosts and links of a cluster as a zone of its own."""
    name = text_of(element, "id")
    topology = element.get("topology", "FLAT").upper()
    if topology != "FLAT":
        raise InvalidInputError(
            f"cluster {name!r} has the topology {topology}", "describe it as JSON with its links"
        )
    for attribute in _REFUSED:
        if attribute in element.attrib:
            raise InvalidInputError(
                f"cluster {name!r} has {attribute}, which is not read", "take it out"
            )
    middle = f"{name}:middle"
    zone = Zone(name, "full", parent, middle=middle)
    platform.add_point(name, parent)
    platform.add_point(middle, zone)
    parent.zones[name] = zone
    backbone = _backbone(element, name, platform)
    _add_router(element, zone, platform, backbone)
    _add_hosts(element, zone, platform, backbone)


def _backbone(element: Element, name: str, platform: Platform) -> list[int]:
    """The link that all hosts share, if there is one."""
    if "bb_bw" not in element.attrib:
        return []
    policy = element.get("bb_sharing_policy", "SHARED").upper()
    if policy == "SPLITDUPLEX":
        raise InvalidInputError(
            f"cluster {name!r} has a backbone in two directions", "write SHARED or FATPIPE"
        )
    platform.add_link(
        f"{name}_backbone", rate_of(element, "bb_bw"), seconds_of(element, "bb_lat"), policy
    )
    return [platform.by_name[f"{name}_backbone"]["NONE"]]


def _add_router(element: Element, zone: Zone, platform: Platform, backbone: list[int]) -> None:
    """The router, and on its edge into the middle, as on those of all hosts, the backbone."""
    prefix, suffix = element.get("prefix", ""), element.get("suffix", "")
    router = element.get("router_id") or f"{prefix}{zone.name}_router{suffix}"
    platform.add_point(router, zone)
    zone.edges[router, zone.middle] = Edge(backbone, router, zone.middle)
    zone.edges[zone.middle, router] = Edge([], zone.middle, router)


def _add_hosts(element: Element, zone: Zone, platform: Platform, backbone: list[int]) -> None:
    prefix, suffix = element.get("prefix", ""), element.get("suffix", "")
    rate, latency = rate_of(element, "bw"), seconds_of(element, "lat")
    policy = element.get("sharing_policy", "SPLITDUPLEX").upper()
    for number in _radical(text_of(element, "radical"), zone.name):
        host, link = f"{prefix}{number}{suffix}", f"{zone.name}_link_{number}"
        platform.add_host(host, zone)
        platform.add_link(link, rate, latency, policy)
        up, *other = platform.by_name[link].values()
        down = other[0] if other else up
        zone.edges[host, zone.middle] = Edge([up, *backbone], host, zone.middle)
        zone.edges[zone.middle, host] = Edge([down], zone.middle, host)
        platform.note_ends([up, down], host, host)


def _radical(text: str, name: str) -> list[int]:
    """Numbers of hosts, such as 0-3,7."""
    shown = f"cluster {name!r} has the radical {text[:60]!r}"
    numbers: list[int] = []
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(end.isdecimal() and len(end) < 10 for end in ends):
            raise InvalidInputError(shown, "write 0-3,7")
        first, last = int(ends[0]), int(ends[-1])
        if not 0 <= last - first < MOST_HOSTS:
            raise InvalidInputError(shown, f"write ranges upwards, of at most {MOST_HOSTS} hosts")
        numbers += range(first, last + 1)
    return numbers
