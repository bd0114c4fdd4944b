"""Recursive doubling.

Source: Open MPI coll/base `ompi_coll_base_barrier_intra_recursivedoubling`.
Idea: in turn i ranks r and r XOR 2^i tell each other that all they know of have arrived.
Cost: log2(P) (g(0) + L).
Restrictions: P a power of two.
"""

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call, power_of_two
from contend.schedules.exchange import powers
from contend.schedules.messages import Messages
from contend.schedules.parts import doubling_allgather
from contend.schedules.ragged import ints


class RecursiveDoubling(Algorithm):
    """With r XOR 2^i."""

    name = "recursive_doubling"
    collective = "barrier"
    title = "recursive doubling"
    source = "Open MPI"
    openmpi = 3

    def restriction(self, n: int) -> InvalidInputError | None:
        """A power of two."""
        return power_of_two(self, n, "dissemination")

    def messages(self, call: Call) -> Messages:
        """An all-gather of nothing."""
        return doubling_allgather(call.n, ints([0] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """log2(P) (g(0) + L)."""
        return powers(call.n).size * net.seconds(0)
