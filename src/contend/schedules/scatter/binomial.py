"""Binomial tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 2.
Idea: a rank sends the half of its blocks to the rank that they begin with, then a half of the rest.
Cost: for P a power of two sum_{j=0}^{log2(P)-1} g(2^j m) + log2(P) L. Else, with M the largest
power of two below P: F(P) = g((P-M) m) + max(L + F(P-M), F(M)); the formula of the paper, the sum
to ceil(log2 P) - 1 and ceil(log2 P) L, is then an upper bound.
Restrictions: none.
"""

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call
from contend.schedules.messages import Messages, Spans
from contend.schedules.ragged import ints
from contend.schedules.trees import knomial, knomial_seconds, knomial_subtrees


class Binomial(Algorithm):
    """Far ranks first, each with the blocks of its subtree."""

    name = "binomial"
    collective = "scatter"
    title = "binomial tree"
    source = "Barchet-Estefanel, Mounie 2005, table 2"
    openmpi = 2
    mpich = "binomial"

    def messages(self, call: Call) -> Messages:
        """The blocks of a subtree stand behind each other, from its own root on."""
        tree = knomial(call.n, 2)
        carries = Spans(tree.child, knomial_subtrees(call.n, 2), call.n)
        sizes = ints([call.m] * call.n)
        return Messages(call.n, tree.parent, tree.child, tree.step, carries, sizes)

    def cost(self, net: PLogP, call: Call) -> Floats:
        """F(P)."""
        below = knomial_seconds(
            call.n, 2, lambda ranks: net.gap_at(ranks * call.m), float(net.latency)
        )
        return net.gap_at(call.m) * 0 + below
