"""Ring.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.1.
Idea: every rank passes on to the next what it got from the one before.
Cost: (P-1) (g(m) + L).
Restrictions: none.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.parts import ring_allgather


class Ring(Algorithm):
    title = "ring"
    source = "Thakur, Rabenseifner, Gropp 2005"
    openmpi = 4
    mpich = "ring"

    def messages(self, call: Call) -> Messages:
        return ring_allgather(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.seconds(call.m)
