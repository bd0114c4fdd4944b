"""Direct exchange of different sizes, destinations in order of rank.

Source: Open MPI 4.1.4 and 5.0.11, coll/base alltoallv basic_linear.
Idea: every rank sends to rank 0, 1, 2, ... and waits for nothing, so that all send to the same rank
at once.
Cost: at least L + the larger of max_i sum_j g(m_ij) and max_j (min_i S_ij + sum_i g(m_ij)), S_ij
what rank i sends before; for equal sizes that is the time itself, (2P-3) g(m) + L.
Restrictions: none. An empty message is sent as well, as by 4.1.4; 5.0.11 leaves it out.
"""

import numpy as np

from contend.schedules.algorithm import Call, Claim, Floats, PLogP
from contend.schedules.alltoall import direct
from contend.schedules.vector import VectorAlgorithm


class Linear(VectorAlgorithm, direct.Direct):
    title = "direct exchange in order of rank"
    source = "Open MPI"
    openmpi = 1

    def cost(self, net: PLogP, call: Call) -> Floats:
        itself = np.eye(call.n, dtype=bool)
        gap = net.gap_at(call.m) * ~itself
        before = np.where(itself, np.inf, np.cumsum(gap, axis=-1) - gap).min(axis=-2)
        busiest = np.maximum(
            gap.sum(axis=-1).max(axis=-1), (before + gap.sum(axis=-2)).max(axis=-1)
        )
        others = np.where(itself, np.inf, net.latency_at(call.m))
        return np.asarray(busiest + others.min(axis=(-2, -1)))

    def claim(self, call: Call) -> Claim:
        return "lower bound"
