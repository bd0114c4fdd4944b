"""Variances of many points that have few repetitions each.

Source: Smyth 2004, "Linear models and empirical Bayes methods for assessing differential
expression in microarray experiments", Statistical Applications in Genetics and Molecular Biology
3(1), sections 3 and 6.2.
Idea: two repetitions tell next to nothing of the variance of a point, hundreds of points with two
each tell a lot of what variances there are. Each variance is drawn to what is usual of all, as far
as they are alike. Points of one launch are disturbed together: their variances are alike even where
launches are not, and ten sizes of three launches are not thirty launches. So how alike variances
are is seen between groups of points that share no launch, and what is usual counts for no more
degrees of freedom than these groups have.
Formula: 1 / variance ~ chi2(d0) / (d0 s0^2) over the points; then (d0 s0^2 + d s^2) / (d0 + d),
with d0 + d degrees of freedom. d0 and s0 are such that log s^2 has its mean and its variance, which
is half the mean square of the differences between points of different groups.
Restrictions: of three groups or more; of fewer each variance stands for itself.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from contend.base.document import Floats

FEWEST = 3  # groups
_MOST_FREEDOM = 1e6  # stands for points that differ no more than repetitions let them


class Moderated(NamedTuple):
    variance: Floats
    freedom: Floats  # degrees


def moderated(
    variance: Floats, freedom: Floats, groups: Sequence[object] | None = None
) -> Moderated:
    """Variances (points,) with their degrees of freedom, each with what the others tell.

    Those of no degree of freedom (one launch) get what is usual, NaN where nothing is. Points of
    one of the `groups` may share their launches; without groups none does.

    Of two repetitions each, these differ no more than chance lets them, and become one:

    >>> shrunk = moderated(np.array([1.0, 4.0, 1.0, 4.0]), np.ones(4))
    >>> shrunk.variance.round(2).tolist(), bool(shrunk.freedom.min() > 1.0)
    ([7.12, 7.12, 7.12, 7.12], True)
    """
    from scipy.special import digamma, polygamma

    has_freedom = freedom > 0
    named = range(variance.size) if groups is None else [str(group) for group in groups]
    of = np.unique(named, return_inverse=True)[1]
    parts = [has_freedom & (of == group) for group in np.unique(of[has_freedom])]
    if len(parts) < FEWEST:
        alone = np.where(has_freedom, variance, np.nan)
        return Moderated(alone, np.where(has_freedom, freedom, np.nan))
    half = np.where(has_freedom, freedom, 2.0) / 2
    level = np.log(np.where(has_freedom, variance, 1.0)) - digamma(half) + np.log(half)
    spread = _between([level[part] for part in parts]) - float(
        polygamma(1, half[has_freedom]).mean()
    )
    prior = 2 * inverse_trigamma(spread)
    mean = np.mean([level[part].mean() for part in parts])
    usual = float(np.exp(mean + digamma(prior / 2) - np.log(prior / 2)))
    most = np.inf if groups is None else sum(freedom[part].mean() for part in parts)
    counted = np.where(has_freedom, freedom, 0.0)
    together = (prior * usual + counted * np.where(has_freedom, variance, 0.0)) / (prior + counted)
    return Moderated(together, np.minimum(prior + counted, np.maximum(most, counted)))


def _between(groups: Sequence[Floats]) -> float:
    """Half the mean square of differences between values of different groups."""
    together = np.concatenate(groups)
    within = sum(group.size**2 * float(group.var()) for group in groups)
    pairs = together.size**2 - sum(group.size**2 for group in groups)
    return (together.size**2 * float(together.var()) - within) / pairs


def inverse_trigamma(value: float) -> float:
    """Where the trigamma function, which falls, has that value; the largest where it never does."""
    from scipy.optimize import brentq
    from scipy.special import polygamma

    least, most = 1e-3, _MOST_FREEDOM / 2
    if value <= float(polygamma(1, most)):
        return most
    if value >= float(polygamma(1, least)):
        return least
    return float(brentq(lambda x: float(polygamma(1, x)) - value, least, most))
