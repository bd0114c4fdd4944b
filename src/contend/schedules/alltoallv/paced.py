"""Paced direct exchange of different sizes.

Source: this project.
Idea: the messages of the all-to-all of this name, with the bytes of their blocks.
Cost: at most (R + c) max g(m_ij) and the L and waits of the all-to-all of the longest message; for
equal sizes that of the all-to-all.
Restrictions: none. An empty message is sent as well.
"""

from dataclasses import replace

import numpy as np

from contend.schedules.algorithm import Call, Floats, PLogP
from contend.schedules.alltoall import paced
from contend.schedules.vector import VectorAlgorithm


class Paced(VectorAlgorithm, paced.Paced):
    def cost(self, net: PLogP, call: Call) -> Floats:
        sizes = np.where(np.eye(call.n, dtype=bool), 0, call.m)
        return self.equal_cost(net, replace(call, m=sizes.max(axis=(-2, -1))))
