"""Scatter and ring all-gather.

Source: Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, "Interprocessor collective communication
library", 1994; MPICH `bcast_intra_scatter_ring_allgather`.
Idea: the message is cut in P parts of b = ceil(m/P) bytes, scattered down a binomial tree, and
gathered by all in a ring.
Cost: at most T_scatter(b) + (P-1) (g(b) + L), as if no rank began to gather before the
scatter has ended.
Restrictions: none. As in the libraries, ranks get parts again that they had passed on.
"""

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, Messages, PLogP
from contend.schedules.parts import ring_allgather
from contend.schedules.scatter import binomial


class ScatterRingAllgather(Algorithm):
    title = "scatter and ring all-gather"
    source = "Barnett et al. 1994"
    openmpi = 9
    mpich = "scatter_ring_allgather"
    repeats = True

    def messages(self, call: Call) -> Messages:
        """Those of the scatter, then those of the all-gather."""
        parts = call.parts()
        scatter = binomial.tree_messages(call.n, parts)
        return scatter.then(ring_allgather(call.n, parts))

    def cost(self, net: PLogP, call: Call) -> Floats:
        scatter = binomial.tree_seconds(net, call.n, call.part)
        gather = (call.n - 1) * net.seconds(call.part)
        return scatter + gather

    def claim(self, call: Call) -> Claim:
        """Ranks begin to gather as soon as they have their part."""
        return "upper bound"
