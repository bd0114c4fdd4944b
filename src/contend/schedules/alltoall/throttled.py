"""Throttled direct exchange.

Source: MPICH `alltoall_intra_scattered`; Open MPI's linear_sync lets the window slide.
Idea: the rotated direct exchange in batches of w messages; a batch begins when the messages of the
one before have come.
Cost: (P-1) g(m) + ceil((P-1)/w) L.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.exchange import pair_blocks, pair_bytes, rotated, rounds


class Throttled(Algorithm):
    """At most `window` messages of a rank at a time."""

    title = "throttled direct exchange"
    source = "MPICH, Open MPI"
    options = ("window",)
    openmpi = 4
    mpich = "scattered"

    def messages(self, call: Call) -> Messages:
        """Distances 1 to n - 1, each batch after the one before."""
        step = np.arange(call.n - 1)
        dst = rotated(call.n, step + 1)
        after = step // call.window * call.window - 1
        return rounds(dst, pair_blocks(dst), pair_bytes(call.n, call.m), step, after)

    def cost(self, net: PLogP, call: Call) -> Floats:
        batches = -(-(call.n - 1) // call.window)
        return (call.n - 1) * net.gap_at(call.m) + batches * net.latency_at(call.m)
