"""Times of an exchange whose repetitions have a time-out or none: two modes, mean and median.

Idea: a repetition takes the clean time, or that and what its time-outs cost. The median is that of
the mode that holds half of the repetitions; the mean lies where hardly a repetition is.
Formula: with = clean + cost; mean = clean + share cost waits, `waits` the mean number of time-outs
of a repetition that has any; median = clean where share < 1/2, else with.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Columns, Floats
from contend.models.timeouts.record import Timeouts
from contend.models.timeouts.separate import known_cost
from contend.models.timeouts.share import share_of

COLUMNS = (
    "share", "share_low", "share_high", "with_timeout", "with_low", "with_high", "mean", "median"
)  # fmt: skip


def mixture(
    timeouts: Timeouts, n: ArrayLike, m: ArrayLike, clean: Floats, low: Floats, high: Floats
) -> Columns:
    """The columns `COLUMNS` of a table with a row per point: shares from 0 to 1, times in seconds.

    `clean` with `low` and `high` are the times without a time-out; shape (k,) as `n` and `m`.
    """
    share, share_low, share_high = share_of(timeouts.points).predict(n, m)
    cost = known_cost(timeouts)
    late = clean + cost.seconds
    values = (
        *(share, share_low, share_high),
        *(late, low + cost.low, high + cost.high),
        clean + share * cost.seconds * timeouts.waits,
        clean + (share >= 0.5) * cost.seconds,
    )
    return {name: np.asarray(column) for name, column in zip(COLUMNS, values, strict=True)}
