"""Recursive halving.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.4; MPICH
`reduce_scatter_intra_recursive_halving`.
Idea: ranks exchange the halves that the other one keeps, then do so at half the distance.
Cost: sum_i (g(2^i m) + L), i from 0 to log2(P) - 1.
Restrictions: P a power of two; an operation that commutes. Combining takes no time.
"""

import numpy as np

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call, power_of_two
from contend.schedules.exchange import powers
from contend.schedules.messages import Messages
from contend.schedules.parts import halving_reduce_scatter
from contend.schedules.ragged import ints


class RecursiveHalving(Algorithm):
    """Half of the blocks in each turn."""

    name = "recursive_halving"
    collective = "reduce_scatter"
    title = "recursive halving"
    source = "Thakur, Rabenseifner, Gropp 2005"
    mpich = "recursive_halving"

    def restriction(self, n: int) -> InvalidInputError | None:
        """A power of two."""
        return power_of_two(self, n, "pairwise")

    def messages(self, call: Call) -> Messages:
        """From the largest distance to the smallest."""
        return halving_reduce_scatter(call.n, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """Sum of g(2^i m) + L."""
        sizes = np.multiply.outer(powers(call.n), call.m)
        return np.asarray(net.seconds(sizes).sum(axis=0))
