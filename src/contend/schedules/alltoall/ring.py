"""Ring exchange: what Open MPI calls pairwise.

Source: Open MPI coll/base `ompi_coll_base_alltoall_intra_pairwise`; MPICH's pairwise for P that are
no power of two.
Idea: in turn d rank r sends to r + d while it receives from r - d, and goes on when both are done.
Cost: (P-1) (g(m) + L).
Restrictions: none.
"""

from typing import ClassVar

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.exchange import pair_blocks, pair_bytes, rotated, rounds


class Ring(Algorithm):
    title = "ring exchange"
    source = "Open MPI, MPICH"
    openmpi = 2
    mpich: ClassVar[str | None] = "pairwise"

    def messages(self, call: Call) -> Messages:
        """Distances 1 to n - 1, each turn after the one before."""
        dst = rotated(call.n, np.arange(1, call.n))
        return rounds(dst, pair_blocks(dst), pair_bytes(call.n, call.m))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * net.seconds(call.m)
