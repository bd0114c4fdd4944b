"""Intervals in bins of equal width: how much of each bin each activity takes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.timelines.kinds import Activity
from contend.timelines.spread import spread
from contend.timelines.timeline import Timeline

MOST_ROWS = 512
MOST_CELLS = 300_000  # of which a page holds two bytes each
MOST_BINS = 4096
KINDS = len(Activity)


@dataclass(frozen=True, eq=False)
class Binned:
    """Shares of activities by row and bin, (rows, bins, KINDS); a row is `step` ranks."""

    share: NDArray[np.float32]
    step: int


def binned(timeline: Timeline, most_cells: int = MOST_CELLS, most_bins: int = MOST_BINS) -> Binned:
    """A timeline in as many bins as a page can hold; ranks share rows where they are many."""
    step = -(-timeline.ranks // MOST_ROWS)
    rows = -(-timeline.ranks // step)
    bins = int(min(most_bins, max(most_cells // rows, 1)))
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
