"""Ring.

Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
JPDC 69(2), 2009.
Idea: the vector is cut in P parts; each travels once round the ring while the ranks add theirs, and
once more to let all know.
Cost: 2 (P-1) (g(b) + L), b = m/P; where P does not divide m an upper bound with b = ceil(m/P).
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, Messages, PLogP
from contend.schedules.parts import ring_allgather, ring_reduce_scatter


class Ring(Algorithm):
    title = "ring"
    source = "Patarasuk, Yuan 2009"
    openmpi = 4
    mpich = "ring"

    def messages(self, call: Call) -> Messages:
        parts = call.parts()
        return ring_reduce_scatter(call.n, parts).then(ring_allgather(call.n, parts))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return 2 * (call.n - 1) * net.seconds(call.part)

    def claim(self, call: Call) -> Claim:
        return "exact" if call.is_even else "upper bound"
