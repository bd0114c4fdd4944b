"""Ring.

Source: Open MPI coll/base `ompi_coll_base_reduce_scatter_intra_ring`; Patarasuk, Yuan, JPDC 2009.
Idea: each block travels once round the ring, while the ranks add theirs, to the rank that wants it.
Cost: (P-1) (g(m) + L).
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call
from contend.schedules.messages import Messages
from contend.schedules.parts import ring_reduce_scatter
from contend.schedules.ragged import ints


class Ring(Algorithm):
    """Once round the ring."""

    name = "ring"
    collective = "reduce_scatter"
    title = "ring"
    source = "Patarasuk, Yuan 2009"

    def messages(self, call: Call) -> Messages:
        """Block r ends at rank r."""
        return ring_reduce_scatter(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """(P-1) (g(m) + L)."""
        return (call.n - 1) * net.seconds(call.m)
