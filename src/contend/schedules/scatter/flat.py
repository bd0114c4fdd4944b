"""Flat tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 2.
Idea: the root sends each rank its block.
Cost: (P-1) g(m) + L.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.messages import Messages, one_block


class Flat(Algorithm):
    title = "flat tree"
    source = "Barchet-Estefanel, Mounie 2005, table 2"
    openmpi = 1

    def messages(self, call: Call) -> Messages:
        child = np.arange(1, call.n)
        carries = one_block(child, call.n)
        return Messages(call.n, child * 0, child, child, carries, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m)
