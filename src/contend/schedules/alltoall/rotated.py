"""Rotated direct exchange.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 3, lower bound; Open MPI coll/base linear.
Idea: rank r sends to r + 1, r + 2, ..., so that no two send to the same rank in the same turn; it
waits for nothing.
Cost: (P-1) g(m) + L.
Restrictions: none. What contention adds is described by a contention signature.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.exchange import pair_blocks, pair_bytes, rotated, rounds


class Rotated(Algorithm):
    title = "rotated direct exchange"
    source = "Barchet-Estefanel, Mounie 2005, table 3"
    openmpi = 1
    mpich = "scattered"

    def messages(self, call: Call) -> Messages:
        step = np.arange(call.n - 1)
        dst = rotated(call.n, step + 1)
        return rounds(dst, pair_blocks(dst), pair_bytes(call.n, call.m), step, step * 0 - 1)

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m)
