"""Any number of ranks for a reduction that needs a power of two.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.5.
Idea: of P = M + q ranks, M the largest power of two, the first 2 q meet in pairs: the odd one hands
its vector to the even one before, and gets the result after if it wants it.
Cost: at most g(m) + L more than with M ranks, as much again if the odd ranks want the result, and
nothing for a power of two.
"""

from dataclasses import replace

import numpy as np

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Call
from contend.schedules.messages import Messages, Spans


def core(n: int) -> int:
    """M, the largest power of two up to n."""
    return 1 << (n.bit_length() - 1)


def core_call(call: Call) -> Call:
    """The call for the M ranks that are left."""
    return replace(call, n=core(call.n))


def folded(n: int, inner: Messages, hands_back: bool = True) -> Messages:
    """The messages of M ranks for n ranks, the first 2 (n - M) in pairs; rank 0 is among the M."""
    extra = n - inner.ranks
    rank = np.arange(inner.ranks)
    member = np.where(rank < extra, 2 * rank, rank + extra)
    even, blocks = 2 * np.arange(extra), inner.block_bytes.size
    whole = Spans(even * 0, even * 0 + blocks, blocks)
    before = Messages(n, even + 1, even, even * 0, whole, inner.block_bytes, combines=True)
    between = replace(inner, ranks=n, src=member[inner.src], dst=member[inner.dst])
    after = replace(before, src=even, dst=even + 1, combines=False)
    return before.then(between).then(after) if hands_back else before.then(between)


def nearest_first(inner: Messages) -> Messages:
    """The messages of M ranks with the bits of each rank's number in reverse order.

    What went to the farthest rank first, with most bytes, goes to the nearest then, as in the
    libraries: the longest way is for the shortest message.
    """
    member = np.zeros(inner.ranks, dtype=np.int64)
    for bit in range(inner.ranks.bit_length() - 1):
        member = 2 * member + (np.arange(inner.ranks) >> bit & 1)
    return replace(inner, src=member[inner.src], dst=member[inner.dst])


def folding_seconds(net: PLogP, call: Call, hands_back: bool = True) -> Floats:
    """What the pairs take."""
    turns = (1 + hands_back) * (call.n != core(call.n))
    return turns * net.seconds(call.m)
