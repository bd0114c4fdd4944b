"""SimGrid's <cluster> and <cabinet>: hosts alike, each with links of its own to the middle.

Source: the platform reference of SimGrid.
Idea: a flat cluster is a star: host to host passes the limiter and the private link of the source
upwards, the backbone, and those of the destination downwards; the router of the cluster stands
beyond the backbone. A cluster with a topology has the cables of that in place of private links.
A loopback joins a host to itself, so that no message between hosts passes it.
Restrictions: no limiters in clusters with a topology, whose hosts and routers are no gateways
beyond the hosts themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from xml.etree.ElementTree import Element

import numpy as np

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.simgrid.attributes import (
    policy_of,
    rate_of,
    seconds_of,
    shown,
    text_of,
)
from contend.simulate.topologies.simgrid.dragonfly import dragonfly
from contend.simulate.topologies.simgrid.elements import MOST_HOSTS, WAYS, Platform
from contend.simulate.topologies.simgrid.fat_tree import fat_tree
from contend.simulate.topologies.simgrid.shape import Shape
from contend.simulate.topologies.simgrid.torus import torus
from contend.simulate.topologies.simgrid.zones import Edge, Star, Zone

_SHAPES = {"FAT_TREE": fat_tree, "TORUS": torus, "DRAGONFLY": dragonfly}


@dataclass(eq=False, kw_only=True)
class FlatCluster(Star):
    """A star whose hosts have consecutive numbers, and links that follow from these."""

    platform: Platform
    first_host: int = 0
    first_link: int = 0
    first_limiter: int = -1  # none
    links_each: int = 1

    def spoke(self, member: str) -> tuple[list[int], list[int]]:
        """Return the link of a host to the router in the middle."""
        if member not in self.platform.number_of:
            return [], []
        place = self.platform.number_of[member] - self.first_host
        up = self.first_link + place * self.links_each
        limiter = [self.first_limiter + place] if self.first_limiter >= 0 else []
        down = up + self.links_each - 1
        return [*limiter, up, *self.backbone], [*self.backbone, down, *limiter]


@dataclass(eq=False, kw_only=True)
class ShapedCluster(Zone):
    """A zone whose hosts are those of a shape, of which cable 0 has the link `first_link`."""

    shape: Shape
    platform: Platform
    first_host: int = 0
    first_link: int = 0
    links_each: int = 1

    def way(self, a: str, b: str) -> Sequence[Edge]:
        src, dst = (self.platform.number_of[end] - self.first_host for end in (a, b))
        down = self.links_each - 1
        passed = self.shape.route(src, dst)
        links = [self.first_link + cable * self.links_each + is_down * down
                 for cable, is_down in passed]  # fmt: skip
        return [Edge(links, a, b)]


def read_cluster(element: Element, parent: Zone, platform: Platform) -> None:
    topology = element.get("topology", "FLAT").strip().upper()
    if topology == "FLAT":
        _read_flat(element, parent, platform)
    elif topology in _SHAPES:
        _read_shaped(element, parent, platform, topology)
    else:
        raise InvalidInputError(
            f"{shown(element)} has the topology {topology!r}",
            f"write FLAT, {', '.join(_SHAPES)}, or describe it as JSON with its links",
        )


def _read_flat(element: Element, parent: Zone, platform: Platform) -> None:
    name, ranges = text_of(element, "id"), _ranges(element)
    policy = policy_of(element, initial="SPLITDUPLEX")
    backbone = _backbone(element, name, platform)
    zone = FlatCluster(name=name, parent=parent, platform=platform, first_host=len(platform.hosts),
                       links_each=len(WAYS[policy]), backbone=backbone)  # fmt: skip
    platform.add_point(name, parent, zone)
    _add_hosts(element, ranges, zone, platform)
    prefix, suffix = element.get("prefix", ""), element.get("suffix", "")
    router = element.get("router_id") or f"{prefix}{name}_router{suffix}"
    platform.add_point(router, zone)
    count = sum(map(len, ranges))
    zone.first_link = platform.add_links(
        lambda: (f"{name}_link_{number}" for number in chain(*ranges)),
        rate_of(element, "bw"), seconds_of(element, "lat"), policy, count, host_links=count,
    )  # fmt: skip
    if "limiter_link" in element.attrib:
        zone.first_limiter = platform.add_links(
            lambda: (f"{name}_link_{number}_limiter" for number in chain(*ranges)),
            rate_of(element, "limiter_link"), 0.0, "SHARED", count, host_links=count,
        )  # fmt: skip


def _backbone(element: Element, name: str, platform: Platform) -> list[int]:
    if "bb_bw" not in element.attrib:
        if "bb_lat" in element.attrib:
            raise InvalidInputError(f"{shown(element)} has bb_lat and no bb_bw", "give both")
        return []
    policy = policy_of(element, "bb_sharing_policy")
    rate, latency = rate_of(element, "bb_bw"), seconds_of(element, "bb_lat")
    return [platform.add_link(f"{name}_backbone", rate, latency, policy)[0]]


def _read_shaped(element: Element, parent: Zone, platform: Platform, topology: str) -> None:
    name, ranges = text_of(element, "id"), _ranges(element)
    for attribute in ("limiter_link", "bb_bw", "bb_lat", "router_id"):
        if attribute in element.attrib:
            raise InvalidInputError(
                f"{shown(element)} is a {topology} with {attribute}, which is not modelled",
                "take it out",
            )
    shape = _SHAPES[topology](text_of(element, "topo_parameters"), shown(element))
    count = sum(map(len, ranges))
    if shape.hosts != count:
        raise InvalidInputError(
            f"{shown(element)} has {count} hosts, its topo_parameters make {shape.hosts}",
            "let both be the same",
        )
    policy = policy_of(element, initial="SPLITDUPLEX")
    widths = np.asarray(shape.widths)
    zone = ShapedCluster(name=name, parent=parent, shape=shape, platform=platform,
                         first_host=len(platform.hosts), links_each=len(WAYS[policy]))  # fmt: skip
    platform.add_point(name, parent, zone)
    _add_hosts(element, ranges, zone, platform)
    zone.first_link = platform.add_links(
        lambda: (f"{name}_link_{number}" for number in range(len(widths))),
        rate_of(element, "bw") * widths, seconds_of(element, "lat"), policy, len(widths),
        host_links=shape.host_cables,
    )  # fmt: skip


def read_cabinet(element: Element, zone: Star, platform: Platform) -> None:
    names = _add_hosts(element, _ranges(element), zone, platform)
    first = platform.add_links(
        lambda: (f"link_{name}" for name in names),
        rate_of(element, "bw"), seconds_of(element, "lat"), "SPLITDUPLEX", len(names),
        host_links=len(names),
    )  # fmt: skip
    for place, name in enumerate(names):
        up = first + 2 * place
        zone.spokes[name] = ([up], [up + 1])


def _add_hosts(
    element: Element, ranges: Sequence[range], zone: Zone, platform: Platform
) -> list[str]:
    prefix, suffix = element.get("prefix", ""), element.get("suffix", "")
    names = [f"{prefix}{number}{suffix}" for number in chain(*ranges)]
    platform.add_hosts(names, zone)
    return names


def _ranges(element: Element) -> list[range]:
    """Numbers of hosts, such as 0-3,7; at most `MOST_HOSTS`."""
    text = text_of(element, "radical")
    message = f"{shown(element)} has the radical {text[:60]!r}"
    ranges: list[range] = []
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(end.isdecimal() and len(end) < 10 for end in ends):
            raise InvalidInputError(message, "write 0-3,7")
        ranges.append(range(int(ends[0]), int(ends[-1]) + 1))
        if not ranges[-1] or sum(map(len, ranges)) > MOST_HOSTS:
            raise InvalidInputError(
                message, f"write ranges upwards, of at most {MOST_HOSTS} hosts together"
            )
    return ranges
