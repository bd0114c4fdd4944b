"""Where the ranks of an exchange are, and the time that no algorithm beats there.

Idea of the bound, for algorithms that send each byte over the network's routes once: of every link,
the bytes that must pass it over its rate, plus one way: the least delay of what passes it. The
largest over the links bounds the exchange. Messages inside a host cost nothing.
Restrictions: frames, acknowledgements and processors are left out, so that it cannot be reached
quite. Where a way round is faster than the route, passing on by third groups could beat it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from contend.alltoall.clusters.file import GroupsFile
from contend.alltoall.clusters.groups import NODE, Groups, Level, nodes_of
from contend.alltoall.clusters.matching import assign
from contend.alltoall.clusters.plan import Link
from contend.base.document import Floats
from contend.measure.lab.specification import Lab


@dataclass(frozen=True)
class Placement:
    """The host of every rank, and the levels of groups of ranks, outermost first, nodes last."""

    hosts: tuple[str, ...]
    groups: Groups

    @property
    def n(self) -> int:
        return len(self.hosts)

    @property
    def dividing(self) -> Level:
        """The outermost level with several groups; the nodes where none has."""
        several = [level for level in self.groups.levels if len(level.names) > 1]
        return several[0] if several else self.groups.levels[-1]

    @property
    def sizes(self) -> list[int]:
        return [len(members) for members in self.dividing.members]

    @property
    def node_sizes(self) -> list[int]:
        return [len(members) for members in self.groups.levels[-1].members]


def placed(declared: GroupsFile, hosts: Sequence[str]) -> Placement:
    """The placement of ranks on `hosts`, one name for each rank.

    >>> placed(GroupsFile(), ["a", "a", "b", "b"]).sizes
    [2, 2]
    """
    return Placement(tuple(hosts), assign(declared, hosts).below(nodes_of(hosts)))


def hosts_on_lab(lab: Lab, n: int, per_node: int | None) -> list[str]:
    """Host of each of `n` ranks on a lab, as its launchers fill one host after the other.

    >>> from contend.measure.lab import read_lab
    >>> hosts_on_lab(read_lab("fast-ethernet"), 4, 2)
    ['node1', 'node1', 'node2', 'node2']
    """
    names = [host.name for host in lab.hosts]
    return [names[rank // (per_node or 1)] for rank in range(n)]


def bound_on_lab(lab: Lab, placement: Placement, m: int | Floats) -> float:
    """Seconds of the network that a lab stands for, for an exchange of `m` bytes per pair.

    `m` may be of shape (ranks, ranks): bytes from each rank to each other.

    >>> from contend.measure.lab import read_lab
    >>> from contend.measure.exchange.placement import hosts_on_lab, placed
    >>> from contend.alltoall.clusters.file import GroupsFile
    >>> lab = read_lab("two-clusters")
    >>> placement = placed(GroupsFile(), hosts_on_lab(lab, 16, None))
    >>> round(bound_on_lab(lab, placement, 4096), 6)
    0.026022
    """
    names, host_of = np.unique(np.array(placement.hosts), return_inverse=True)
    sent = np.zeros((len(names), len(names)))
    np.add.at(sent, np.ix_(host_of, host_of), np.broadcast_to(m, (placement.n, placement.n)))
    routes = lab.routes()
    load: Counter[str] = Counter()
    delay: dict[str, float] = {}
    rate: dict[str, float] = {}
    for src, dst in np.argwhere(sent > 0):
        if src == dst:
            continue
        path = routes[names[src], names[dst]]
        one_way = sum(link.delay_s for link in path)
        for link in path:
            load[link.name] += sent[src, dst]
            delay[link.name] = min(delay.get(link.name, one_way), one_way)
            rate[link.name] = link.rate_bits or float("inf")
    real = (delay[name] + 8 * load[name] / rate[name] for name in load)
    return float(max(real, default=0.0)) / lab.time_dilation


def bound_of_links(links: tuple[Link, ...], placement: Placement, m: int) -> float | None:
    """The same from the link of each level of a plan; None where it knows none of these."""
    seconds = []
    for link in links:
        levels = [level for level in placement.groups.levels if level.name == link.level]
        for level in levels:
            sizes = [len(members) for members in level.members]
            seconds += [
                link.latency + m * amount / link.bandwidth
                for amount in _crossing(sizes, link.level == NODE)
                if link.bandwidth > 0
            ]
    return max(seconds, default=None)


def _crossing(sizes: list[int], is_of_nodes: bool) -> list[int]:
    """Blocks over each link: all that leave a node, or those between two groups."""
    n = sum(sizes)
    if is_of_nodes:
        return [size * (n - size) for size in sizes if size < n]
    pairs = [(a, b) for index, a in enumerate(sizes) for b in sizes[index + 1 :]]
    return [a * b for a, b in pairs]
