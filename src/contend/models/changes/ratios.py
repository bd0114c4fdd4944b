"""Ratios of what two campaigns measured, or of two values with bounds, and how sure they are.

Source: Student 1908 for two samples, with variances after Smyth
(`contend.base.statistics.shrinkage`).
Idea: repetitions share their launch, so a launch counts once, by its median. The ratio is that of
the geometric means over the launches, whose jackknife over launches is exactly s^2/k on the scale
of logarithms. A point is taken to scatter alike in both campaigns, which two launches of each tell
little about. A point that scatters more than is usual counts as it does, and where one campaign is
the noisier its own scatter counts.
Restrictions: what all launches of a campaign have in common, its day and its nodes, is no scatter.
A campaign of one launch is taken to scatter as the other does; two of one have no interval.

Of two values with bounds: Zou, Donner, "Construction of confidence limits about effect measures",
Statistics in Medicine 27, 2008 (MOVER, for a difference of two estimates; here of logarithms).
Idea: a bound of one side goes with the opposite bound of the other, and the distances to them add
up as squares, so that lopsided bounds stay so.
Formula: with d = log(new / old), low = d - sqrt(log(new / new_low)^2 + log(old_high / old)^2).
Restrictions: both are estimates that know nothing of each other, and above 0.

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

MEASURED = ("old", "new", "old_launches", "new_launches")
RATIO = ("ratio", "low", "high", "chance_of_change", "chance_of_worse")
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
    """Rows of `MEASURED` and `RATIO`, one per pair: new over old, its interval, and two chances.

    `chance_of_change` is that of a ratio so far from 1 where there is no change, and
    `chance_of_worse` that of one so large where it is 1 + `limit`; NaN where nothing tells.
    """
    from scipy.special import stdtrit

    groups = [pair.group for pair in pairs]
    old, new = (_of([getattr(pair, side) for pair in pairs]) for side in ("old", "new"))
    apart, error, freedom = new.mean - old.mean, *_error(old, new, groups)
    factor = stdtrit(freedom, (1 + CONFIDENCE) / 2)
    columns = (np.exp(old.mean), np.exp(new.mean), old.count, new.count)
    measured = pd.DataFrame(dict(zip(MEASURED, columns, strict=True)))
    reach = factor * error
    return measured.assign(**_judged(apart, reach, reach, factor, freedom, limit))


def ratios_of_bounds(rows: pd.DataFrame, limit: float = 0.0) -> pd.DataFrame:
    """The rows with `RATIO`, of `new` to `old` by the bounds `old_low` to `new_high`, NaN of none.

    An interval is `factor` standard errors wide to each side, by Student's distribution of so many
    degrees of `freedom`; `worse` is 1 where more is worse, -1 where less is, else 0.

    >>> row = {"old": 1.0, "old_low": 0.8, "old_high": 1.25, "new": 2.0, "new_low": 1.6,
    ...        "new_high": 2.5, "factor": 2.0, "freedom": 9, "worse": 1}
    >>> ratios_of_bounds(pd.DataFrame([row]))[["low", "ratio", "high"]].round(3).values.tolist()
    [[1.459, 2.0, 2.742]]
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # a bound of 0
        (old_below, old_above), (new_below, new_above) = (
            (np.log(rows[side] / rows[f"{side}_low"]), np.log(rows[f"{side}_high"] / rows[side]))
            for side in ("old", "new")
        )
    below, above = np.sqrt(new_below**2 + old_above**2), np.sqrt(new_above**2 + old_below**2)
    change = (np.log(rows["new"] / rows["old"]), below, above)
    return rows.assign(**_judged(*change, rows["factor"], rows["freedom"], limit, rows["worse"]))


def _judged(
    apart: Floats, below: Floats, above: Floats, factor: Floats, freedom: Floats, limit: float,
    worse: Floats | int = 1,
) -> dict[str, Floats]:  # fmt: skip
    """Columns `RATIO` of logarithms (k,) of ratios, with the ends of their intervals below them."""
    beyond = worse * apart - np.log1p(limit)
    side = np.where(worse * beyond > 0, below, above)
    chance = _chance(np.abs(beyond), side / factor, freedom)
    change = _chance(np.abs(apart), np.where(apart > 0, below, above) / factor, freedom)
    is_worse = np.where(beyond > 0, chance, 1 - chance)
    columns = (
        np.exp(apart), np.exp(apart - below), np.exp(apart + above), 2 * change,
        np.where(worse, is_worse, np.nan),
    )  # fmt: skip
    return dict(zip(RATIO, columns, strict=True))


def _chance(distance: Floats, error: Floats, freedom: Floats) -> Floats:
    """Chance (k,) of a value so far from none, by its standard error."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        chance = stdtr(freedom, -distance / error)
    return np.where(np.asarray(error) == 0, np.where(distance > 0, 0.0, 0.5), chance)


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
