"""Recursive halving.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.4; MPICH
`reduce_scatter_intra_recursive_halving`.
Idea: ranks exchange the halves that the other one keeps, then do so at half the distance. The ranks
beyond the largest power of two M fold: they hand their vector to another before, and get their
block after.
Cost: sum_i (g(2^i m) + L), i from 0 to log2(M) - 1; where P is no power of two, at most
g(P m) + g(m) + 2 L more, and of the pairs' blocks too in each turn.
Restrictions: an operation that commutes. Combining takes no time.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, Messages, PLogP, ints
from contend.schedules.exchange import powers
from contend.schedules.folding import blocks_until, core, folded_reduce_scatter
from contend.schedules.parts import halving_reduce_scatter


class RecursiveHalving(Algorithm):
    title = "recursive halving"
    source = "Thakur, Rabenseifner, Gropp 2005"
    mpich = "recursive_halving"

    def messages(self, call: Call) -> Messages:
        inner = halving_reduce_scatter(core(call.n), ints([0] * core(call.n)))
        return folded_reduce_scatter(call.n, inner, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        blocks = blocks_until(call.n, powers(core(call.n)))
        turns = np.asarray(net.seconds(np.multiply.outer(blocks, call.m)).sum(axis=0))
        if call.n == core(call.n):
            return turns
        return np.asarray(turns + net.seconds(call.n * call.m) + net.seconds(call.m))

    def claim(self, call: Call) -> Claim:
        """With few pairs no path goes through every turn at its latest."""
        return "exact" if call.n == core(call.n) else "upper bound"
