"""Flat tree.

Source: Open MPI coll/base `ompi_coll_base_barrier_intra_basic_linear`.
Idea: all tell one rank that they have arrived, and it tells one after the other that all have.
Cost: 2 ((P-1) g(0) + L).
Restrictions: none. It counts that the root receives one message at a time.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.parts import star_allgather


class Flat(Algorithm):
    title = "flat tree"
    source = "Open MPI"
    openmpi = 1

    def messages(self, call: Call) -> Messages:
        return star_allgather(call.n, ints([0] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return 2 * ((call.n - 1) * net.gap_at(0) + net.latency_at(0))
