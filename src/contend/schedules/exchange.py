"""Rounds in which every rank sends one message: what ring-like and all-to-all algorithms are.

Arrays have the shape (rounds, n), a row per round, a column per rank that sends.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.schedules.messages import Chosen, Messages, Spans, require_few
from contend.schedules.ragged_rows import Ints, ints


def rounds(
    dst: Ints,
    carries: Spans | Chosen,
    block_bytes: Ints,
    step: Ints | None = None,
    after: Ints | None = None,
    combines: bool | np.ndarray = False,
) -> Messages:
    """A message of every rank to `dst` in each round; rounds follow each other unless `step`."""
    count, n = dst.shape
    steps = np.arange(count) if step is None else step
    return Messages(
        ranks=n,
        src=np.tile(np.arange(n), count),
        dst=dst.ravel(),
        step=np.repeat(steps, n),
        carries=carries,
        block_bytes=block_bytes,
        after=None if after is None else np.repeat(after, n),
        combines=combines,
    )


def rotated(n: int, distances: Ints) -> Ints:
    """Rank r sends to r + d in the round of distance d; shape (rounds, n)."""
    require_few(n * len(distances))
    return ints((np.arange(n) + np.asarray(distances)[:, None]) % n)


def paired(n: int, distances: Ints) -> Ints:
    """Ranks r and r XOR d exchange in the round of distance d; shape (rounds, n)."""
    require_few(n * len(distances))
    return ints(np.arange(n) ^ np.asarray(distances, dtype=np.int64)[:, None])


def pair_bytes(n: int, m: ArrayLike) -> Ints:
    """Return the bytes of the blocks of an all-to-all, (n^2,): `m` of each pair, or a matrix."""
    require_few(n * n)
    return ints(np.broadcast_to(m, (n, n))).reshape(-1)


def pair_blocks(dst: Ints) -> Spans:
    """The block of each message of an all-to-all, numbered src n + dst."""
    n = dst.shape[1]
    block = (np.arange(n) * n + dst).ravel()
    return Spans(block, np.ones_like(block), n * n)


def powers(n: int, base: int = 2) -> Ints:
    """1, base, base^2, ... below n."""
    powers_below = [1]
    while powers_below[-1] * base < n:
        powers_below.append(powers_below[-1] * base)
    return ints(powers_below if n > 1 else [])
