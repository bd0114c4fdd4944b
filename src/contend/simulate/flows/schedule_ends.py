"""When the messages of a schedule end: each alone, or sharing ports and the links between groups.

Idea: a rank that sends to several others without waiting has these messages under way at the same
time, and as streams of TCP they share its link. A message of m bytes keeps a port busy for g(m) if
it is alone, L(m) after its start; it starts when what its send requires has ended. Only its first
bytes, the burst that a stream may have under way before the first acknowledgement, leave in the
order of the sends; what is left of all messages shares the ports, max-min fair. Bursts of sends
that require nothing leave one after the other at the rate of the port, however full those of their
receivers are: switches hold so much. Messages that cross from one group to another pass the link
out of their group and the one into the other, which all that cross share: so processes of a node
share its network card, and clusters their uplink.
Cost: that of max-min sharing of one or two flows for each message.
Another sharing model than max-min can say how ports are shared, as one that was fitted to measured
contention graphs.
Restrictions: a burst of 0 is sharing alone; with an infinite burst a port is given to one message
at a time, as without contention, but by senders only. Copying and combining take no time. Groups
have links of one bandwidth, which does not depend on what else a rank sends; two groups may share
less where there are more than two. A link serves bytes, ports serve seconds: its bandwidth counts
in seconds of what crosses on average, so that messages of very different sizes that cross at once
share it a little differently.
Source: this project. Burst: the initial window of TCP, RFC 6928, of ten segments of 1448 bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.schedules.ragged_rows import Ints, ints, offsets_of, rows_of
from contend.schedules.schedule import Schedule
from contend.schedules.timing import evaluate
from contend.schedules.timing.levels import Levels, Parameters, costs
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flows import Flows, Rows
from contend.simulate.topologies import Links

BURST = 14480.0  # bytes
Sharing: TypeAlias = Callable[[Flows], Floats]  # ends of flows, whose bytes are seconds of a port
Contention: TypeAlias = Literal["none", "ports"] | Sharing


def max_min(flows: Flows) -> Floats:
    """When flows end that share ports max-min fair; their bytes are seconds of a port."""
    return solve(flows, "maxmin", bandwidth=1.0).end


def seconds(
    schedule: Schedule, network: Parameters, contention: Contention = "ports", burst: float = BURST
) -> float:
    """Return the time from the common start until the last message has come.

    Parameters
    ----------
    network
        Parameters of messages that are alone: of all, or by `Levels`.
    contention
        "none": a rank sends one message at a time. "ports": those of a rank share its port, and
        those between groups the links there. A function: by that ranks share their ports.
    burst
        Bytes of a message that leave in the order of the sends.

    >>> from contend.schedules import algorithms
    >>> from contend.schedules.timing.timeline import fast_ethernet
    >>> flat, net = algorithms("bcast").get("flat").build(4, 10**6), fast_ethernet()
    >>> levels = [Levels((0, 0, 1, 1), net, net, rate) for rate in (1e9, 2e6)]
    >>> [round(seconds(flat, one), 2) for one in levels], round(seconds(flat, net, "none"), 2)
    ([0.26, 1.0], 0.26)
    """
    if contention == "none":
        return evaluate.seconds(schedule, network)
    sharing = max_min if contention == "ports" else contention
    return float(message_ends(schedule, network, burst, sharing).max(initial=0.0))


def message_ends(
    schedule: Schedule, network: Parameters, burst: float = BURST, sharing: Sharing = max_min
) -> Floats:
    """When each message has come, seconds; shape (n_sends,), in the order of the sends."""
    gap, latency = (each[schedule.is_send] for each in costs(schedule, network))
    if not gap.size:
        return np.empty(0)
    messages = _messages(schedule, burst)
    flows = _flows(schedule, messages, gap, latency)
    if isinstance(network, Levels) and np.isfinite(network.bandwidth):
        return _over_links(schedule, network, flows, gap)[messages.last]
    return sharing(flows)[messages.last]


def _over_links(schedule: Schedule, network: Levels, flows: Flows, gap: Floats) -> Floats:
    """When flows end that share ports, and links out of groups and into them."""
    group = ints(np.unique(network.groups, return_inverse=True)[1])
    ranks, groups, sends = schedule.ranks, int(group.max()) + 1, np.flatnonzero(schedule.is_send)
    far = group[schedule.rank[sends]] != group[schedule.peer[sends]]
    rate = _in_port_seconds(network.bandwidth, schedule.bytes[sends][far], gap[far])
    links = Links(ranks, [1.0] * 2 * ranks + [min(rate, ranks)] * 2 * groups)
    out, into = 2 * ranks + group[flows.src], 2 * ranks + groups + group[flows.dst]
    passed = np.stack([flows.src, ranks + flows.dst, out, into], axis=1)
    is_far = group[flows.src] != group[flows.dst]
    route = [row if far else row[:2] for row, far in zip(passed.tolist(), is_far, strict=True)]
    return solve(replace(flows, route=route), "maxmin", topology=links).end


def _in_port_seconds(bandwidth: float, size: Ints, gap: Floats) -> float:
    """What a link serves in a second, in seconds of the ports of what crosses it."""
    total = float(size.sum())
    return bandwidth * float(gap.sum()) / total if total else float("inf")


@dataclass(frozen=True)
class _Messages:
    """The sends, and the flows of each: flow i is its head, a larger message has a tail too."""

    sends: Ints  # operations (n_sends,)
    head_share: Floats  # (n_sends,) of the work
    large: Ints  # places in `sends` of those with a tail
    last: Ints  # (n_sends,) the flow with the last byte


def _messages(schedule: Schedule, burst: float) -> _Messages:
    sends = np.flatnonzero(schedule.is_send)
    share = np.minimum(burst / np.maximum(schedule.bytes[sends], 1), 1.0)
    large = np.flatnonzero(share < 1.0)
    last = np.arange(sends.size)
    last[large] = sends.size + np.arange(large.size)
    return _Messages(sends, share, large, last)


def _flows(schedule: Schedule, messages: _Messages, work: Floats, latency: Floats) -> Flows:
    """Heads, then tails, in seconds of a port instead of bytes."""
    sends, large, share = messages.sends, messages.large, messages.head_share
    count = sends.size + large.size
    start = _starts(schedule, messages, work * share)
    src, dst = schedule.rank[sends], schedule.peer[sends]
    return Flows(
        hosts=schedule.ranks,
        src=np.concatenate([src, src[large]]).astype(np.int32),
        dst=np.concatenate([dst, dst[large]]).astype(np.int32),
        bytes=np.concatenate([work * share, (work * (1 - share))[large]]),
        start=np.concatenate([start, np.zeros(large.size)]),
        latency=np.concatenate([latency, np.zeros(large.size)]),
        requires=_rows(*_required_flows(schedule, messages), count),
        behind=_rows(*_before(schedule, messages), count),
    )


def _required_flows(schedule: Schedule, messages: _Messages) -> tuple[Ints, Ints]:
    """Pairs of a head and a flow that ends before it starts."""
    flow = np.full(schedule.kind.size, -1, dtype=np.int64)
    flow[messages.sends] = flow[schedule.partner[messages.sends]] = messages.last
    head, required = _required(schedule, messages.sends)
    # What a receive requires holds back those who wait for the receive.
    again, deeper = _required(schedule, required)
    heads = np.concatenate([head, head[again]])
    ended = flow[np.concatenate([required, deeper])]
    return heads[ended >= 0], ended[ended >= 0]


def _required(schedule: Schedule, operations: Ints) -> tuple[Ints, Ints]:
    """What operations require: which of them (by place in `operations`), and what."""
    offsets, required = rows_of(schedule.requires_offsets, schedule.requires, operations)
    return np.repeat(np.arange(operations.size), np.diff(offsets)), required


def _before(schedule: Schedule, messages: _Messages) -> tuple[Ints, Ints]:
    """Pairs of a flow and one that leaves before it.

    A tail goes behind its head, a head behind that of the send before, unless it starts by itself,
    and behind the whole message before it in its stream.
    """
    sends, large = messages.sends, messages.large
    rank = schedule.rank[sends]
    stream = rank * schedule.ranks + schedule.peer[sends]
    head, before = _successive(rank)
    has_burst = messages.head_share[before] > 0.0
    waits = has_burst & ~_is_free(schedule, sends)[head]
    later, earlier = _successive(stream)
    pairs = [(messages.last[large], large), (head[waits], before[waits]),
             (later, messages.last[earlier])]  # fmt: skip
    flows, ahead = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return flows, ahead


def _is_free(schedule: Schedule, sends: Ints) -> NDArray[np.bool_]:
    """Which sends require nothing, nor any send before them of their rank."""
    requires = np.diff(schedule.requires_offsets)[sends] > 0
    rank = schedule.rank[sends]
    first = np.searchsorted(rank, np.arange(schedule.ranks))
    so_far = offsets_of(requires.astype(np.int64))
    return np.asarray(so_far[1:] == so_far[first[rank]])


def _starts(schedule: Schedule, messages: _Messages, burst: Floats) -> Floats:
    """When each head can start: behind the bursts before it, of a rank that waits for nothing."""
    rank = schedule.rank[messages.sends]
    first = np.searchsorted(rank, np.arange(schedule.ranks))
    before = np.concatenate([[0.0], np.cumsum(burst)])[:-1]
    return np.where(_is_free(schedule, messages.sends), before - before[first[rank]], 0.0)


def _successive(group: Ints) -> tuple[Ints, Ints]:
    """Pairs of a place and the last one before it with the same group."""
    order = np.argsort(group, kind="stable")
    same = group[order[1:]] == group[order[:-1]]
    return order[1:][same], order[:-1][same]


def _rows(flows: Ints, waited_for: Ints, count: int) -> Rows:
    order = np.argsort(flows, kind="stable")
    return Rows(offsets_of(np.bincount(flows, minlength=count)), waited_for[order])
