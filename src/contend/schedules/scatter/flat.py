"""Flat tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 2.
Idea: the root sends each rank its block.
Cost: (P-1) g(m) + L.
Restrictions: none.
"""

import numpy as np

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call
from contend.schedules.messages import Messages, one_block
from contend.schedules.ragged import ints


class Flat(Algorithm):
    """The root sends to everyone."""

    name = "flat"
    collective = "scatter"
    title = "flat tree"
    source = "Barchet-Estefanel, Mounie 2005, table 2"
    openmpi = 1

    def messages(self, call: Call) -> Messages:
        """A message to each of the others."""
        child = np.arange(1, call.n)
        carries = one_block(child, call.n)
        return Messages(call.n, child * 0, child, child, carries, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """(P-1) g(m) + L."""
        return (call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m)
