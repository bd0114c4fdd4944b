"""Binomial tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: in every round each rank that has the message sends it to one that has not.
Cost: max(H g(m) + b L, (H-1) (g(m) + L)), with H = ceil(log2 P) rounds and b the largest number of
bits of a rank reached in the last of them. For P a power of two b = H.
Restrictions: none. The formula of the paper, floor(log2 P) g(m) + ceil(log2 P) L, is right for
powers of two; else it is no bound: for P = 3 it gives g(m) + 2 L, the tree takes 2 g(m) + L.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.trees import binomial, binomial_seconds


class Binomial(Algorithm):
    """Rank r sends to r + 1, r + 2, r + 4, ... beyond its top bit."""

    title = "binomial tree"
    source = "Barchet-Estefanel, Mounie 2005, table 1"
    openmpi = 6
    mpich = "binomial"

    def messages(self, call: Call) -> Messages:
        return binomial(call.n).messages(ints([call.m]))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return binomial_seconds(call.n, net.gap_at(call.m), net.latency_at(call.m))
