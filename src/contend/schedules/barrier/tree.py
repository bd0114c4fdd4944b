"""Tree.

Source: Open MPI coll/base `ompi_coll_base_barrier_intra_tree`.
Idea: up a binomial tree when all below have arrived, then down again.
Cost: 2 F(P), F(P) = g(0) + max(L + F(P-M), F(M)), M the largest power of two below P; for P a power
of two 2 log2(P) (g(0) + L).
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.messages import Messages, Spans
from contend.schedules.scatter import binomial
from contend.schedules.trees import knomial


class Tree(Algorithm):
    title = "binomial tree"
    source = "Open MPI"
    openmpi = 6

    def messages(self, call: Call) -> Messages:
        """A gather of nothing, then word of all."""
        nothing, tree = ints([0] * call.n), knomial(call.n, 2)
        everyone = Spans(tree.child * 0, tree.child * 0 + call.n, call.n)
        down = Messages(call.n, tree.parent, tree.child, tree.step, everyone, nothing)
        return binomial.tree_messages(call.n, nothing).mirrored().then(down)

    def cost(self, net: PLogP, call: Call) -> Floats:
        return np.asarray(2 * binomial.tree_seconds(net, call.n, 0))
