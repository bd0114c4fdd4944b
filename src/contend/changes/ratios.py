"""Ratios of what two campaigns measured, with intervals over launches.

Source: Welch, "The generalization of 'Student's' problem when several different population
variances are involved", Biometrika 34, 1947.
Idea: repetitions share their launch, so a launch counts once, by its median. The ratio is that of
the geometric means over the launches, whose jackknife over launches is exactly s^2/k on the scale
of logarithms. Each campaign has a scatter of its own, which `contend.changes.scatter` estimates.
Restrictions: what all launches of a campaign have in common, its day and its nodes, is no scatter.
A campaign of one launch is taken to scatter as the other does; two of one have no interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.changes.scatter import drawn
from contend.document import Floats
from contend.statistics.moderated import Moderated

COLUMNS = (
    "old", "new", "old_launches", "new_launches", "ratio", "low", "high", "chance_of_change",
    "chance_of_worse",
)  # fmt: skip
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Pair:
    """What both campaigns measured of one thing: a value per launch, (k,), all above 0.

    Pairs of one `group` may share their launches.
    """

    old: Floats
    new: Floats
    group: object


def ratios(pairs: Sequence[Pair], limit: float = 0.0) -> pd.DataFrame:
    """Rows of `COLUMNS`, one per pair: new over old, its 95 % interval, and two chances.

    `chance_of_change` is that of a ratio so far from 1 where there is no change, and
    `chance_of_worse` that of one so large where it is 1 + `limit`; NaN where nothing tells.
    """
    from scipy.special import stdtr, stdtrit

    groups = [one.group for one in pairs]
    old, new = (_of([getattr(one, side) for one in pairs], groups) for side in ("old", "new"))
    old, new = old.completed(new), new.completed(old)
    apart = new.mean - old.mean
    shares = old.variance / old.count, new.variance / new.count
    total = shares[0] + shares[1]
    freedom = total**2 / (shares[0] ** 2 / old.freedom + shares[1] ** 2 / new.freedom)
    error = np.sqrt(total)
    reach = stdtrit(freedom, (1 + CONFIDENCE) / 2) * error
    found = (
        np.exp(old.mean), np.exp(new.mean), old.count, new.count, np.exp(apart),
        np.exp(apart - reach), np.exp(apart + reach),
        2 * stdtr(freedom, -np.abs(apart) / error),
        stdtr(freedom, (np.log1p(limit) - apart) / error),
    )  # fmt: skip
    return pd.DataFrame(dict(zip(COLUMNS, found, strict=True)))


@dataclass(frozen=True)
class _Side:
    """One campaign; arrays (pairs,)."""

    count: np.ndarray
    mean: Floats  # of logarithms
    variance: Floats
    freedom: Floats

    def completed(self, other: "_Side") -> "_Side":
        """With the other's scatter where nothing is known of the own."""
        lacks = ~np.isfinite(self.variance)
        return _Side(
            self.count,
            self.mean,
            np.where(lacks, other.variance, self.variance),
            np.where(lacks, other.freedom, self.freedom),
        )


def _of(values: Sequence[Floats], groups: Sequence[object]) -> _Side:
    logarithms = [np.log(one) for one in values]
    count = np.array([one.size for one in values])
    mean = np.array([one.mean() for one in logarithms])
    variance = np.array([one.var(ddof=1) if one.size > 1 else np.nan for one in logarithms])
    usual: Moderated = drawn(variance, count - 1.0, groups)
    return _Side(count, mean, usual.variance, usual.freedom)
