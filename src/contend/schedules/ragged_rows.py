"""Rows of different lengths in two arrays: offsets (rows + 1,) and values (CSR)."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]


def ints(values: object) -> Ints:
    return np.asarray(values, dtype=np.int64)


def offsets_of(count: Ints) -> Ints:
    """Where each of the rows of `count` values begins, and the end; shape (rows + 1,).

    >>> offsets_of(np.array([2, 0, 1])).tolist()
    [0, 2, 2, 3]
    """
    return np.concatenate([[0], np.cumsum(count, dtype=np.int64)])


def runs(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Offsets and values of the rows first, first + 1, ... of `count` values each.

    >>> [part.tolist() for part in runs(np.array([7, 3]), np.array([2, 1]))]
    [[0, 2, 3], [7, 8, 3]]
    """
    offsets = offsets_of(count)
    values = np.repeat(first - offsets[:-1], count) + np.arange(offsets[-1])
    return offsets, values


def rows_of(offsets: Ints, values: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Offsets and values of the chosen rows, in the order of `rows`."""
    chosen, at = runs(offsets[rows], offsets[rows + 1] - offsets[rows])
    return chosen, values[at]
