"""Pairwise exchange of which w turns may be under way.

Source: Open MPI's pairwise (our `ring`) with the sliding window of its linear_sync.
Idea: in turn d rank r sends to r + d and receives from r - d; it begins turn d when the message of
turn d - w has come. With w = 1 it is the ring exchange, with w >= P-1 the rotated one. `throttled`
goes by batches instead: a slow message holds back a whole batch, here the turn w later. Each turn
that is waited for may cost a round trip, in whatever order the ranks are; so the exchange library
takes w by bytes where a plan says none, as many as fill the link and its buffer.
Cost: (P-1) g(m) + L + (ceil((P-1)/w) - 1) max(L - (w-1) g(m), 0).
Restrictions: none.
"""

from typing import ClassVar

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.exchange import pair_blocks, pair_bytes, rotated, rounds


class ThrottledPairwise(Algorithm):
    """To r + d, from r - d, `window` turns at a time."""

    title = "throttled pairwise exchange"
    source = "Open MPI; contend"
    options: ClassVar[tuple[str, ...]] = ("window",)

    def messages(self, call: Call) -> Messages:
        """Distances 1 to n - 1, each after the one that is `window` before."""
        step = np.arange(call.n - 1)
        dst = rotated(call.n, step + 1)
        after = np.maximum(step - call.window, -1)
        return rounds(dst, pair_blocks(dst), pair_bytes(call.n, call.m), step, after)

    def cost(self, net: PLogP, call: Call) -> Floats:
        turns, gap, latency = call.n - 1, net.gap_at(call.m), net.latency_at(call.m)
        waits = np.maximum(latency - (call.window - 1) * gap, 0)
        return np.asarray(turns * gap + latency + (-(-turns // call.window) - 1) * waits)
