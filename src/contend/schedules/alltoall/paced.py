"""Paced direct exchange: at most w messages of a rank on their way over a slow link.

Source: this project; windows as in MPICH `alltoall_intra_scattered`.
Idea: blocks go straight to those who want them. In turn t position p of a group exchanges with
position (t - p) mod S of the group that is next, then of the one after, where S is the largest
group. The first w turns between groups come first, then what is local, in rotated order, then turn
after turn, each when what was to come up to w turns ago has come. A program waits for its own sends
instead, with synchronous sends: in the schedule the receipt of messages of the same turn stands for
it, as nothing says when a message was taken.
Cost: with R = (G-1) S turns and c local ones, at most (R + c) g(m) + L, and what is waited for: for
R > w max(L - (w + c - 1) g, 0) + (ceil(R/w) - 2) max(L - (w - 1) g, 0); the time itself for equal
groups. All messages between groups cross by themselves, and each byte once.
Restrictions: none. Waits for slots of the window, not for the rate of the link: the right window is
that which the link and its buffer hold.
"""

from typing import Any, ClassVar

import numpy as np

from contend.schedules.algorithm import Call, Claim, Floats, PLogP, ints
from contend.schedules.exchange import pair_bytes
from contend.schedules.group_algorithms import Grouped
from contend.schedules.groups import Layout
from contend.schedules.messages import Messages, one_block, require_few


class Paced(Grouped):
    """At most `window` messages of a rank between groups at a time."""

    title = "paced direct exchange"
    source = "contend"
    options: ClassVar[tuple[str, ...]] = ("window",)
    is_answered = True

    def messages(self, call: Call) -> Messages:
        require_few(call.n * call.n)
        layout = Layout(call.groups or (0,) * call.n)
        turns, local = _turns(layout)
        group, position, largest = layout.group, layout.position, int(layout.size.max())
        src, dst = np.nonzero(~np.eye(call.n, dtype=bool))
        distance = layout.distance[src, dst]
        crosses = distance > 0
        turn = (distance - 1) * largest + (position[src] + position[dst]) % largest
        inside = (position[dst] - position[src]) % layout.size[group[src]] - 1
        first = min(call.window, turns)
        step = np.where(crosses, turn + np.where(turn < first, 0, local), first + inside)
        after = np.full(src.size, -1)
        order = np.flatnonzero(crosses)
        order = order[np.lexsort((turn[order], src[order]))]
        later, earlier = order[call.window :], order[: -call.window]
        same = src[later] == src[earlier]
        after[later[same]] = step[earlier[same]]
        return Messages(
            ranks=call.n,
            src=ints(src),
            dst=ints(dst),
            step=ints(step),
            carries=one_block(ints(src * call.n + dst), call.n * call.n),
            block_bytes=pair_bytes(call.n, call.m),
            after=ints(after),
        )

    def cost(self, net: PLogP, call: Call) -> Floats:
        turns, local = _turns(Layout(call.groups))
        gap, latency = net.gap_at(call.m), net.latency_at(call.m)
        waits: Any = 0.0
        if turns > call.window:
            batches = -(-turns // call.window)
            waits = np.maximum(latency - (call.window + local - 1) * gap, 0)
            waits = waits + (batches - 2) * np.maximum(latency - (call.window - 1) * gap, 0)
        return np.asarray((turns + local) * gap + latency + waits)

    def claim(self, call: Call) -> Claim:
        """Exact for equal groups, in which no rank sits out a turn."""
        return "exact" if Layout(call.groups).is_even else "upper bound"


def _turns(layout: Layout) -> tuple[int, int]:
    largest = int(layout.size.max())
    return (layout.size.size - 1) * largest, largest - 1
