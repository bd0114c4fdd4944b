"""Rabenseifner.

Source: Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
Idea: the vector is cut in M parts, reduced by recursive halving so that each rank has a part of the
result, first with the nearest rank, last with the farthest; and the parts are gathered by all by
recursive doubling.
Ranks beyond the largest power of two M fold: they hand their vector to another before, and get the
result after.
Cost: 2 sum_i (g(2^i b) + L), i from 0 to log2(M) - 1, b = m/M, and at most 2 (g(m) + L) more where
P is no power of two; where M does not divide m an upper bound with b = ceil(m/M).
Restrictions: an operation that commutes. Combining takes no time.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, Messages, PLogP
from contend.schedules.exchange import powers
from contend.schedules.folding import core, core_call, folded, folding_seconds, nearest_first
from contend.schedules.parts import doubling_allgather, halving_reduce_scatter


class Rabenseifner(Algorithm):
    title = "Rabenseifner"
    source = "Rabenseifner 2004"
    openmpi = 6
    mpich = "reduce_scatter_allgather"

    def messages(self, call: Call) -> Messages:
        """Halving from the nearest rank on, then doubling from the farthest on."""
        ranks, parts = core(call.n), core_call(call).parts()
        gather = doubling_allgather(ranks, parts)
        inner = halving_reduce_scatter(ranks, parts).then(gather)
        return folded(call.n, nearest_first(inner))

    def cost(self, net: PLogP, call: Call) -> Floats:
        turns = powers(core(call.n))
        sizes = np.multiply.outer(turns, core_call(call).part)
        phase = net.seconds(sizes).sum(axis=0)
        return np.asarray(2 * phase + folding_seconds(net, call))

    def claim(self, call: Call) -> Claim:
        """Exact for a power of two and equal parts."""
        return "exact" if call.n == core(call.n) and call.is_even else "upper bound"
