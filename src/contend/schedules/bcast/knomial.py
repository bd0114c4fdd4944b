"""K-nomial tree.

Source: Open MPI coll/base `ompi_coll_base_bcast_intra_knomial`; MPICH tree of type knomial.
Idea: as the binomial tree, but in a round each rank sends to k - 1 others; far ranks first.
Cost: for P = k^h h ((k-1) g(m) + L); else F(P) = max over the last two of the c children of the
root with M = k^(h-1) ranks below each: c g(m) + max(L + F(P - c M), F(M)), and
(c-1) g(m) + L + F(M).
Restrictions: none.
"""

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP, ints
from contend.schedules.trees import knomial, knomial_seconds


class KNomial(Algorithm):
    title = "k-nomial tree"
    source = "Open MPI, MPICH"
    options = ("degree",)
    openmpi = 7
    mpich = "tree tree_type=knomial_1 k={degree}"

    def messages(self, call: Call) -> Messages:
        return knomial(call.n, _radix(call)).messages(ints([call.m]))

    def cost(self, net: PLogP, call: Call) -> Floats:
        gap, latency = net.gap_at(call.m), net.latency_at(call.m)
        down = knomial_seconds(call.n, _radix(call), lambda _: gap, lambda _: latency)
        return gap * 0 + down


def _radix(call: Call) -> int:
    if call.degree < 2:
        raise InvalidInputError(
            f"a k-nomial tree of radix {call.degree}", "give degree >= 2, or try 'chain'"
        )
    return call.degree
