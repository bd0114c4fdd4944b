"""Groups of ranks that the tests of the exchange go through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from contend.schedules.groups import Groups


def in_order(*sizes: int) -> Groups:
    """Groups one after the other.

    >>> in_order(1, 2)
    (0, 1, 1)
    """
    return tuple(np.repeat(np.arange(len(sizes)), sizes).tolist())


def interleaved(*sizes: int) -> Groups:
    """Groups that take turns as long as they have ranks.

    >>> interleaved(1, 3)
    (0, 1, 1, 1)
    """
    turns = [(turn, group) for group, size in enumerate(sizes) for turn in range(size)]
    return tuple(group for _, group in sorted(turns))


def numbered(groups: Groups) -> Groups:
    """Groups numbered in the order of their lowest ranks, as the library does.

    >>> numbered((2, 0, 2, 1))
    (0, 1, 0, 2)
    """
    first = list(dict.fromkeys(groups))
    return tuple(first.index(group) for group in groups)


def groupings() -> Iterator[Groups]:
    """Two groups of up to nine ranks, three, interleaved and at random."""
    pairs = [(a, b) for a, b in product(range(1, 9), repeat=2) if a + b <= 9]
    yield from (in_order(*pair) for pair in pairs)
    yield from (interleaved(*pair) for pair in pairs if min(pair) > 1)
    triples = [sizes for sizes in product(range(1, 5), repeat=3) if sum(sizes) <= 7]
    yield from (in_order(*sizes) for sizes in triples)
    draw = np.random.default_rng(5)
    for _ in range(20):
        ranks, count = int(draw.integers(4, 13)), int(draw.integers(2, 6))
        yield numbered(tuple(draw.integers(0, count, ranks).tolist()))
