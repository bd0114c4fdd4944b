"""When the messages of a schedule end of which some pass the links between groups of ranks.

Idea: as in `schedule_ends`, a message is a flow of g(m) port-seconds; those that cross from one
group to another have the parameters of such messages, and pass the link out of their group and the
one into the other, which all that cross share. So processes of a node share its network card, and
clusters their uplink.
Cost: that of max-min sharing of one or two flows for each message.
Restrictions: groups have links of one bandwidth, which does not depend on what else a rank sends;
two groups may share less where there are more than two. A link serves bytes, ports serve seconds:
its bandwidth counts in seconds of what crosses on average, so that messages of very different sizes
that cross at once share it a little differently.
Source: this project.
"""

from dataclasses import replace

import numpy as np

from contend.document import Floats
from contend.flows.engine import solve
from contend.flows.schedule_ends import BURST, flows_of_sends
from contend.pointtopoint import PLogP
from contend.schedules.groups import Groups
from contend.schedules.ragged import Ints, ints
from contend.schedules.schedule import Schedule
from contend.schedules.timing.levels import crosses
from contend.topologies import Links


def seconds(
    schedule: Schedule,
    groups: Groups,
    inside: PLogP,
    between: PLogP,
    bandwidth: float,
    burst: float = BURST,
) -> float:
    """Time from the common start until the last message has come.

    `inside` and `between` are parameters of a pair of ranks, alone, of one group and of two;
    `bandwidth` (bytes per second) is what all messages together get out of a group, and into it;
    infinite: more than its ranks have.

    >>> from contend.schedules import algorithms
    >>> from contend.schedules.timing.timeline import fast_ethernet
    >>> flat, net = algorithms("bcast").get("flat").build(4, 10**6), fast_ethernet()
    >>> [round(seconds(flat, (0, 0, 1, 1), net, net, rate), 2) for rate in (1e9, 2e6)]
    [0.26, 1.0]
    """
    far = crosses(schedule, groups)[schedule.is_send]
    size = schedule.bytes[schedule.is_send]
    gap = np.where(far, between.gap_at(size), inside.gap_at(size))
    latency = np.where(far, between.latency_at(size), inside.latency_at(size))
    flows, last = flows_of_sends(schedule, gap, latency, burst)
    if not last.size:
        return 0.0
    rate = min(_in_port_seconds(bandwidth, size[far], gap[far]), schedule.ranks)
    ranks, group = schedule.ranks, np.unique(groups, return_inverse=True)[1]
    links = Links(ranks, [1.0] * 2 * ranks + [rate] * 2 * (int(group.max()) + 1))
    flows = replace(flows, route=_routes(flows.src, flows.dst, ints(group)))
    return float(solve(flows, "maxmin", topology=links).end[last].max())


def _in_port_seconds(bandwidth: float, size: Ints, gap: Floats) -> float:
    """What a link serves in a second, in seconds of the ports of what crosses it."""
    total = float(size.sum())
    return bandwidth * float(gap.sum()) / total if total else float("inf")


def _routes(src: Ints, dst: Ints, group: Ints) -> list[list[int]]:
    """Links of each flow by number: out of ranks, into ranks, out of groups, into groups."""
    ranks = group.size
    out, into = 2 * ranks + group, 2 * ranks + int(group.max()) + 1 + group
    shared = np.stack([out[src], into[dst]], axis=1)
    far = group[src] != group[dst]
    ports = np.stack([src, ranks + dst], axis=1).tolist()
    return [
        own + both * crossing
        for own, both, crossing in zip(ports, shared.tolist(), far.tolist(), strict=True)
    ]
