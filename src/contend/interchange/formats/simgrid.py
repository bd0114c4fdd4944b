"""SimGrid: the network as a platform, and options of SMPI for what single messages take.

Source: Casanova, Giersch, Legrand, Quinson, Suter, "Versatile, scalable, and accurate simulation of
distributed applications and platforms", JPDC 74(10), 2014; run with 3.32.
Idea: links have the bandwidth of large messages and the latency L of an empty one, so that programs
of the interface S4U see flows end as `contend graph solve` says. What a message takes depends on
its size more than that: options for smpirun, in a file beside, give SMPI the pLogP parameters.
Restrictions: see `contend.interchange.simgrid.platform` and `.smpi`. SimGrid after 3.32 has
network/bandwidth-factor and network/latency-factor in the place of smpi/bw-factor and lat-factor.
"""

import re

import numpy as np

from contend import __version__
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.interchange.format import NetworkFormat, Wanted, Written
from contend.interchange.simgrid.platform import HEAD, routed_platform, switch_platform
from contend.interchange.simgrid.smpi import smpi_of
from contend.network import Network
from contend.replay import Plogp
from contend.signature import PointToPoint
from contend.topologies import topology_of
from contend.topologies.topology import Topology
from contend.units import format_bytes, format_rate, format_seconds

BESIDE = ".smpi"  # behind the name of the platform


class SimGrid(NetworkFormat):
    """A platform, and options for smpirun."""

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
        return float(network.sharing.known(network.sharing.fallback).bandwidth)
    known = network.point_to_point
    if known.plogp is not None:
        return Plogp(known.plogp).bandwidth
    if known.hockney is not None:
        return 1 / float(known.hockney.beta)
    raise InvalidInputError(
        f"{network.name!r} says nothing of single messages",
        "measure the experiments pingpong and plogp, then fit",
    )


def _latency(known: PointToPoint) -> float:
    """Seconds of an empty message: L of pLogP or alpha; without any L what it takes in all."""
    found = 0.0
    if known.plogp is not None:
        found = float(known.plogp.latency)
    elif known.hockney is not None:
        found = float(known.hockney.alpha)
    if found <= 0 and known.plogp is not None:
        found = float(known.plogp.seconds(0.0))
    return found


def _topology(
    network: Network, wanted: Wanted, bandwidth: float, latency: float
) -> Topology | None:
    """What is between the hosts; None for one switch."""
    if wanted.topology is None and network.links:
        from contend.interchange.simgrid.platform import grouped

        if len(network.links) > 1:
            names = ", ".join(one.name for one in network.links)
            raise InvalidInputError(
                f"{network.name!r} has links of several levels ({names}), which are not exported",
                "describe the topology, and name its file by --topology",
            )
        found: Topology | None = grouped(network.links[0], bandwidth, latency)
    else:
        found = topology_of(wanted.topology or "switch", bandwidth)
    if found is not None and wanted.hosts not in (None, found.hosts):
        raise InvalidInputError(
            f"--hosts {wanted.hosts} of a topology of {found.hosts}", "leave it out"
        )
    return found


def _latencies(topology: Topology, latency: float) -> Floats:
    """Of each link as the topology says; else half of the latency for each link of a host."""
    known = topology.latency()
    if known.any():
        return np.asarray(known, dtype=np.float64)
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
