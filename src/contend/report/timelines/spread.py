"""Intervals spread over bins of equal width."""

import numpy as np
from numpy.typing import NDArray

from contend.programs.traces.trace import Floats

Ints = NDArray[np.int64]


def over_time(begin: Floats, end: Floats, seconds: float, bins: int) -> Floats:
    """How many intervals there are at a time, the mean of each bin, (bins,).

    >>> over_time(np.array([0.0, 1.0]), np.array([2.0, 2.0]), 4.0, 4).tolist()
    [1.0, 2.0, 0.0, 0.0]
    """
    nothing = np.zeros(begin.size, dtype=np.int64)
    return np.asarray(spread(nothing, begin, end, 1, seconds, bins)[0])


def spread(row: Ints, begin: Floats, end: Floats, rows: int, seconds: float, bins: int) -> Floats:
    """Time of all intervals of a row within each bin, over the width of one: (rows, bins)."""
    if seconds <= 0:
        return np.zeros((rows, bins))
    first, last = (np.clip(time * (bins / seconds), 0.0, bins) for time in (begin, end))
    i, j = (np.minimum(place.astype(np.int64), bins - 1) for place in (first, last))
    # Up to the end of its first bin, up to its end in the last one, and all that lies between.
    at = row * bins
    size = rows * bins
    is_within = i == j
    low = np.bincount(at + i, np.where(is_within, last - first, i + 1 - first), size)
    high = np.bincount(at + j, np.where(is_within, 0.0, last - j), size)
    between = ~is_within
    wide = rows * (bins + 1)
    step: Ints = np.bincount((row * (bins + 1) + i + 1)[between], minlength=wide)
    step -= np.bincount((row * (bins + 1) + j)[between], minlength=wide)
    full = np.cumsum(step.reshape(rows, bins + 1), axis=1)[:, :bins]
    return np.asarray((low + high).reshape(rows, bins) + full)
