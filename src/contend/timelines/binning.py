"""Intervals in bins of equal width: how much of each bin each activity takes, and of the whole."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.timelines.kinds import Activity
from contend.timelines.timeline import Timeline
from contend.traces.trace import Floats

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


MOST_ROWS = 512
KINDS = len(Activity)


@dataclass(frozen=True, eq=False)
class Binned:
    """Shares of activities by row and bin, (rows, bins, KINDS); a row is `step` ranks."""

    share: NDArray[np.float32]
    step: int


def binned(timeline: Timeline, bins: int) -> Binned:
    """A timeline in so many bins; ranks share rows where they are many."""
    step = -(-timeline.ranks // MOST_ROWS)
    rows = -(-timeline.ranks // step)
    share = np.zeros((rows, bins, KINDS), dtype=np.float32)
    row = timeline.rank // step
    waits = timeline.waiting > 0
    turn = timeline.begin + timeline.waiting  # from waiting to the call itself
    ranks_of = np.bincount(np.arange(timeline.ranks) // step, minlength=rows)[:, None]
    for kind in Activity:
        own = timeline.activity == kind
        begin, end, which = turn[own], timeline.end[own], row[own]
        if kind is Activity.WAITING:
            begin, end, which = timeline.begin[waits], turn[waits], row[waits]
        if begin.size:
            found = spread(which, begin, end, rows, timeline.seconds, bins)
            share[:, :, kind] = found / ranks_of
    return Binned(share, step)


def shares(timeline: Timeline) -> "dict[Activity, float]":
    """Share of the time of all ranks by activity, waiting apart; what is left is NOTHING."""
    length = timeline.end - timeline.begin - timeline.waiting
    total = np.bincount(timeline.activity, length, minlength=KINDS)
    total[Activity.WAITING] += timeline.waiting.sum()
    whole = timeline.seconds * timeline.ranks
    found = total / whole if whole else np.zeros(KINDS)
    found[Activity.NOTHING] = max(1.0 - found.sum(), 0.0)
    return {kind: float(found[kind]) for kind in Activity}
