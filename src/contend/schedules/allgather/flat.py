"""Flat tree.

Source: Open MPI coll/base `ompi_coll_base_allgather_intra_basic_linear`.
Idea: one rank gathers all blocks, and sends all of them to one rank after the other.
Cost: (P-1) (g(m) + g(P m)) + 2 L.
Restrictions: none. It counts that the root receives one message at a time.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.parts import star_allgather


class Flat(Algorithm):
    title = "flat tree"
    source = "Open MPI"
    openmpi = 1
    repeats = True

    def messages(self, call: Call) -> Messages:
        return star_allgather(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        gather = (call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m)
        every = call.n * call.m
        return gather + (call.n - 1) * net.gap_at(every) + net.latency_at(every)
