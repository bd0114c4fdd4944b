"""Rotated direct exchange of different sizes.

Source: Open MPI coll/base alltoallv basic_linear; MPICH `alltoallv_intra_scattered`.
Idea: rank r sends to r + 1, r + 2, ... and waits for nothing.
Cost: at least L + the larger of max_i sum_j g(m_ij) and max_j sum_i g(m_ij), the busiest port; for
equal sizes that is the time itself, (P-1) g(m) + L.
Restrictions: none. An empty message is sent as well.
"""

import numpy as np

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Call, Claim
from contend.schedules.exchange import pair_blocks, rotated, rounds
from contend.schedules.messages import Messages
from contend.schedules.vector import VectorAlgorithm, sizes_of


class Direct(VectorAlgorithm):
    """To r + 1, r + 2, ..."""

    name = "direct"
    collective = "alltoallv"
    title = "rotated direct exchange"
    source = "Open MPI, MPICH"
    openmpi = 1
    mpich = "scattered"

    def messages(self, call: Call) -> Messages:
        """Distances 1 to n - 1."""
        step = np.arange(call.n - 1)
        dst = rotated(call.n, step + 1)
        return rounds(dst, pair_blocks(dst), sizes_of(call), step, step * 0 - 1)

    def cost(self, net: PLogP, call: Call) -> Floats:
        """The busiest port, and L."""
        gap = net.gap_at(call.m) * ~np.eye(call.n, dtype=bool)
        busiest = np.maximum(gap.sum(axis=-1).max(axis=-1), gap.sum(axis=-2).max(axis=-1))
        others = np.where(np.eye(call.n, dtype=bool), np.inf, net.latency_at(call.m))
        return np.asarray(busiest + others.min(axis=(-2, -1)))

    def equal_cost(self, net: PLogP, call: Call) -> Floats:
        """All ports are as busy."""
        return (call.n - 1) * net.gap_at(call.m) + float(net.latency)

    def claim(self, call: Call) -> Claim:
        """Ports can wait for each other."""
        return "lower bound"
