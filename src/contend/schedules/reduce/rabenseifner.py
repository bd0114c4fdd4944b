"""Rabenseifner.

Source: Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
Idea: the vector is cut in P parts, reduced by recursive halving so that each rank has a part of the
result, and the parts are gathered up a binomial tree.
Cost: 2 sum_i (g(2^i b) + L), i from 0 to log2(P) - 1, b = m/P; where P does not divide m an upper
bound with b = ceil(m/P).
Restrictions: P a power of two. Combining takes no time.
"""

import numpy as np

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call, Claim, power_of_two
from contend.schedules.exchange import powers
from contend.schedules.messages import Messages
from contend.schedules.parts import halving_reduce_scatter
from contend.schedules.scatter import binomial


class Rabenseifner(Algorithm):
    """Reduce in parts, then gather."""

    name = "rabenseifner"
    collective = "reduce"
    title = "Rabenseifner"
    source = "Rabenseifner 2004"
    openmpi = 7
    mpich = "reduce_scatter_gather"

    def restriction(self, n: int) -> InvalidInputError | None:
        """A power of two."""
        return power_of_two(self, n, "binomial")

    def messages(self, call: Call) -> Messages:
        """Halving, then up the tree."""
        parts = call.parts()
        gather = binomial.tree_messages(call.n, parts).mirrored()
        return halving_reduce_scatter(call.n, parts).then(gather)

    def cost(self, net: PLogP, call: Call) -> Floats:
        """Both phases take the same time."""
        sizes = np.multiply.outer(powers(call.n), call.part)
        phase = net.gap_at(sizes).sum(axis=0) + powers(call.n).size * float(net.latency)
        return np.asarray(2 * phase)

    def claim(self, call: Call) -> Claim:
        """Exact for equal parts."""
        return "exact" if call.is_even else "upper bound"
