"""Regimes of an exchange: ranges of sizes with a line over m for each n, and one growth over n.

Where one regime ends and the next begins, the lines of both are drawn on to each other's nearest
size. Where they cross between them nothing jumps, only the slope changes, as where a library asks
before it sends, or sends in pieces. Logarithms of both are averaged over n by their precision.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contend.base.document import Floats
from contend.models.explanation.choice import Explanation, explained
from contend.models.explanation.exchange import Exchange
from contend.models.explanation.lines import Lines, fit_lines
from contend.models.explanation.model import Points
from contend.models.explanation.partition import Partition

_SURE_SLOPE = 0.35  # standard deviation of the logarithm of a slope beyond which it is not reported
_CLEAR, _JUMP, _SLOPE = 2.5, np.log(1.1), np.log(1.15)  # deviations, and least logarithms


@dataclass(frozen=True)
class Regime:
    """Sizes from `start` up to but without `end`, by place; `odd` ones are none of its own."""

    exchange: Exchange
    partition: Partition
    start: int
    end: int
    before: "Regime | None" = None

    @cached_property
    def places(self) -> np.ndarray:
        """Places of the sizes that are its own."""
        within = np.arange(self.start, self.end)
        return within[~np.isin(within, self.partition.odd)]

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(int(size) for size in self.exchange.sizes[self.places])

    @property
    def ends(self) -> tuple[int, int]:
        return self.sizes[0], self.sizes[-1]

    @cached_property
    def noise(self) -> float:
        """Standard deviation of log time about lines over m."""
        return self.partition.noise()

    @cached_property
    def lines(self) -> Lines:
        chosen = np.isin(np.arange(self.exchange.sizes.size), self.places)
        return fit_lines(self.exchange.sizes, self.exchange.logarithms, chosen[None])

    @cached_property
    def _times(self) -> Floats:
        """Times at both ends of each line, (n_counts, 2); NaN where a line is not known."""
        several = self.exchange.is_measured[:, self.places].sum(axis=1)
        is_known = several >= min(2, self.places.size)
        ends = np.exp(np.stack([self.lines.first[0], self.lines.last[0]], axis=1))
        return np.where(is_known[:, None], ends, np.nan)

    @property
    def _width(self) -> float:
        return max(float(self.ends[1] - self.ends[0]), 1.0)

    def line(self, m: float) -> tuple[Floats, Floats]:
        """Logarithm of the time at each n and its variance; NaN where no line is at that size."""
        along = (m - self.ends[0]) / self._width
        parts = self._times * [1 - along, along]
        time = parts.sum(axis=1)
        is_known = (time > 0) & (self.places.size > 1 or m == self.ends[0])
        time = np.where(is_known, time, np.nan)
        return np.log(time), self._variance(parts / time[:, None])

    def slope(self) -> tuple[Floats, Floats]:
        """Logarithm of the cost of a byte at each n and its variance; NaN where it is not known."""
        rise = self._times @ [-1.0, 1.0]
        rise = np.where((rise > 0) & (self.places.size > 1), rise, np.nan)
        variance = self._variance(self._times * [-1.0, 1.0] / rise[:, None])
        is_known = variance < _SURE_SLOPE**2
        return np.where(is_known, np.log(rise / self._width), np.nan), variance

    def _variance(self, by_ends: Floats) -> Floats:
        """Variance of what has these derivatives by the logarithms at both ends, (n_counts,)."""
        variance = np.einsum("ia,iab,ib->i", by_ends, self.lines.covariance[0], by_ends)
        return np.asarray(variance * (self.noise / self.exchange.trust) ** 2)

    @cached_property
    def _measured(self) -> tuple[np.ndarray, np.ndarray]:
        """Places of the n and of the sizes of all points in it."""
        rows, columns = np.nonzero(self.exchange.is_measured[:, self.places])
        return rows, self.places[columns]

    @cached_property
    def points(self) -> Points:
        """Points of all n that have one in it."""
        rows, columns = self._measured
        used, place = np.unique(rows, return_inverse=True)
        return Points(
            self.exchange.counts[used], place, self.exchange.sizes[columns],
            self.exchange.logarithms[rows, columns], self.noise, self.exchange.trust[used],
        )  # fmt: skip

    @cached_property
    def explanation(self) -> Explanation:
        """What its growth over n is like.

        No library forwards messages that are larger than some that it sends directly.
        """
        errors = self.points.whitened(self.lines.errors[0][self._measured])
        return explained(
            self.points, float(errors @ errors), self.partition.degrees,
            self.exchange.processes_per_node,
            may_forward=self.before is None or self.before.explanation.best.is_forwarded,
        )  # fmt: skip


def regimes_of(exchange: Exchange, partition: Partition) -> tuple[Regime, ...]:
    ends = (*partition.starts[1:], exchange.sizes.size)
    regimes: list[Regime] = []
    for start, end in zip(partition.starts, ends, strict=True):
        before = regimes[-1] if regimes else None
        regimes.append(Regime(exchange, partition, start, end, before))
    return tuple(regimes)


@dataclass(frozen=True)
class Change:
    """Logarithms with standard deviations, NaN where a regime does not tell its own.

    `start` is the size it happens at: the first of the right regime, or where both lines meet.
    """

    before: Regime
    after: Regime
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
        return bool(abs(self.jump) > max(_CLEAR * self.jump_deviation, _JUMP))

    @property
    def is_slope(self) -> bool:
        """Whether a byte costs another amount after it."""
        return bool(abs(self.slope) > max(_CLEAR * self.slope_deviation, _SLOPE))


def change(before: Regime, after: Regime) -> Change:
    """The change from `before` to `after`, which follows it."""
    ends = before.ends[1], after.ends[0]
    gaps = [_average(before.line(m), after.line(m)) for m in ends]
    slope = _average(before.slope(), after.slope())
    first, second = gaps[0][0], gaps[1][0]
    if not np.isfinite([first, second]).all():  # a line drawn on that meets zero
        finite = [gap for gap in gaps if np.isfinite(gap[0])]
        return Change(before, after, ends[1], *(finite or [(np.nan, np.nan)])[0], *slope)
    is_crossing = first * second <= 0 or min(abs(first), abs(second)) < np.log(1.05)
    nearest = min(gaps, key=lambda gap: abs(gap[0]))
    jump = (0.0, nearest[1]) if first * second < 0 else nearest
    at_left = is_crossing and abs(first) <= abs(second)
    return Change(before, after, ends[0] if at_left else ends[1], *jump, *slope)


def _average(before: tuple[Floats, Floats], after: tuple[Floats, Floats]) -> tuple[float, float]:
    """Mean of right less left over the n by its precision, and its deviation; NaN of none.

    What the n differ by widens the deviation.
    """
    values, variance = after[0] - before[0], before[1] + after[1]
    is_known = np.isfinite(values) & np.isfinite(variance)
    if not is_known.any():
        return np.nan, np.nan
    weights = 1 / np.maximum(variance[is_known], 1e-8)
    mean = float((weights * values[is_known]).sum() / weights.sum())
    spread = float((weights * (values[is_known] - mean) ** 2).sum()) / max(is_known.sum() - 1, 1)
    return mean, float(np.sqrt(max(spread, 1.0) / weights.sum()))
