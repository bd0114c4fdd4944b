"""Chain.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: every rank passes the whole message on to the next.
Cost: (P-1) (g(m) + L).
Restrictions: none.
"""

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call
from contend.schedules.messages import Messages
from contend.schedules.ragged import ints
from contend.schedules.trees import heap


class Chain(Algorithm):
    """Each rank sends to the next."""

    name = "chain"
    collective = "bcast"
    title = "chain"
    source = "Barchet-Estefanel, Mounie 2005, table 1"

    def messages(self, call: Call) -> Messages:
        """A tree of degree 1."""
        return heap(call.n, 1).messages(ints([call.m]))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """(P-1) (g(m) + L)."""
        return (call.n - 1) * net.seconds(call.m)
