"""A SimGrid platform of hosts and links, with the settings by which it shares like contend.

Source: the platform reference of SimGrid, version 4.1 of the format; run with 3.32.
Idea: one switch is a <cluster> without a backbone; any other topology is a zone with a route for
each pair of hosts. The settings leave plain max-min sharing of the model CM02: factors of bandwidth
and latency 1, no window, no weight of the round trip, no traffic of acknowledgements. Of groups
behind slower links each host has a link out and one in, of what one pair of ranks reaches within a
group; each measured way from one group to another is a link that all their messages share.
Restrictions: SimGrid gives flows a share inverse to the latency of their route, which contend does
not: their end times agree where the routes that share links have one latency. A route for each pair
is much text, so that there are at most `MOST_HOSTS` hosts then. One level of groups.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from xml.sax.saxutils import quoteattr

import numpy as np

from contend.errors import InvalidInputError
from contend.links.record import LevelLinks
from contend.topologies.paths import Link, Paths
from contend.topologies.topology import Topology

MOST_HOSTS = 512  # 262 000 routes, some 50 MB
SPEED = "1Gf"  # of hosts: nothing is known of it
HEAD = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
MAX_MIN: Mapping[str, str] = {
    "network/model": "CM02",
    "network/bandwidth-factor": "1",
    "network/latency-factor": "1",
    "network/TCP-gamma": "0",
    "network/weight-S": "0",
    "network/crosstraffic": "0",
}


def switch_platform(hosts: int, bandwidth: float, latency: float, about: str) -> str:
    """Platform of hosts on one switch; `latency` (seconds) is that of a route of two links."""
    cluster = (
        f'    <cluster id="cluster" prefix="node-" suffix="" radical="0-{hosts - 1}" '
        f'speed="{SPEED}" bw="{bandwidth!r}Bps" lat="{latency / 2!r}s" '
        'sharing_policy="SPLITDUPLEX"/>'
    )
    return _platform([cluster], about)


def routed_platform(topology: Topology, latency: np.ndarray, about: str) -> str:
    """Platform of any topology; `latency` (n_links,) in seconds."""
    if topology.hosts > MOST_HOSTS:
        raise InvalidInputError(
            f"{topology.hosts} hosts with a route for each pair, where {MOST_HOSTS} are the most",
            "name fewer hosts",
        )
    return _platform(_routed(topology, latency), about)


def _platform(lines: "list[str] | Iterator[str]", about: str) -> str:
    settings = [f'    <prop id="{name}" value="{value}"/>' for name, value in MAX_MIN.items()]
    return HEAD + "\n".join(
        [
            f"<!-- {about.replace('--', '- -')} -->",
            '<platform version="4.1">',
            "  <config>",
            *settings,
            "  </config>",
            '  <zone id="network" routing="Full">',
            *lines,
            "  </zone>",
            "</platform>",
            "",
        ]
    )


def _routed(topology: Topology, latency: np.ndarray) -> Iterator[str]:
    hosts = topology.names() or [f"node-{number}" for number in range(topology.hosts)]
    capacity, unshared = topology.capacity(), topology.unshared()
    links = topology.link_names() or [f"link-{number}" for number in range(len(capacity))]
    names = [quoteattr(name) for name in links]
    for host in hosts:
        yield f'    <host id={quoteattr(host)} speed="{SPEED}"/>'
    for number, name in enumerate(names):
        policy = "FATPIPE" if unshared[number] else "SHARED"
        yield (
            f'    <link id={name} bandwidth="{float(capacity[number])!r}Bps" '
            f'latency="{float(latency[number])!r}s" sharing_policy="{policy}"/>'
        )
    pairs = np.array(list(permutations(range(topology.hosts), 2)), dtype=np.int64)
    routes = topology.routes(pairs[:, 0], pairs[:, 1])
    for number, (src, dst) in enumerate(pairs.tolist()):
        passed = routes.links[routes.offsets[number] : routes.offsets[number + 1]].tolist()
        yield (
            f"    <route src={quoteattr(hosts[src])} dst={quoteattr(hosts[dst])} "
            'symmetrical="NO">'
            + "".join(f"<link_ctn id={names[link]}/>" for link in passed)
            + "</route>"
        )


def grouped(links: LevelLinks, bandwidth: float, latency: float) -> Paths:
    """Topology of the groups of a level.

    `bandwidth` and `latency` are of messages within a group, where that was not measured.

    Raises
    ------
    InvalidInputError
        For groups within others, and for two groups without a way.
    """
    if any(group.outer for group in links.groups):
        raise InvalidInputError(
            f"the groups of level {links.name!r} are within others, which is not exported",
            "describe the topology, and name its file by --topology",
        )
    rate = float(links.inside_bandwidth) if links.inside_bandwidth else bandwidth
    half = (float(links.inside_latency) if links.inside_latency else latency) / 2
    of = [place for place, group in enumerate(links.groups) for _ in range(group.hosts)]
    names = [f"{group.name}-{host}" for group in links.groups for host in range(group.hosts)]
    count = len(names)
    own = [
        Link(f"{name}:{way}", rate, half, is_of_host=True)
        for way in ("out", "in")
        for name in names
    ]
    place = {group.name: number for number, group in enumerate(links.groups)}
    ways = {(place[way.source], place[way.destination]): way for way in links.ways}
    number = {pair: 2 * count + position for position, pair in enumerate(ways)}
    shared = [
        Link(way.title, float(way.bandwidth), max(float(way.latency) - 2 * half, 0.0))
        for way in ways.values()
    ]

    def path(src: int, dst: int) -> list[int]:
        pair = of[src], of[dst]
        if pair[0] == pair[1]:
            return [src, count + dst]
        if pair not in number:
            ends = " to ".join(links.groups[end].name for end in pair)
            raise InvalidInputError(
                f"no way from {ends} was measured", "measure the links of all pairs of groups"
            )
        return [src, number[pair], count + dst]

    return Paths(names, [*own, *shared], path)
