"""Scatter and recursive-doubling all-gather.

Source: Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, "Interprocessor collective communication
library", 1994; MPICH `bcast_intra_scatter_recursive_doubling_allgather`.
Idea: the message is cut in P parts of b = ceil(m/P) bytes, scattered down a binomial tree, and
gathered by all by recursive doubling.
Cost: at most T_scatter(b) + sum_i (g(2^i b) + L), as if no rank began to gather before
the scatter has ended.
Restrictions: P a power of two. As in the libraries, ranks get parts again that they had passed on.
"""

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, PLogP, power_of_two
from contend.schedules.exchange import powers
from contend.schedules.messages import Messages
from contend.schedules.parts import doubling_allgather
from contend.schedules.scatter import binomial


class ScatterDoublingAllgather(Algorithm):
    title = "scatter and recursive-doubling all-gather"
    source = "Barnett et al. 1994"
    openmpi = 8
    mpich = "scatter_recursive_doubling_allgather"
    repeats = True

    def restriction(self, n: int) -> InvalidInputError | None:
        return power_of_two(self, n, "scatter_ring_allgather")

    def messages(self, call: Call) -> Messages:
        """Those of the scatter, then those of the all-gather."""
        parts = call.parts()
        scatter = binomial.tree_messages(call.n, parts)
        return scatter.then(doubling_allgather(call.n, parts))

    def cost(self, net: PLogP, call: Call) -> Floats:
        scatter = binomial.tree_seconds(net, call.n, call.part)
        sizes = np.multiply.outer(powers(call.n), call.part)
        gather = net.seconds(sizes).sum(axis=0)
        return np.asarray(scatter + gather)

    def claim(self, call: Call) -> Claim:
        """Ranks begin to gather as soon as they have their part."""
        return "upper bound"
