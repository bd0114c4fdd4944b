"""What a retransmission time-out costs, estimated from repeated times alone.

Source: RFC 6298 (2011) for the wait, which no size and no number of processes changes.
Idea: where frames are lost, some repetitions of an exchange take as long as the others of the same
point and a time-out more. So there are points whose repetitions lie in two groups with nothing
between, and the way from one group to the other is the same at points of different times. Noise has
no such gap, and what makes an exchange so many times slower (a busy core, another route) has a gap
that grows with the time.
Cost: the median way between groups, over the points that agree on it: the time-out, and what is
sent again after it.
Restrictions: several points with both groups are needed, so that nothing is reported where every
repetition waits, nor where fewer than `FEWEST_LATE` do. What stops a process for always the same
time, more often the longer an exchange takes, looks the same, however rare it is; what strikes
small exchanges as often as large ones is distinguished. Waits below `SHORTEST` are not looked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats

SHORTEST = 0.01  # s; TCP within data centres is tuned down to it (Alizadeh et al., SIGCOMM 2010)
FEWEST_LATE = 5  # repetitions with a time-out, over all points
ALIKE = 1.2  # costs of two points agree within this factor
TIGHT = 3.0  # a gap is so many times as wide as the groups beside it
WIDE = 0.5  # of the time before it; such a gap counts even where the groups are not narrow
PRECISER = 2.0  # costs scatter less by this than the ratios of the groups do
AGREEING = 0.6  # of the gaps, and of the repetitions beyond one
BY_CHANCE = 0.01  # chance of as much agreement, or of small exchanges being hit so much less often


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
class _Gaps:
    """Widest gaps of points (k,): time before it, way to the next group, and repetitions there.

    `beyond` counts all repetitions after the gap, of which further ones may wait for more.
    """

    lower: Floats
    way: Floats
    late: Floats
    beyond: Floats
    is_tight: np.ndarray


def cost_of_timeout(points: Sequence[Repeated]) -> Cost | None:
    """The cost on which the points agree; None where there is no evidence of time-outs."""
    gaps = _gaps(points)
    if gaps.is_tight.sum() < 2:
        return None
    weight = gaps.late * gaps.is_tight
    is_alike = np.abs(np.log(gaps.way[:, None] / gaps.way)) <= np.log(ALIKE)
    near = is_alike[np.argmax(is_alike @ weight * gaps.is_tight)] & gaps.is_tight
    seconds = _weighted_median(gaps.way[near], gaps.late[near])
    agreeing = (np.abs(np.log(gaps.way / seconds)) <= np.log(ALIKE)) & gaps.is_tight
    late = gaps.late[agreeing].sum()
    if (
        agreeing.sum() < 2
        or late < FEWEST_LATE
        or agreeing.mean() < AGREEING
        or late < AGREEING * gaps.beyond.sum()
        or _chance(gaps, int(late)) > BY_CHANCE
        or not _is_constant(gaps.way[agreeing], gaps.lower[agreeing])
        or not _follows_load(points, seconds)
    ):
        return None
    low, high = np.percentile(gaps.way[agreeing], [5, 95])
    return Cost(seconds, float(low), float(high))


def _gaps(points: Sequence[Repeated]) -> _Gaps:
    """Return the gaps of points that have one: between narrow groups, or wide by itself."""
    gaps = [gap for point in points if (gap := _gap(np.sort(point.times))) is not None]
    lower, way, late, beyond, is_tight = np.array(gaps, dtype=float).reshape(-1, 5).T
    return _Gaps(lower, way, late, beyond, is_tight > 0)


def _gap(times: Floats) -> tuple[float, float, int, int, bool] | None:
    """The fields of `_Gaps` for sorted times (k,)."""
    if times.size < 2:
        return None
    place = int(np.argmax(np.diff(times))) + 1
    lower, upper = times[:place], times[place:]
    wide = upper[0] - lower[-1]
    near = upper[upper <= upper[0] + wide / 2]  # a second time-out lies beyond
    middle = float(np.median(lower))
    way = float(np.median(near)) - middle
    is_tight = wide > TIGHT * max(np.ptp(lower), np.ptp(near))
    if way < SHORTEST or not (is_tight or wide > WIDE * middle):
        return None
    return middle, way, near.size, upper.size, is_tight


def _chance(gaps: _Gaps, late: int) -> float:
    """Return the chance that `late` repetitions beyond a gap agree if their stalls are arbitrary.

    For any up to the longest, evenly on a logarithmic scale; each of them may be agreed with.
    """
    from scipy import stats

    every = int(gaps.beyond.sum())
    alike = 2 * np.log(ALIKE) / max(np.log(gaps.way.max() / SHORTEST), 2 * np.log(ALIKE))
    return float(every * stats.binom.sf(late - 2, every - 1, alike))


def _is_constant(ways: Floats, lower: Floats) -> bool:
    """Whether the cost is the same at points of different times, more than its ratio to them is."""
    ratios = np.std(np.log(ways / lower))
    return bool(PRECISER * np.std(np.log(ways)) <= ratios)


def _follows_load(points: Sequence[Repeated], seconds: float) -> bool:
    """Whether repetitions wait less often where ports carry less than at the median point.

    Points of which all repetitions may have waited do not count, where others have enough that did.
    """
    from scipy import stats

    least = np.array([np.min(point.times) for point in points])
    late = np.array(
        [(point.times > low + seconds / 2).sum() for point, low in zip(points, least, strict=True)]
    )
    others = np.array([point.times.size for point in points]) - late
    is_certain = least < seconds / ALIKE
    if late[is_certain].sum() < FEWEST_LATE:
        is_certain[:] = True
    load = np.array([point.load for point in points])
    is_more = load > np.median(load[is_certain])
    counts = [
        [waits[is_certain & part].sum() for waits in (late, others)] for part in (~is_more, is_more)
    ]
    return bool(stats.fisher_exact(counts, alternative="less").pvalue <= BY_CHANCE)


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])
