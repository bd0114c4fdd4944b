"""Intervals in bins of equal width: how much of each bin each activity takes, and of the whole."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.timelines.kinds import Activity
from contend.timelines.spread import spread
from contend.timelines.timeline import Timeline

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
