"""Pairwise exchange.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.4; MPICH
`reduce_scatter_intra_pairwise`.
Idea: in turn d rank r sends its contribution to block r + d to that rank, while it receives one
from r - d and combines it.
Cost: (P-1) (g(m) + L).
Restrictions: an operation that commutes. Combining takes no time.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.exchange import rotated, rounds
from contend.schedules.messages import Messages, one_block


class Pairwise(Algorithm):
    title = "pairwise exchange"
    source = "Thakur, Rabenseifner, Gropp 2005"
    mpich = "pairwise"

    def messages(self, call: Call) -> Messages:
        """Distances 1 to n - 1, each turn after the one before."""
        dst = rotated(call.n, np.arange(1, call.n))
        carries = one_block(dst.ravel(), call.n)
        return rounds(dst, carries, ints([call.m] * call.n), combines=True)

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.seconds(call.m)
