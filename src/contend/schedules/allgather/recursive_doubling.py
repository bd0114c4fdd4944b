"""Recursive doubling.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.1.
Idea: in turn i ranks r and r XOR 2^i exchange all that they have.
Cost: sum_i (g(2^i m) + L), i from 0 to log2(P) - 1.
Restrictions: P a power of two.
"""

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints, power_of_two
from contend.schedules.exchange import powers
from contend.schedules.parts import doubling_allgather


class RecursiveDoubling(Algorithm):
    title = "recursive doubling"
    source = "Thakur, Rabenseifner, Gropp 2005"
    openmpi = 3
    mpich = "recursive_doubling"

    def restriction(self, n: int) -> InvalidInputError | None:
        return power_of_two(self, n, "bruck")

    def messages(self, call: Call) -> Messages:
        return doubling_allgather(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        sizes = np.multiply.outer(powers(call.n), call.m)
        return np.asarray(net.seconds(sizes).sum(axis=0))
