"""Pairwise exchange of different sizes, as a ring.

Source: Open MPI coll/base alltoallv pairwise.
Idea: in turn d rank r sends to r + d while it receives from r - d, and goes on when both are done.
Cost: at most sum_d max_r g(m_{r,r+d}) + (P-1) L, as if every turn waited for its longest message;
for equal sizes that is the time itself, (P-1) (g(m) + L).
Restrictions: none. An empty message is sent as well.
"""

import numpy as np

from contend.schedules.algorithm import Call, Floats, PLogP
from contend.schedules.alltoall import ring
from contend.schedules.exchange import rotated
from contend.schedules.vector import VectorAlgorithm


class Pairwise(VectorAlgorithm, ring.Ring):
    title = "pairwise exchange"
    source = "Open MPI"
    mpich = None

    def cost(self, net: PLogP, call: Call) -> Floats:
        dst = rotated(call.n, np.arange(1, call.n))
        turns = np.asarray(call.m)[..., np.arange(call.n), dst].max(axis=-1)
        return np.asarray(net.seconds(turns).sum(axis=-1))
