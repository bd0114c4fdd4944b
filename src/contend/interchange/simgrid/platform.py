"""A SimGrid platform of hosts and links, with the settings by which it shares like contend.

Source: the platform reference of SimGrid, version 4.1 of the format; run with 3.32.
Idea: one switch is a <cluster> without a backbone; any other topology is a zone with a route for
each pair of hosts. The settings leave plain max-min sharing of the model CM02: factors of bandwidth
and latency 1, no window, no weight of the round trip, no traffic of acknowledgements.
Restrictions: SimGrid gives flows a share inverse to the latency of their route, which contend does
not: their end times agree where the routes that share links have one latency. A route for each pair
is much text, so that there are at most `MOST_HOSTS` hosts then.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from xml.sax.saxutils import quoteattr

import numpy as np

from contend.errors import InvalidInputError
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
