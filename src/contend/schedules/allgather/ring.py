"""Ring.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.1.
Idea: every rank passes on to the next what it got from the one before.
Cost: (P-1) (g(m) + L).
Restrictions: none.
"""

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call
from contend.schedules.messages import Messages
from contend.schedules.parts import ring_allgather
from contend.schedules.ragged import ints


class Ring(Algorithm):
    """Ring."""

    name = "ring"
    collective = "allgather"
    title = "ring"
    source = "Thakur, Rabenseifner, Gropp 2005"
    openmpi = 4
    mpich = "ring"

    def messages(self, call: Call) -> Messages:
        """Block r - t in turn t."""
        return ring_allgather(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """(P-1) (g(m) + L)."""
        return (call.n - 1) * net.seconds(call.m)
