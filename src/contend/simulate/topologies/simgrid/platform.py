"""SimGrid platforms: hosts, links and routes of a platform file, version 4.

Source: the platform reference of SimGrid 3.25 to 4.1 (platform version 4.1), simgrid.org/doc.
Idea: a zone knows routes between its members: hosts, routers and zones within. The way between two
hosts is the route of the zone that holds both, and within each zone on the way the one to its
gateway.
Read: platform, zone and AS with routing Full, Floyd, Dijkstra, DijkstraCache, Cluster or None;
host, router, link (SHARED, SPLITDUPLEX, FATPIPE), routes between hosts and zones, bypasses,
cluster of every topology, cabinet, backbone, host_link. Disks, properties, actors and what hosts
compute say nothing of messages and are passed over.
Restrictions: all else is refused by its name: profiles of links over time, WIFI, Vivaldi, peers.
Factors that SimGrid's models apply to bandwidth and latency are not applied. A FATPIPE link gives
every message its bandwidth.
"""

import warnings
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from contend.base.errors import InvalidInputError
from contend.base.xml_text import parse_xml
from contend.simulate.topologies.paths import Paths
from contend.simulate.topologies.simgrid.attributes import (
    check_attributes,
    policy_of,
    rate_of,
    seconds_of,
    shown,
    text_of,
    version_of,
)
from contend.simulate.topologies.simgrid.cluster import read_cabinet, read_cluster
from contend.simulate.topologies.simgrid.elements import Platform
from contend.simulate.topologies.simgrid.routes import ROUTES, read_route
from contend.simulate.topologies.simgrid.shortest import DijkstraZone, FloydZone
from contend.simulate.topologies.simgrid.zones import Star, Zone, route_between

_ZONES = {"zone", "AS"}
_ROUTINGS = {"full": Zone, "none": Zone, "floyd": FloydZone, "dijkstra": DijkstraZone,
             "dijkstracache": DijkstraZone, "cluster": Star}  # fmt: skip
_PASSED_OVER = {"prop", "config", "disk", "storage", "storage_type", "mount", "mstorage", "trace",
                "actor", "process"}  # fmt: skip
_COMPUTING = {"SPEED", "POWER"}  # kinds of profiles that say nothing of messages
_REMEDY = "take it out, or describe the topology as JSON"
_OF_STAR = ("cabinet", "host_link", "backbone")
_REMEDIES = dict.fromkeys(_OF_STAR, 'put it in a zone of routing="Cluster"')
_REMEDIES["include"] = "write what that file holds in its place"
_NETWORK = ("network/", "smpi/")


class NotModelledWarning(UserWarning):
    """Parts of a platform that the topology does not have."""


def read_platform(text: str) -> Paths:
    """Topology of a platform file.

    Raise FileFormatError or InvalidInputError that names the element that is wrong, or that is not
    read.
    """
    root = parse_xml(text)
    if root.tag != "platform":
        raise InvalidInputError(f"the root is <{root.tag}>", "name a SimGrid platform, <platform>")
    if version_of(root) < 4:
        raise InvalidInputError(
            f"the platform has version {root.get('version')}", "bring it to 4 by simgrid_update_xml"
        )
    platform, world = Platform(), Zone("")
    _read_members(root, world, platform)
    if not platform.hosts:
        raise InvalidInputError("the platform has no host", "name one with hosts")
    _warn_of_settings(root)
    hosts, zone_of = platform.hosts, platform.zone_of
    return Paths(hosts, platform.links(), lambda a, b: route_between(hosts[a], hosts[b], zone_of))


def _read_members(element: Element, zone: Zone, platform: Platform) -> None:
    check_attributes(element)
    for child in element:
        if child.tag not in _PASSED_OVER:
            check_attributes(child)
            _read(child, zone, platform)


def _read(element: Element, zone: Zone, platform: Platform) -> None:
    tag = element.tag
    if tag in _ZONES:
        _read_zone(element, zone, platform)
    elif tag == "host":
        host = text_of(element, "id")
        platform.add_hosts([host], zone)
        zone.members[host] = None
        _refuse_children(element)
    elif tag == "router":
        platform.add_point(text_of(element, "id"), zone)
    elif tag == "link":
        policy = policy_of(element)  # first: WIFI has bandwidths of another form
        rate, latency = rate_of(element, "bandwidth"), seconds_of(element, "latency")
        platform.add_link(text_of(element, "id"), rate, latency, policy)
        _refuse_children(element)
    elif tag == "cluster":
        read_cluster(element, zone, platform)
        _refuse_children(element)
    elif tag in ROUTES:
        read_route(element, zone, platform)
    elif tag in _OF_STAR and isinstance(zone, Star):
        _read_of_star(element, zone, platform)
    elif tag != "trace_connect" or element.get("kind", "HOST_AVAIL").upper() not in _COMPUTING:
        _refuse(element)


def _refuse(element: Element) -> None:
    if element.tag == "trace_connect":
        profile = f"a profile over time, {element.get('kind')} of {element.get('element')!r}"
        raise InvalidInputError(
            f"<trace_connect> gives {profile}, which is not modelled",
            "take it out, and what it begins with holds for good",
        )
    raise InvalidInputError(
        f"the element <{element.tag}> is not read", _REMEDIES.get(element.tag, _REMEDY)
    )


def _read_zone(element: Element, parent: Zone, platform: Platform) -> None:
    routing = element.get("routing", "None").strip()
    name = text_of(element, "id")
    if routing.lower() not in _ROUTINGS:
        raise InvalidInputError(
            f"zone {name!r} has the routing {routing!r}, which is not modelled",
            "use Full, Floyd, Dijkstra or Cluster",
        )
    zone = _ROUTINGS[routing.lower()](name, parent)
    platform.add_point(name, parent, zone)
    _read_members(element, zone, platform)


def _read_of_star(element: Element, zone: Star, platform: Platform) -> None:
    if element.tag == "cabinet":
        read_cabinet(element, zone, platform)
    elif element.tag == "backbone":
        if zone.backbone:
            raise InvalidInputError(f"zone {zone.name!r} has two backbones", "leave one out")
        rate, latency = rate_of(element, "bandwidth"), seconds_of(element, "latency")
        zone.backbone = platform.add_link(text_of(element, "id"), rate, latency, "SHARED")[:1]
    else:
        host = text_of(element, "id")
        if host not in platform.number_of or platform.zone_of[host] is not zone:
            raise InvalidInputError(
                f"<host_link> {host!r} names no host of zone {zone.name!r}", "define it above"
            )
        up = platform.link(text_of(element, "up"))[0]
        down = platform.link(text_of(element, "down"))[1]
        zone.spokes[host] = ([up], [down])
        platform.note_ends([up, down], host, host)


def _refuse_children(element: Element) -> None:
    for child in element:
        if child.tag not in _PASSED_OVER:
            raise InvalidInputError(
                f"{shown(element)} holds <{child.tag}>, which is not read", "take it out"
            )


def _warn_of_settings(root: Element) -> None:
    """Settings of SimGrid that change how long messages take."""
    names = [name for name in _settings(root) if name.startswith(_NETWORK)]
    if names:
        shown_names = ", ".join(dict.fromkeys(names))
        warnings.warn(
            f"<config> sets {shown_names}, which is not modelled: bandwidths and latencies are "
            "those of the links",
            NotModelledWarning,
            stacklevel=2,
        )


def _settings(root: Element) -> Iterator[str]:
    return (prop.get("id", "") for config in root.iter("config") for prop in config.iter("prop"))
