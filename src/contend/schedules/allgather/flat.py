"""Flat tree.

Source: Open MPI coll/base `ompi_coll_base_allgather_intra_basic_linear`.
Idea: one rank gathers all blocks, and sends all of them to one rank after the other.
Cost: (P-1) (g(m) + g(P m)) + 2 L.
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
    collective = "allgather"
    title = "flat tree"
    source = "Open MPI"
    openmpi = 1
    repeats = True

    def messages(self, call: Call) -> Messages:
        """A gather, then a broadcast of all."""
        return star_allgather(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """Those of both."""
        gather = (call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m)
        every = call.n * call.m
        return gather + (call.n - 1) * net.gap_at(every) + net.latency_at(every)
