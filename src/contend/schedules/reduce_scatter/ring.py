"""Ring.

Source: Open MPI coll/base `ompi_coll_base_reduce_scatter_intra_ring`; Patarasuk, Yuan, JPDC 2009.
Idea: each block travels once round the ring, while the ranks add theirs, to the rank that wants it.
Cost: (P-1) (g(m) + L).
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.parts import ring_reduce_scatter


class Ring(Algorithm):
    title = "ring"
    source = "Patarasuk, Yuan 2009"

    def messages(self, call: Call) -> Messages:
        return ring_reduce_scatter(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.seconds(call.m)
