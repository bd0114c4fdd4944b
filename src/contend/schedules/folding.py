"""Any number of ranks for a reduction that needs a power of two.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.5.
Idea: of P = M + q ranks, M the largest power of two, the first 2 q meet in pairs: the odd one hands
its vector to the even one before, and gets the result after if it wants it.
Cost: at most g(m) + L more than with M ranks, as much again if the odd ranks want the result, and
nothing for a power of two.
"""

from dataclasses import replace

import numpy as np

from contend.base.document import Floats
from contend.schedules.algorithm import Call
from contend.schedules.messages import Messages, Spans, one_block
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, ints


def core(n: int) -> int:
    """M, the largest power of two up to n."""
    return 1 << (n.bit_length() - 1)


def core_call(call: Call) -> Call:
    """The call for the M ranks that are left."""
    return replace(call, n=core(call.n))


def folded(n: int, inner: Messages, hands_back: bool = True) -> Messages:
    """The messages of M ranks for n ranks, the first 2 (n - M) in pairs; rank 0 is among the M."""
    before = _within_pairs(n, inner, _whole(n - inner.ranks, inner.block_bytes.size), True)
    both = before.then(_among_even(n, inner))
    return both.then(_answered(before)) if hands_back else both


def folded_reduce_scatter(n: int, inner: Messages, block_bytes: Ints) -> Messages:
    """The same where M blocks are spread over M ranks: a pair's two are its own of n blocks."""
    inner = _blocks_of_pairs(n, inner, block_bytes)
    before = _within_pairs(n, inner, _whole(n - inner.ranks, n), True)
    after = _within_pairs(n, inner, _of_odd(n - inner.ranks, n), False)
    return before.then(_among_even(n, inner)).then(_answered(after))


def folded_allgather(n: int, inner: Messages, block_bytes: Ints) -> Messages:
    """The same where M ranks gather M blocks."""
    inner = _blocks_of_pairs(n, inner, block_bytes)
    before = _within_pairs(n, inner, _of_odd(n - inner.ranks, n), False)
    after = _within_pairs(n, inner, _whole(n - inner.ranks, n), False)
    return before.then(_among_even(n, inner)).then(_answered(after))


def _within_pairs(n: int, inner: Messages, carries: Spans, combines: bool) -> Messages:
    """From the odd rank of each pair to the even one."""
    even = 2 * np.arange(n - inner.ranks)
    return Messages(n, even + 1, even, even * 0, carries, inner.block_bytes, combines=combines)


def _answered(before: Messages) -> Messages:
    return replace(before, src=before.dst, dst=before.src, combines=False)


def _whole(pairs: int, blocks: int) -> Spans:
    none = np.zeros(pairs, dtype=np.int64)
    return Spans(none, none + blocks, blocks)


def _of_odd(pairs: int, blocks: int) -> Spans:
    return one_block(2 * np.arange(pairs) + 1, blocks)


def _among_even(n: int, inner: Messages) -> Messages:
    """The messages of the M ranks that are left, which keep the numbers that they have in n."""
    extra, rank = n - inner.ranks, np.arange(inner.ranks)
    member = np.where(rank < extra, 2 * rank, rank + extra)
    return replace(inner, ranks=n, src=member[inner.src], dst=member[inner.dst])


def _blocks_of_pairs(n: int, inner: Messages, block_bytes: Ints) -> Messages:
    """The messages with n blocks in place of M: two of each pair."""
    if not isinstance(inner.carries, Spans):
        raise TypeError("only messages that carry spans can carry those of pairs")
    first, count = inner.carries.first, inner.carries.count
    start = blocks_until(n, np.arange(inner.ranks + 1))
    carries = Spans(start[first], start[first + count] - start[first], n)
    return replace(inner, carries=carries, block_bytes=block_bytes)


def blocks_until(n: int, member: Ints) -> Ints:
    """How many of n blocks those of M ranks have that come before each `member`."""
    return ints(member + np.minimum(member, n - core(n)))


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
    turns = (1 + hands_back) * (call.n != core(call.n))
    return turns * net.seconds(call.m)
