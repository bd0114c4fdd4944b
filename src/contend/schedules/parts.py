"""Building stones for data that are spread over the ranks: rank r has, or gets, block r of n.

All are for n blocks of which each rank ends or begins with its own; an all-gather, a scatter with
an all-gather behind it, a reduction by halves are made of them.
"""

import numpy as np

from contend.schedules.exchange import paired, powers, rotated, rounds
from contend.schedules.messages import Messages, Spans, one_block
from contend.schedules.ragged_rows import Ints


def ring_allgather(n: int, block_bytes: Ints) -> Messages:
    """In turn t rank r passes block r - t on to r + 1."""
    dst = rotated(n, np.ones(n - 1, dtype=np.int64))
    turn = np.arange(n - 1)[:, None]
    block = ((np.arange(n) - turn) % n).ravel()
    return rounds(dst, Spans(block, np.ones_like(block), n), block_bytes)


def star_allgather(n: int, block_bytes: Ints) -> Messages:
    """All send their block to rank 0, which then sends all blocks to one after the other."""
    rank, zero = np.arange(1, n), np.zeros(n - 1, dtype=np.int64)
    gathered = Messages(n, rank, zero, rank - 1, one_block(rank, n), block_bytes)
    return gathered.then(Messages(n, zero, rank, rank - 1, Spans(zero, zero + n, n), block_bytes))


def ring_reduce_scatter(n: int, block_bytes: Ints) -> Messages:
    """In turn t rank r passes block r - t - 1 on to r + 1, which adds its own; r ends with r."""
    dst = rotated(n, np.ones(n - 1, dtype=np.int64))
    turn = np.arange(n - 1)[:, None]
    block = ((np.arange(n) - turn - 1) % n).ravel()
    return rounds(dst, Spans(block, np.ones_like(block), n), block_bytes, combines=True)


def doubling_allgather(n: int, block_bytes: Ints) -> Messages:
    """In turn i ranks r and r XOR 2^i exchange the 2^i blocks that they have."""
    distance = powers(n)
    first = np.arange(n) & ~(distance[:, None] - 1)
    carries = Spans(first.ravel(), np.repeat(distance, n), n)
    return rounds(paired(n, distance), carries, block_bytes)


def halving_reduce_scatter(n: int, block_bytes: Ints) -> Messages:
    """In each turn ranks at half the distance exchange the halves that the other one keeps."""
    distance = powers(n)[::-1]
    dst = paired(n, distance)
    first = dst & ~(distance[:, None] - 1)
    return rounds(dst, Spans(first.ravel(), np.repeat(distance, n), n), block_bytes, combines=True)
