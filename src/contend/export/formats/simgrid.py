"""SimGrid: the network as a platform, and options of SMPI for what single messages take.

Source: Casanova, Giersch, Legrand, Quinson, Suter, "Versatile, scalable, and accurate simulation of
distributed applications and platforms", JPDC 74(10), 2014; run with 3.32.
Idea: links have the bandwidth of large messages and the latency L of an empty one, so that programs
of the interface S4U see flows end as `contend solve` says. What a message takes depends on
its size more than that: options for smpirun, in a file beside, give SMPI the pLogP parameters.
Restrictions: see also `contend.export.smpi`. SimGrid after 3.32 has
network/bandwidth-factor and network/latency-factor in the place of smpi/bw-factor and lat-factor.

The platform. Source: the platform reference of SimGrid, version 4.1 of the format; run with 3.32.
Idea: one switch is a <cluster> without a backbone; any other topology is a zone with a route for
each pair of hosts. The settings leave plain max-min sharing of the model CM02: factors of bandwidth
and latency 1, no window, no weight of the round trip, no traffic of acknowledgements. Of groups
behind slower links each host has a link out and one in, of what one pair of ranks reaches within a
group; each measured way from one group to another is a link that all their messages share.
Restrictions: SimGrid gives flows a share inverse to the latency of their route, which contend does
not: their end times agree where the routes that share links have one latency. A route for each pair
is much text, so that there are at most `MOST_HOSTS` hosts then. One level of groups.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import permutations
from xml.sax.saxutils import quoteattr

import numpy as np

from contend import __version__
from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_rate, format_seconds
from contend.export.format import NetworkFormat, Wanted, Written
from contend.export.smpi import smpi_of
from contend.models.links.record import LevelLinks
from contend.models.network import Network
from contend.models.signature import PointToPoint
from contend.programs.replay import Plogp
from contend.simulate.topologies import topology_of
from contend.simulate.topologies.paths import Link, Paths
from contend.simulate.topologies.topology import Topology

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
    ports = [
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

    return Paths(names, [*ports, *shared], path)


BESIDE = ".smpi"  # behind the name of the platform


class SimGrid(NetworkFormat):
    name = "simgrid"
    title = "SimGrid's platform, with options for smpirun beside it"
    takes = frozenset({"topology", "hosts"})
    example = "network.json --hosts 16 -o platform.xml"

    def of_network(self, network: Network, wanted: Wanted) -> Written:
        """One switch, the groups that the network knows, or the topology that is named."""
        bandwidth = _bandwidth(network)
        latency = _latency(network.point_to_point)
        topology = _topology(network, wanted, bandwidth, latency)
        about = f"{' '.join(network.name.split())}, by contend {__version__}"
        if topology is None:
            hosts = wanted.hosts or _hosts(network)
            platform = switch_platform(hosts, bandwidth, latency, about)
        else:
            hosts = topology.hosts
            platform = routed_platform(topology, _latencies(topology, latency), about)
        notes = [
            f"{hosts} hosts, links of {format_rate(8 * bandwidth)}, an empty message takes "
            f"{format_seconds(latency)} over one switch"
        ]
        figures: dict[str, object] = {"hosts": hosts, "bandwidth": bandwidth, "latency": latency}
        plogp = network.point_to_point.plogp
        if plogp is None:
            notes.append("without pLogP parameters there are no options for smpirun")
            usage = ("./simulator FILE",)
            return Written(platform, tuple(notes), usage, figures=figures)
        smpi = smpi_of(plogp, latency, bandwidth)
        options = smpi.options()
        m = plogp.size.array
        errors: Floats = np.abs(smpi.seconds(m) / plogp.seconds(m) - 1)
        worst = int(errors.argmax())
        notes.append(
            f"smpirun: a single message is {errors[worst]:.1%} off the pLogP parameters at worst, "
            f"at {format_bytes(int(m[worst]))}; sends do not ask up to "
            + (format_bytes(smpi.eager) if smpi.eager <= m[-1] else "any size")
        )
        if smpi.are_reduced:
            notes.append(
                "smpirun: overheads are smaller than measured where they overlap with the transfer"
            )
        text = " ".join(f"--cfg={name}:{value}" for name, value in options.items())
        usage = (f"smpirun $(cat FILE{BESIDE}) -platform FILE -np {hosts} ./program",)
        figures |= {"smpi": options, "worst_error": float(errors[worst])}
        return Written(platform, tuple(notes), usage, {BESIDE: text + "\n"}, figures)

    def recognises(self, text: str) -> bool:
        """Whether it begins as a platform does that was written here."""
        return text.startswith(HEAD) and re.search(r"^<platform ", text, re.MULTILINE) is not None


def _bandwidth(network: Network) -> float:
    """Bytes per second of large messages: of contention graphs, else of pLogP, else of Hockney."""
    if network.sharing is not None:
        return float(network.sharing.by_name(network.sharing.fallback).bandwidth)
    parameters = network.point_to_point
    if parameters.plogp is not None:
        return Plogp(parameters.plogp).bandwidth
    if parameters.hockney is not None:
        return 1 / float(parameters.hockney.beta)
    raise InvalidInputError(
        f"{network.name!r} says nothing of single messages",
        "measure the experiments pingpong and plogp, then fit",
    )


def _latency(parameters: PointToPoint) -> float:
    """Seconds of an empty message: L of pLogP or alpha; without any L what it takes in all."""
    latency = 0.0
    if parameters.plogp is not None:
        latency = float(parameters.plogp.latency)
    elif parameters.hockney is not None:
        latency = float(parameters.hockney.alpha)
    if latency <= 0 and parameters.plogp is not None:
        latency = float(parameters.plogp.seconds(0.0))
    return latency


def _topology(
    network: Network, wanted: Wanted, bandwidth: float, latency: float
) -> Topology | None:
    """What is between the hosts; None for one switch."""
    if wanted.topology is None and network.links:
        from contend.export.formats.simgrid import grouped

        if len(network.links) > 1:
            names = ", ".join(link.name for link in network.links)
            raise InvalidInputError(
                f"{network.name!r} has links of several levels ({names}), which are not exported",
                "describe the topology, and name its file by --topology",
            )
        topology: Topology | None = grouped(network.links[0], bandwidth, latency)
    else:
        topology = topology_of(wanted.topology or "switch", bandwidth)
    if topology is not None and wanted.hosts not in (None, topology.hosts):
        raise InvalidInputError(
            f"--hosts {wanted.hosts} of a topology of {topology.hosts}", "leave it out"
        )
    return topology


def _latencies(topology: Topology, latency: float) -> Floats:
    """Return the latency of each link: the topology's, else half of the network's per host link."""
    latencies = topology.latency()
    if latencies.any():
        return np.asarray(latencies, dtype=np.float64)
    return np.where(topology.of_hosts(), latency / 2, 0.0)


def _hosts(network: Network) -> int:
    """As many as were measured."""
    count = len({host for origin in network.all_origins for host in origin.hosts})
    if count < 2:
        raise InvalidInputError(
            f"{network.name!r} was measured on {count or 'no named'} host{'s' * (count > 1)}",
            "say by --hosts how many there are",
        )
    return count
