"""Recursive doubling.

Source: Open MPI coll/base `ompi_coll_base_barrier_intra_recursivedoubling`.
Idea: in turn i ranks r and r XOR 2^i tell each other that all they know of have arrived. The ranks
beyond the largest power of two M fold: another speaks for them, and tells them at the end.
Cost: log2(M) (g(0) + L), and at most 2 (g(0) + L) more where P is no power of two.
Restrictions: none.
"""

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, Messages, PLogP, ints
from contend.schedules.exchange import powers
from contend.schedules.folding import core, folded_allgather, folding_seconds
from contend.schedules.parts import doubling_allgather


class RecursiveDoubling(Algorithm):
    title = "recursive doubling"
    source = "Open MPI"
    openmpi = 3

    def messages(self, call: Call) -> Messages:
        inner = doubling_allgather(core(call.n), ints([0] * core(call.n)))
        return folded_allgather(call.n, inner, ints([0] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        turns = powers(core(call.n)).size
        return turns * net.seconds(0) + folding_seconds(net, call)

    def claim(self, call: Call) -> Claim:
        """With few pairs no path goes through every turn at its latest."""
        return "exact" if call.n == core(call.n) else "upper bound"
