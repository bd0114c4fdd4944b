"""What a retransmission time-out costs, told from repeated times alone.

Source: RFC 6298 (2011) for the wait, which no size and no number of processes changes.
Idea: where frames are lost, some repetitions of an exchange take as long as the others of the same
point and a time-out more. So there are points whose repetitions lie in two groups with nothing
between, and the way from one group to the other is the same at points of different times. Noise has
no such gap, and what makes an exchange so many times slower (a busy core, another route) has a gap
that grows with the time.
Cost: the median way between groups, over the points that agree on it: the time-out, and what is
sent again after it.
Restrictions: several points with both groups are needed, so that nothing is told where every
repetition waits, nor where fewer than `FEWEST_LATE` do. What stops a process for always the same
time, more often the longer an exchange takes, looks the same, however rare it is; what strikes
small exchanges as often as large ones is told apart. Waits below `SHORTEST` are not looked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from contend.document import Floats

SHORTEST = 0.01  # s; TCP within data centres is tuned down to it (Alizadeh et al., SIGCOMM 2010)
FEWEST_LATE = 5  # repetitions with a time-out, over all points
ALIKE = 1.25  # costs of two points agree within this factor
TIGHT = 3.0  # a gap is so many times as wide as the groups beside it
PRECISER = 2.0  # costs scatter less by this than the ratios of the groups do
AGREEING = 0.6  # of the repetitions beyond a gap
BY_CHANCE = 0.01  # chance that small exchanges are hit so much less often, if all were hit alike


@dataclass(frozen=True)
class Repeated:
    """All repetitions of a point, seconds (k,), of `n` processes and `m` bytes."""

    n: int
    m: int
    times: Floats

    @property
    def load(self) -> float:
        """Bytes that a port has to carry."""
        return (self.n - 1.0) * self.m


@dataclass(frozen=True)
class Cost:
    """Seconds of one time-out; `low` to `high` are what 90 % of the points have."""

    seconds: float
    low: float
    high: float


@dataclass(frozen=True)
class _Gap:
    """Median of the lower group, way to the next one, and repetitions of that and beyond."""

    lower: float
    way: float
    late: int


def cost_of_timeout(points: Sequence[Repeated]) -> Cost | None:
    """The cost on which the points agree; None where there is no evidence of time-outs."""
    gaps = [_gap(np.sort(point.times)) for point in points]
    known = [one for one in gaps if one is not None and one.way >= SHORTEST]
    if len(known) < 2:
        return None
    late = np.array([one.late for one in known])
    ways = np.array([one.way for one in known])
    is_alike = np.abs(np.log(ways[:, None] / ways)) <= np.log(ALIKE)
    agreeing = is_alike[np.argmax(is_alike @ late)]
    seconds = _weighted_median(ways[agreeing], late[agreeing])
    agreeing = np.abs(np.log(ways / seconds)) <= np.log(ALIKE)
    is_longer = ways > seconds / 2
    if (
        agreeing.sum() < 2
        or late[agreeing].sum() < FEWEST_LATE
        or late[agreeing].sum() < AGREEING * late[is_longer].sum()
        or not _is_constant(ways[agreeing], np.array([one.lower for one in known])[agreeing])
        or not _follows_load(points, seconds)
    ):
        return None
    low, high = np.percentile(ways[agreeing], [5, 95])
    return Cost(seconds, float(low), float(high))


def _gap(times: Floats) -> _Gap | None:
    """The widest gap between sorted times (k,); None unless both sides of it are narrow."""
    if times.size < 2:
        return None
    place = int(np.argmax(np.diff(times))) + 1
    lower, upper = times[:place], times[place:]
    wide = upper[0] - lower[-1]
    near = upper[upper <= upper[0] + wide / 2]  # a second time-out lies beyond
    if wide <= TIGHT * max(np.ptp(lower), np.ptp(near)):
        return None
    middle = float(np.median(lower))
    return _Gap(middle, float(np.median(near)) - middle, near.size)


def _is_constant(ways: Floats, lower: Floats) -> bool:
    """Whether the cost is the same at points of different times, more than its ratio to them is."""
    ratios = np.std(np.log(ways / lower))
    return bool(PRECISER * np.std(np.log(ways)) <= ratios)


def _follows_load(points: Sequence[Repeated], seconds: float) -> bool:
    """Whether repetitions wait less often where ports carry less than at the median point."""
    from scipy import stats

    middle = np.median([point.load for point in points])
    counts = np.zeros((2, 2), dtype=int)
    for point in points:
        is_late = point.times > np.min(point.times) + seconds / 2
        # Where the least time holds one already, all of them may: they are no evidence.
        row = int(point.load > middle)
        counts[row] += [int(is_late.sum()), int((~is_late).sum())]
    return bool(stats.fisher_exact(counts, alternative="less").pvalue <= BY_CHANCE)


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])
