"""Pairwise exchange.

Source: MPICH `alltoall_intra_pairwise` for powers of two; Thakur, Rabenseifner, Gropp 2005.
Idea: in turn d the ranks r and r XOR d exchange their blocks, and go on when both have.
Cost: (P-1) (g(m) + L).
Restrictions: P a power of two.
"""

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, power_of_two
from contend.schedules.exchange import pair_blocks, pair_bytes, paired, rounds


class Pairwise(Algorithm):
    title = "pairwise exchange"
    source = "Thakur, Rabenseifner, Gropp 2005"
    mpich = "pairwise"

    def restriction(self, n: int) -> InvalidInputError | None:
        return power_of_two(self, n, "ring")

    def messages(self, call: Call) -> Messages:
        """Distances 1 to n - 1, each turn after the one before."""
        dst = paired(call.n, np.arange(1, call.n))
        return rounds(dst, pair_blocks(dst), pair_bytes(call.n, call.m))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.seconds(call.m)
