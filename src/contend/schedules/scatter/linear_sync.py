"""Flat tree with synchronisation.

Source: the gather of that name of Open MPI coll/base, turned round.
Idea: the root sends the next block when the rank before has answered, so that one block is under
way at a time.
Cost: (P-1) (g(m) + g(0) + 2 L), the last answer included.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.messages import Messages, Spans


class LinearSync(Algorithm):
    """The root sends to everyone and waits for an answer each time."""

    title = "flat tree with synchronisation"
    source = "Open MPI"

    def messages(self, call: Call) -> Messages:
        """A block and an empty message back for each of the others."""
        child = np.repeat(np.arange(1, call.n), 2)
        is_block = np.arange(child.size) % 2 == 0
        return Messages(
            call.n,
            np.where(is_block, 0, child),
            np.where(is_block, child, 0),
            np.arange(child.size),
            Spans(child, ints(is_block), call.n),
            ints([call.m] * call.n),
        )

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (call.n - 1) * (net.seconds(call.m) + net.seconds(0))
