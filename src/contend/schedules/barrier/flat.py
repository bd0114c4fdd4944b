"""Flat tree.

Source: Open MPI coll/base `ompi_coll_base_barrier_intra_basic_linear`.
Idea: all tell one rank that they have arrived, and it tells one after the other that all have.
Cost: 2 ((P-1) g(0) + L).
Restrictions: none. It counts that the root receives one message at a time.
"""

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call
from contend.schedules.messages import Messages
from contend.schedules.parts import star_allgather
from contend.schedules.ragged import ints


class Flat(Algorithm):
    """By way of one rank."""

    name = "flat"
    collective = "barrier"
    title = "flat tree"
    source = "Open MPI"
    openmpi = 1

    def messages(self, call: Call) -> Messages:
        """An all-gather of nothing."""
        return star_allgather(call.n, ints([0] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """To the root and back."""
        return 2 * ((call.n - 1) * net.gap_at(0) + net.latency_at(0))
