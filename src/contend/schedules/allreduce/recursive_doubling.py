"""Recursive doubling.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.5.
Idea: in turn i ranks r and r XOR 2^i exchange what they have and combine both. Of P = M + q ranks,
M the largest power of two, the first 2 q ranks meet in pairs: one of each hands its vector to the
other before, and gets the result after.
Cost: log2(M) (g(m) + L), and at most 2 (g(m) + L) more where P is no power of two.
Restrictions: an operation that commutes. Combining takes no time.
"""

import numpy as np

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call, Claim
from contend.schedules.exchange import paired, powers
from contend.schedules.messages import Messages, Spans
from contend.schedules.ragged import Ints, ints


class RecursiveDoubling(Algorithm):
    """Exchange with r XOR 2^i."""

    name = "recursive_doubling"
    collective = "allreduce"
    title = "recursive doubling"
    source = "Thakur, Rabenseifner, Gropp 2005"
    openmpi = 3
    mpich = "recursive_doubling"

    def messages(self, call: Call) -> Messages:
        """Even ranks of the first pairs hand over, the others exchange, the even ones get it."""
        core = 1 << (call.n.bit_length() - 1)
        extra = call.n - core
        even = 2 * np.arange(extra)
        member = np.where(np.arange(core) < extra, 2 * np.arange(core) + 1, np.arange(core) + extra)
        distance = powers(core)
        src, dst = np.tile(member, distance.size), member[paired(core, distance)].ravel()
        before = _turns(call, even, even + 1, even * 0, combines=True)
        between = _turns(call, src, dst, np.repeat(np.arange(distance.size), core), combines=True)
        return before.then(between).then(_turns(call, even + 1, even, even * 0, combines=False))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """log2(M) + 2 turns."""
        turns = call.n.bit_length() - 1 + 2 * (call.n & (call.n - 1) > 0)
        return turns * (net.gap_at(call.m) + float(net.latency))

    def claim(self, call: Call) -> Claim:
        """With few pairs no path goes through every turn at its latest."""
        return "upper bound" if call.n & (call.n - 1) else "exact"


def _turns(call: Call, src: Ints, dst: Ints, step: Ints, combines: bool) -> Messages:
    """Messages of the whole vector."""
    whole = Spans(src * 0, src * 0 + 1, 1)
    return Messages(call.n, src, dst, step, whole, ints([call.m]), combines=combines)
