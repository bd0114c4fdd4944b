"""Direct exchange, destinations in order of rank.

Source: Barchet-Estefanel, Mounie, RenPar 2005, section 5 ("echange direct").
Idea: every rank sends its blocks to rank 0, 1, 2, ... and waits for nothing.
Cost: (2P-3) g(m) + L: all send to the same rank at once, and the last rank begins to receive when
it has sent its own. The paper's lower bound, (P-1) g(m) + L, is that of the rotated exchange.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.exchange import pair_blocks, pair_bytes, rounds


class Direct(Algorithm):
    title = "direct exchange"
    source = "Barchet-Estefanel, Mounie 2005, section 5"

    def messages(self, call: Call) -> Messages:
        """In round t rank r sends to t, or to t + 1 from its own number on."""
        sizes = pair_bytes(call.n, call.m)
        turn = np.arange(call.n - 1)[:, None]
        dst = turn + (turn >= np.arange(call.n))
        step = np.arange(call.n - 1)
        return rounds(dst, pair_blocks(dst), sizes, step, step * 0 - 1)

    def cost(self, net: PLogP, call: Call) -> Floats:
        return (2 * call.n - 3) * net.gap_at(call.m) + net.latency_at(call.m)
