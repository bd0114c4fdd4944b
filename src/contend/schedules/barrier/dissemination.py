"""Dissemination.

Source: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", IJPP 17(1), 1988.
Idea: in turn i every rank tells r + 2^i that it, and all that it knows of, have arrived.
Cost: ceil(log2 P) (g(0) + L).
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.exchange import powers, rotated, rounds
from contend.schedules.messages import Messages, Spans


class Dissemination(Algorithm):
    title = "dissemination"
    source = "Hensgen, Finkel, Manber 1988"
    openmpi = 4
    mpich = "k_dissemination k=2"

    def messages(self, call: Call) -> Messages:
        """A rank knows of itself and the 2^i - 1 before it."""
        distance = powers(call.n)
        first = np.arange(call.n) - distance[:, None] + 1
        carries = Spans((first % call.n).ravel(), np.repeat(distance, call.n), call.n)
        return rounds(rotated(call.n, distance), carries, ints([0] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return powers(call.n).size * net.seconds(0)
