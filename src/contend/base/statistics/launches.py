"""Intervals from launches: what a value would be if all launches had been others.

Source: Shao, Wu, "A general theory for jackknife variance estimation", Annals of Statistics 17,
1989 (the delete-d jackknife, which holds for medians where leaving out one does not); Student 1908.
Idea: launches differ more from each other than what is measured within one, which shares its
processes, its placement and its moment. So a launch is left out as a whole, from all experiments
together, and the value is estimated again from those left. With r of k launches kept in each of N
subsets, the variance is r / ((k-r) N) times the sum of squared differences to the value from all;
of a mean that is exactly s^2/k. Bounds take Student's t with k-1 degrees of freedom, on the scale
of logarithms for what is positive. Half of the launches are kept, rounded down: of three each by
itself. All such subsets are taken where they are few.
Restrictions: launches are alike and independent. Two of them give wide bounds (t is 12.7). One
launch tells nothing of others; the interval within it is a different one, with its own name.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Final, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Bounds, Floats, Quantity, Unit
from contend.base.errors import InvalidInputError
from contend.base.statistics import student

OVER_LAUNCHES: Final[Bounds] = "95 % over launches"
WITHIN_LAUNCH: Final[Bounds] = "95 % within one launch"
CONFIDENCE = 0.95
MOST_SUBSETS = 40  # more add little to a variance that few launches determine
LARGEST_LOGARITHM = 0.5  # standard error beyond which a factor says less than a difference
_SEED = 1  # of the subsets, where there are too many for all; an estimate repeats itself

Launch = TypeVar("Launch")


@dataclass(frozen=True)
class Estimate:
    """Values (k,) from all launches, with 95 % bounds (k,) and covariance (k, k).

    `replicates` (subsets, k) are the values from each subset and `scale` what a sum of squared
    differences to `value` is multiplied with for a variance. Both bounds are None from fewer than
    two launches, or where most subsets allow no estimate.
    """

    value: Floats
    launches: int
    replicates: Floats
    scale: float
    low: Floats | None = None
    high: Floats | None = None

    @property
    def covariance(self) -> Floats:
        """Covariance of the values, (k, k)."""
        apart = self.replicates - self.value
        covariance: Floats = self.scale * apart.T @ apart
        return covariance

    @property
    def degrees_of_freedom(self) -> int:
        return self.launches - 1

    def quantity(self, index: int, unit: Unit) -> Quantity:
        """Value `index` with its bounds, if there are any."""
        return self._quantity(lambda side: float(side[index]), unit)

    def table(self, unit: Unit) -> Quantity:
        """All values with their bounds, if there are any."""
        return self._quantity(lambda side: tuple(side.tolist()), unit)

    def _quantity(self, of: Callable[[Floats], float | tuple[float, ...]], unit: Unit) -> Quantity:
        if self.low is None or self.high is None:
            return Quantity(value=of(self.value), unit=unit)
        low, high = of(self.low), of(self.high)
        return Quantity(value=of(self.value), unit=unit, low=low, high=high, bounds=OVER_LAUNCHES)

    def part(self, section: slice) -> "Estimate":
        low, high = (None if side is None else side[section] for side in (self.low, self.high))
        estimate = replace(self, value=self.value[section], replicates=self.replicates[:, section])
        return replace(estimate, low=low, high=high)


def over_launches(
    launches: Sequence[Launch],
    estimate: Callable[[Sequence[Launch]], ArrayLike],
    *,
    is_positive: bool = True,
) -> Estimate:
    """What `estimate` says of all launches, with bounds by what it says of subsets of them.

    Parameters
    ----------
    estimate
        Values (k,), always as many, from any of the launches. It may raise `InvalidInputError` or
        give NaN for subsets that lack what it needs; these do not count.
    is_positive
        Whether no value can be below zero. Bounds are then factors where the values are known to
        within a factor of two or so, else differences that end at zero.

    >>> mean = over_launches([1.0, 2.0, 3.0], lambda kept: [sum(kept) / len(kept)],
    ...                    is_positive=False)
    >>> mean.value.round(3).tolist(), mean.low.round(3).tolist(), mean.high.round(3).tolist()
    ([2.0], [-0.484], [4.484])
    """
    value = np.atleast_1d(np.asarray(estimate(launches), dtype=np.float64))
    rows = []
    for kept in subsets(len(launches)):
        with suppress(InvalidInputError):  # these launches allow no estimate
            rows.append(np.atleast_1d(np.asarray(estimate([launches[at] for at in kept]), float)))
    replicates = np.array([row for row in rows if np.isfinite(row).all()]).reshape(-1, value.size)
    wanted, size = _counts(len(launches))
    if not wanted or len(replicates) < max(2, wanted / 2):
        return Estimate(value, len(launches), np.empty((0, value.size)), 0.0)
    scale = size / ((len(launches) - size) * len(replicates))
    low, high = bounds(value, replicates, scale, len(launches) - 1, is_positive=is_positive)
    return Estimate(value, len(launches), replicates, scale, low, high)


def bounds(
    value: Floats, replicates: Floats, scale: float, degrees_of_freedom: int, *, is_positive: bool
) -> tuple[Floats, Floats]:
    """Bounds (k,) of values (k,) by those of subsets (subsets, k), see `Estimate`."""
    factor = t_factor(degrees_of_freedom)
    apart = factor * np.sqrt(scale * np.sum((replicates - value) ** 2, axis=0))
    low, high = value - apart, value + apart
    if not is_positive:
        return low, high
    has_logarithm = (value > 0) & (replicates > 0).all(axis=0)
    logarithms = np.log(np.where(has_logarithm, replicates / np.where(value > 0, value, 1.0), 1.0))
    error = np.sqrt(scale * np.sum(logarithms**2, axis=0))
    is_factor = has_logarithm & (error <= LARGEST_LOGARITHM)
    times = np.exp(np.minimum(factor * error, np.log(np.finfo(float).max) / 2))
    low, high = np.where(is_factor, value / times, low), np.where(is_factor, value * times, high)
    least = np.where(value < 0, -np.inf, 0.0)
    return np.maximum(low, least), np.maximum(high, least)


def subsets(count: int) -> Iterator[tuple[int, ...]]:
    """Numbers of the launches of each subset that an estimate is repeated with; none of one."""
    wanted, kept = _counts(count)
    if wanted == comb(count, kept):
        yield from combinations(range(count), kept)
        return
    rng = np.random.default_rng(_SEED)
    for _ in range(wanted):
        yield tuple(np.sort(rng.choice(count, kept, replace=False)).tolist())


def t_factor(degrees_of_freedom: float) -> float:
    """Half-width of the 95 % interval in standard deviations, by Student's distribution."""
    return student.within(max(degrees_of_freedom, 1), CONFIDENCE)


def _counts(count: int) -> tuple[int, int]:
    """How many subsets, and how many launches each of them keeps."""
    if count < 2:
        return 0, 0
    kept = count // 2
    return min(comb(count, kept), MOST_SUBSETS), kept
