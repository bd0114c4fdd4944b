"""Variances of many points that have few repetitions each.

Source: Smyth 2004, "Linear models and empirical Bayes methods for assessing differential
expression in microarray experiments", Statistical Applications in Genetics and Molecular Biology
3(1), sections 3 and 6.2.
Idea: two repetitions tell next to nothing of the variance of a point, hundreds of points with two
each tell a lot of what variances there are. Each variance is drawn to what is usual of all, as far
as they are alike.
Formula: 1 / variance ~ chi2(d0) / (d0 s0^2) over the points; then (d0 s0^2 + d s^2) / (d0 + d),
with d0 + d degrees of freedom. d0 and s0 are such that log s^2 has its mean and its variance.
Restrictions: of three points or more; of fewer each stands for itself.
"""

from typing import NamedTuple

import numpy as np

from contend.document import Floats

FEWEST = 3
_MOST_FREEDOM = 1e6  # stands for points that differ no more than repetitions let them


class Moderated(NamedTuple):
    """Arrays (points,)."""

    variance: Floats
    freedom: Floats  # degrees


def moderated(variance: Floats, freedom: Floats) -> Moderated:
    """Variances (points,) with their degrees of freedom, each with what the others tell.

    Of two repetitions each, these differ no more than chance lets them, and become one:

    >>> found = moderated(np.array([1.0, 4.0, 1.0, 4.0]), np.ones(4))
    >>> found.variance.round(2).tolist(), bool(found.freedom.min() > 1.0)
    ([7.12, 7.12, 7.12, 7.12], True)
    """
    from scipy.special import digamma, polygamma

    if variance.size < FEWEST:
        return Moderated(variance, freedom)
    half = freedom / 2
    level = np.log(variance) - digamma(half) + np.log(half)
    spread = float(np.mean((level - level.mean()) ** 2) * level.size / (level.size - 1))
    own = 2 * inverse_trigamma(spread - float(polygamma(1, half).mean()))
    usual = float(np.exp(level.mean() + digamma(own / 2) - np.log(own / 2)))
    together = (own * usual + freedom * variance) / (own + freedom)
    return Moderated(together, own + freedom)


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
