"""Ratios of what two campaigns measured, with intervals over launches.

Source: Student 1908 for two samples, with variances after Smyth
(`contend.base.statistics.shrinkage`).
Idea: repetitions share their launch, so a launch counts once, by its median. The ratio is that of
the geometric means over the launches, whose jackknife over launches is exactly s^2/k on the scale
of logarithms. A point is taken to scatter alike in both campaigns, which two launches of each tell
little about. A point that scatters more than is usual counts as it does, and where one campaign is
the noisier its own scatter counts.
Restrictions: what all launches of a campaign have in common, its day and its nodes, is no scatter.
A campaign of one launch is taken to scatter as the other does; two of one have no interval.

Which of many ratios differ: Holm, "A simple sequentially rejective multiple test procedure",
Scandinavian Journal of Statistics 6, 1979.
Idea: of a hundred comparisons without any change, five have a 95 % interval that leaves 1 out. The
smallest chance has to be below 5 % over their number, the next below 5 % over one less, and so on
until one fails. Whether there is any false one among all that pass is then a matter of 5 %,
however the comparisons depend on each other: those of one launch do.
Restrictions: the chances must hold one by one. More comparisons find smaller changes less often.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from contend.base.document import Floats
from contend.base.statistics.shrinkage import Moderated, moderated

COLUMNS = (
    "old", "new", "old_launches", "new_launches", "ratio", "low", "high", "chance_of_change",
    "chance_of_worse",
)  # fmt: skip
CONFIDENCE = 0.95
LEAST = 0.002  # of the times; no two launches are closer than that but by the digits of a file
WRONG = 0.05  # chance of a false claim among all


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

    groups = [pair.group for pair in pairs]
    old, new = (_of([getattr(pair, side) for pair in pairs]) for side in ("old", "new"))
    apart, error, freedom = new.mean - old.mean, *_error(old, new, groups)
    reach = stdtrit(freedom, (1 + CONFIDENCE) / 2) * error
    columns = (
        np.exp(old.mean), np.exp(new.mean), old.count, new.count, np.exp(apart),
        np.exp(apart - reach), np.exp(apart + reach),
        2 * stdtr(freedom, -np.abs(apart) / error),
        stdtr(freedom, (np.log1p(limit) - apart) / error),
    )  # fmt: skip
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))


@dataclass(frozen=True)
class _Side:
    """One campaign; arrays (pairs,)."""

    count: np.ndarray
    mean: Floats  # of logarithms
    squares: Floats  # sums of squared differences to it


def _of(values: Sequence[Floats]) -> _Side:
    logarithms = [np.log(launches) for launches in values]
    return _Side(
        np.array([launches.size for launches in values]),
        np.array([logarithm.mean() for logarithm in logarithms]),
        np.array([logarithm.size * logarithm.var() for logarithm in logarithms]),
    )


def _error(old: _Side, new: _Side, groups: Sequence[object]) -> tuple[Floats, Floats]:
    """Standard errors of differences of means, and their degrees of freedom.

    As if both scatter alike, which gives the degrees of freedom, or each as itself, whichever is
    larger: a new campaign may be the noisier one.
    """

    def scatter(squares: Floats, freedom: Floats) -> Moderated:
        with np.errstate(invalid="ignore", divide="ignore"):
            return moderated(np.maximum(squares / freedom, LEAST**2), freedom, groups)

    squares, freedom = old.squares + new.squares, old.count + new.count - 2.0
    together = scatter(squares, freedom)
    alike = np.fmax(together.variance, squares / np.where(freedom > 0, freedom, np.nan))
    alike = alike * (1 / old.count + 1 / new.count)
    separate = sum(
        scatter(side.squares, side.count - 1.0).variance / side.count for side in (old, new)
    )
    return np.sqrt(np.fmax(alike, separate)), together.freedom


def holm_reject(chances: ArrayLike) -> NDArray[np.bool_]:
    """Whether each hypothesis that nothing changed, of chance (k,), is rejected; shape (k,).

    Those of chance NaN were not tested, and count for nothing.

    >>> holm_reject([0.001, 0.02, 0.04, float("nan")]).tolist()
    [True, True, True, False]
    >>> holm_reject([0.03, 0.03]).tolist()
    [False, False]
    """
    given = np.asarray(chances, dtype=np.float64)
    tested = np.flatnonzero(np.isfinite(given))
    order = tested[np.argsort(given[tested], kind="stable")]
    rejected = np.zeros(given.shape, dtype=bool)
    passes = given[order] * np.arange(order.size, 0, -1) <= WRONG
    rejected[order] = np.logical_and.accumulate(passes)
    return rejected
