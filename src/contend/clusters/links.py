"""Links of a plan from what a network file knows of the levels that bear the same names."""

from collections.abc import Iterable

from contend.clusters.plan import Link
from contend.network import Network


def links_of(network: Network, levels: Iterable[str]) -> tuple[Link, ...]:
    """A link for each level that has a positive latency and bandwidth in the network file.

    Buffers and time-outs are not in a network file's levels; 0 says that they are unknown.
    """
    wanted = set(levels)
    found = []
    for level in network.levels:
        line = level.hockney
        if level.name in wanted and line and min(float(line.alpha), float(line.beta)) > 0:
            found.append(Link(level.name, float(line.alpha), 1 / float(line.beta), 0, 0.0))
    return tuple(found)
