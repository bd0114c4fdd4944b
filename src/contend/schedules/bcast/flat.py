"""Flat tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: the root sends the message to one rank after the other.
Cost: (P-1) g(m) + L.
Restrictions: none.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.trees import heap


class Flat(Algorithm):
    title = "flat tree"
    source = "Barchet-Estefanel, Mounie 2005, table 1"
    openmpi = 1

    def messages(self, call: Call) -> Messages:
        return heap(call.n, max(call.n - 1, 1)).messages(ints([call.m]))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m)
