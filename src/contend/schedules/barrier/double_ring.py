"""Double ring.

Source: Open MPI coll/base `ompi_coll_base_barrier_intra_doublering`.
Idea: word goes once round the ring, from each rank when it has arrived, and once more when all
have.
Cost: 2 P (g(0) + L).
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.messages import Messages, Spans


class DoubleRing(Algorithm):
    title = "double ring"
    source = "Open MPI"
    openmpi = 2
    repeats = True

    def messages(self, call: Call) -> Messages:
        """Return messages that count arrivals so far in the first round, and all in the second."""
        turn = np.arange(2 * call.n if call.n > 1 else 0)
        arrivals = Spans(turn * 0, np.minimum(turn + 1, call.n), call.n)
        nothing = ints([0] * call.n)
        return Messages(call.n, turn % call.n, (turn + 1) % call.n, turn, arrivals, nothing)

    def cost(self, net: PLogP, call: Call) -> Floats:
        return 2 * call.n * net.seconds(0)
