"""Rotated direct exchange of different sizes.

Source: MPICH `alltoallv_intra_scattered`.
Idea: rank r sends to r + 1, r + 2, ... and waits for nothing.
Cost: at least L + the larger of max_i sum_j g(m_ij) and max_j sum_i g(m_ij), the busiest port; for
equal sizes that is the time itself, (P-1) g(m) + L.
Restrictions: none. An empty message is sent as well.
"""

import numpy as np

from contend.schedules.algorithm import Call, Claim, Floats, PLogP
from contend.schedules.alltoall import rotated
from contend.schedules.vector import VectorAlgorithm


class Direct(VectorAlgorithm, rotated.Rotated):
    source = "MPICH"
    openmpi = None  # type: ignore[assignment]

    def cost(self, net: PLogP, call: Call) -> Floats:
        gap = net.gap_at(call.m) * ~np.eye(call.n, dtype=bool)
        busiest = np.maximum(gap.sum(axis=-1).max(axis=-1), gap.sum(axis=-2).max(axis=-1))
        others = np.where(np.eye(call.n, dtype=bool), np.inf, net.latency_at(call.m))
        return np.asarray(busiest + others.min(axis=(-2, -1)))

    def claim(self, call: Call) -> Claim:
        return "lower bound"
