"""Changes from one regime to the next: by how much times jump, and how the cost of a byte changes.

Idea: the lines of both regimes are drawn on to each other's nearest size. Where they cross between
them nothing jumps, only the slope changes, as where a library asks before it sends, or sends in
pieces. Logarithms of both are averaged over n by their precision.
"""

from dataclasses import dataclass

import numpy as np

from contend.document import Floats
from contend.structure.regime import Regime

_KNOWN = 0.35  # standard deviation of the logarithm of a slope beyond which it is not told


@dataclass(frozen=True)
class Change:
    """Logarithms with standard deviations, NaN where a regime does not tell its own.

    `start` is the size it happens at: the first of the right regime, or where both lines meet.
    """

    left: Regime
    right: Regime
    start: int
    jump: float
    jump_deviation: float
    slope: float
    slope_deviation: float

    @property
    def is_seen(self) -> bool:
        """Whether times jump or a byte costs another amount."""
        return self.is_jump or self.is_slope

    @property
    def is_jump(self) -> bool:
        """Whether times differ at the change by more than noise."""
        return bool(abs(self.jump) > max(2.5 * self.jump_deviation, np.log(1.1)))

    @property
    def is_slope(self) -> bool:
        """Whether a byte costs another amount after it."""
        is_clear = abs(self.slope) > max(2.5 * self.slope_deviation, np.log(1.15))
        return bool(np.isfinite(self.slope) and is_clear)


def change(left: Regime, right: Regime) -> Change:
    """From `left` to `right`, which follows it."""
    ends = float(left.sizes[-1]), float(right.sizes[0])
    gaps = [_gap(left, right, m) for m in ends]
    slope = _average(*_slopes(left, right))
    first, second = gaps[0][0], gaps[1][0]
    if not np.isfinite([first, second]).all():  # a line drawn on that meets zero
        known = [gap for gap in gaps if np.isfinite(gap[0])]
        return Change(left, right, int(ends[1]), *(known or [(np.nan, np.nan)])[0], *slope)
    is_crossing = first * second <= 0 or min(abs(first), abs(second)) < np.log(1.05)
    nearest = min(gaps, key=lambda gap: abs(gap[0]))
    jump = (0.0, nearest[1]) if first * second < 0 else nearest
    at_left = is_crossing and abs(first) <= abs(second)
    return Change(left, right, int(ends[0] if at_left else ends[1]), *jump, *slope)


def _gap(left: Regime, right: Regime, m: float) -> tuple[float, float]:
    """Logarithm of right over left at a size, and its deviation."""
    apart = right.line(m) - left.line(m)
    variance = left.variance(m) + right.variance(m)
    return _average(apart, variance)


def _slopes(left: Regime, right: Regime) -> tuple[Floats, Floats]:
    """Logarithm of the slopes' ratio at each n, and its variance; NaN where one is not known."""
    logs, variance = [], []
    for regime in (left, right):
        slope, deviation = regime.slopes, regime.slope_deviations
        is_known = (slope > 0) & (deviation < _KNOWN * np.abs(slope))
        logs.append(np.where(is_known, np.log(np.where(is_known, slope, 1.0)), np.nan))
        variance.append(
            np.where(is_known, (deviation / np.where(is_known, slope, 1.0)) ** 2, np.nan)
        )
    return logs[1] - logs[0], variance[0] + variance[1]


def _average(values: Floats, variance: Floats) -> tuple[float, float]:
    """Of those that are known, by their precision; NaN of none.

    What the n differ by widens the deviation.
    """
    known = np.isfinite(values) & np.isfinite(variance)
    if not known.any():
        return np.nan, np.nan
    weights = 1 / np.maximum(variance[known], 1e-8)
    mean = float((weights * values[known]).sum() / weights.sum())
    spread = float((weights * (values[known] - mean) ** 2).sum()) / max(known.sum() - 1, 1)
    return mean, float(np.sqrt(max(spread, 1.0) / weights.sum()))
