"""Ratios of two values that come with bounds, and how sure they are.

Source: Zou, Donner, "Construction of confidence limits about effect measures", Statistics in
Medicine 27, 2008 (MOVER, for a difference of two estimates; here of logarithms).
Idea: a bound of one side goes with the opposite bound of the other, and the distances to them add
up as squares, so that lopsided bounds stay so.
Formula: with d = log(new / old), low = d - sqrt(log(new / new_low)^2 + log(old_high / old)^2).
Restrictions: both are estimates that know nothing of each other, and above 0.
"""

from dataclasses import dataclass
from math import exp, inf, log, log1p, nan, sqrt


@dataclass(frozen=True)
class Bounded:
    """A value above 0 and its bounds, which are NaN where they are not known."""

    value: float
    low: float = nan
    high: float = nan

    def reach(self) -> tuple[float, float]:
        below = log(self.value / self.low) if self.low > 0 else inf if self.low == 0 else nan
        return below, log(self.high / self.value) if self.high > 0 else nan


@dataclass(frozen=True)
class Ratio:
    """New over old with its interval; both distances to it are of logarithms."""

    ratio: float
    low: float
    high: float
    below: float
    above: float

    def chances(self, freedom: float, factor: float, limit: float, worse: int) -> tuple[float, ...]:
        """Return the p-values of no change, and of a change of at most `limit`.

        The interval is `factor` standard errors wide to each side, by Student's distribution of
        so many degrees of `freedom`; `worse` is 1 where more is worse, -1 where less is, else 0.
        """
        apart = log(self.ratio)
        bound = self.below if apart > 0 else self.above
        change = _chance(abs(apart), bound / factor, freedom)
        if not worse:
            return 2 * change, nan
        beyond = worse * apart - log1p(limit)
        side = self.below if worse * beyond > 0 else self.above
        chance = _chance(abs(beyond), side / factor, freedom)
        return 2 * change, chance if beyond > 0 else 1 - chance


def _chance(distance: float, error: float, freedom: float) -> float:
    from scipy.special import stdtr

    if error == inf:
        return 0.5
    if error == 0:
        return 0.0 if distance > 0 else 0.5
    return float(stdtr(freedom, -distance / error))


def ratio_of(old: Bounded, new: Bounded) -> Ratio:
    """New over old.

    >>> found = ratio_of(Bounded(1.0, 0.8, 1.25), Bounded(2.0, 1.6, 2.5))
    >>> round(found.low, 3), found.ratio, round(found.high, 3)
    (1.459, 2.0, 2.742)
    """
    (old_below, old_above), (new_below, new_above) = old.reach(), new.reach()
    apart = log(new.value / old.value)
    below, above = sqrt(new_below**2 + old_above**2), sqrt(new_above**2 + old_below**2)
    return Ratio(exp(apart), exp(apart - below), exp(apart + above), below, above)
