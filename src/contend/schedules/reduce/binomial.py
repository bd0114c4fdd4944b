"""Binomial tree.

Source: MPICH `reduce_intra_binomial`; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.5.
Idea: in every turn half of the ranks that are left send what they have to the one before them.
Cost: F(P) = g(m) + max(L + F(P-M), F(M)), M the largest power of two below P; for P a power of two
log2(P) (g(m) + L).
Restrictions: none. Combining takes no time.
"""

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.trees import knomial, knomial_seconds


class Binomial(Algorithm):
    """Near ranks first, the mirror image of a tree that sends to far ranks first."""

    title = "binomial tree"
    source = "Thakur, Rabenseifner, Gropp 2005"
    openmpi = 5
    mpich = "binomial"

    def messages(self, call: Call) -> Messages:
        return knomial(call.n, 2).messages(ints([call.m])).mirrored(combines=True)

    def cost(self, net: PLogP, call: Call) -> Floats:
        gap, latency = net.gap_at(call.m), net.latency_at(call.m)
        down = knomial_seconds(call.n, 2, lambda _: gap, lambda _: latency)
        return gap * 0 + down
