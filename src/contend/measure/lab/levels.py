"""What an exchange should know of a lab: its groups of hosts, and the slow link of each level.

The level above the nodes is that of the clusters, where there are several. The link of a level is
the slowest that leads out of its groups, in the time of the network that the lab stands for.
"""

from contend.alltoall.clusters.file import DeclaredGroup, DeclaredLevel, GroupsFile
from contend.alltoall.clusters.groups import NODE
from contend.alltoall.clusters.plan import Link
from contend.measure.lab.specification import Backbone, Cluster, Lab

CLUSTER = "cluster"
UNBOUNDED = 2**40  # bytes, for a buffer that has no limit, or that never drops


def declared(lab: Lab) -> GroupsFile:
    """The groups of its hosts; no level where there is one cluster.

    >>> from contend.measure.lab import read_lab
    >>> [group.hosts for group in declared(read_lab("two-clusters")).levels[0].groups]
    [('left[0-9]*',), ('right[0-9]*',)]
    """
    groups = tuple(
        DeclaredGroup(name=cluster.name, hosts=(f"{cluster.name}[0-9]*",))
        for cluster in lab.clusters
    )
    if len(groups) == 1:
        return GroupsFile()
    return GroupsFile(levels=(DeclaredLevel(name=CLUSTER, groups=groups),))


def links(lab: Lab) -> tuple[Link, ...]:
    """The link of each level, outermost first; none for a level whose links have no limit.

    >>> from contend.measure.lab import read_lab
    >>> [(link.level, link.bandwidth, link.buffer) for link in links(read_lab("two-clusters"))]
    [('cluster', 12500000.0, 131072), ('node', 6250000.0, 131072)]
    """
    slowest = []
    if lab.backbones:
        slowest.append(_link(lab, CLUSTER, min(lab.backbones, key=_rate)))
    slowest.append(_link(lab, NODE, min(lab.clusters, key=_rate)))
    return tuple(link for link in slowest if link is not None)


def _rate(part: Backbone | Cluster) -> float:
    return float("inf") if part.rate is None else part.rate


def _link(lab: Lab, level: str, part: Backbone | Cluster) -> Link | None:
    if part.rate is None:
        return None
    latency = part.delay if isinstance(part, Backbone) else part.latency
    buffer = UNBOUNDED if part.buffer is None or lab.has_credits else part.buffer
    return Link(level, latency, part.rate / 8, buffer, lab.minimum_rto)
