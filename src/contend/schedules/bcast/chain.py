"""Chain.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: every rank passes the whole message on to the next.
Cost: (P-1) (g(m) + L).
Restrictions: none.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.trees import heap


class Chain(Algorithm):
    title = "chain"
    source = "Barchet-Estefanel, Mounie 2005, table 1"

    def messages(self, call: Call) -> Messages:
        return heap(call.n, 1).messages(ints([call.m]))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.seconds(call.m)
