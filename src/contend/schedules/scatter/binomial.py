"""Binomial tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 2.
Idea: a rank sends the half of its blocks to the rank that they begin with, then a half of the rest.
Cost: for P a power of two sum_{j=0}^{log2(P)-1} g(2^j m) + log2(P) L. Else, with M the largest
power of two below P: F(P) = g((P-M) m) + max(L + F(P-M), F(M)); the formula of the paper, the sum
to ceil(log2 P) - 1 and ceil(log2 P) L, is then an upper bound.
Restrictions: none.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.schedules.algorithm import Algorithm, Call, Floats, Ints, PLogP, ints
from contend.schedules.messages import Messages, Spans
from contend.schedules.trees import knomial, knomial_seconds, knomial_subtrees


class Binomial(Algorithm):
    """Far ranks first, each with the blocks of its subtree."""

    title = "binomial tree"
    source = "Barchet-Estefanel, Mounie 2005, table 2"
    openmpi = 2
    mpich = "binomial"

    def messages(self, call: Call) -> Messages:
        """The blocks of a subtree stand behind each other, from its own root on."""
        return tree_messages(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return tree_seconds(net, call.n, call.m)


def tree_messages(n: int, block_bytes: Ints) -> Messages:
    tree = knomial(n, 2)
    carries = Spans(tree.child, knomial_subtrees(n, 2), n)
    return Messages(n, tree.parent, tree.child, tree.step, carries, block_bytes)


def tree_seconds(net: PLogP, n: int, m: ArrayLike) -> Floats:
    """F(n) for blocks of `m` bytes."""
    size = np.asarray(m)
    return np.asarray(
        knomial_seconds(
            n, 2, lambda ranks: net.gap_at(ranks * size), lambda ranks: net.latency_at(ranks * size)
        )
    )
