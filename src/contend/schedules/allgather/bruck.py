"""Bruck.

Source: Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997.
Idea: in turn i every rank sends its first 2^i blocks, or as many as are missing, to r - 2^i.
Cost: sum_i (g(min(2^i, P - 2^i) m) + L), i from 0 to ceil(log2 P) - 1.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Ints, PLogP, ints
from contend.schedules.exchange import powers, rotated, rounds
from contend.schedules.messages import Messages, Spans


class Bruck(Algorithm):
    title = "Bruck"
    source = "Bruck et al. 1997"
    openmpi = 2
    mpich = "brucks"

    def messages(self, call: Call) -> Messages:
        distance = powers(call.n)
        first = np.tile(np.arange(call.n), distance.size)
        carries = Spans(first, np.repeat(_counts(call.n), call.n), call.n)
        return rounds(rotated(call.n, -distance), carries, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        sizes = np.multiply.outer(_counts(call.n), call.m)
        return np.asarray(net.seconds(sizes).sum(axis=0))


def _counts(n: int) -> Ints:
    return np.minimum(powers(n), n - powers(n))
