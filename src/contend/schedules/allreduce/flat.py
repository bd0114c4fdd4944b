"""Flat tree.

Source: Open MPI coll/base `ompi_coll_base_allreduce_intra_basic_linear`.
Idea: all send their vector to one rank, which sends the result to one rank after the other.
Cost: 2 ((P-1) g(m) + L).
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.bcast import flat


class Flat(Algorithm):
    title = "flat tree"
    source = "Open MPI"
    openmpi = 1

    def messages(self, call: Call) -> Messages:
        down = flat.Flat().messages(call)
        return down.mirrored(combines=True).then(down)

    def cost(self, net: PLogP, call: Call) -> Floats:
        return 2 * ((call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m))
