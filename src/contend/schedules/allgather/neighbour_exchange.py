"""Neighbour exchange.

Source: Chen, Zhang, Zhang, Yuan, "Performance evaluation of allgather algorithms on terascale Linux
cluster with Fast Ethernet", HPC Asia 2005; Open MPI coll/base allgather neighbor exchange.
Idea: ranks exchange with one neighbour and the other in turn, first their own block, then always
the two blocks that they got last.
Cost: g(m) + L + (P/2 - 1) (g(2 m) + L).
Restrictions: P even.
"""

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.exchange import rounds
from contend.schedules.messages import Messages, Spans, require_few


class NeighbourExchange(Algorithm):
    title = "neighbour exchange"
    source = "Chen et al. 2005"
    openmpi = 5

    def restriction(self, n: int) -> InvalidInputError | None:
        """An even number; one rank has nothing to do."""
        if n % 2 == 0 or n == 1:
            return None
        return InvalidInputError(
            f"allgather neighbour_exchange needs an even number of ranks, got {n}", "try 'ring'"
        )

    def messages(self, call: Call) -> Messages:
        """A turn with one block, the others with the pair that came in the turn before."""
        require_few(call.n * call.n // 2)
        turn, rank = np.arange(call.n // 2)[:, None], np.arange(call.n)
        is_even = rank % 2 == 0
        dst = np.where(is_even == (turn % 2 == 0), rank + 1, rank - 1) % call.n
        pair = rank - rank % 2  # the pair of blocks that a rank has after the first turn
        offset = np.where(turn % 2 == 1, turn - 1, -turn)  # of the pair that came last
        last = pair + np.where(is_even, offset, -offset)
        first = np.where(turn == 0, rank, last) % call.n
        count = np.where(turn == 0, 1, 2) + 0 * rank
        carries = Spans(first.ravel(), count.ravel(), call.n)
        return rounds(dst, carries, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        once, twice = net.seconds(call.m), net.seconds(2 * np.asarray(call.m))
        return np.asarray(once + (call.n // 2 - 1) * twice)
