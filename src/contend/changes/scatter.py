"""How far launches scatter, when each point has two or three and there are many points.

Source: Smyth 2004, as `contend.statistics.moderated`, which takes points for independent.
Idea: each variance is drawn to what is usual of all, as far as they are alike. Points of one
launch are disturbed together: their variances are alike even where launches are not, and ten sizes
of three launches are not thirty launches. So how alike variances are is seen between groups of
points that share no launch, and what is usual counts for no more degrees of freedom than these
groups have.
Formula: log s^2 has the variance trigamma(d/2) + trigamma(d0/2); it is half the mean square of the
differences between points of different groups, which correlation within groups leaves alone. Then
(d0 s0^2 + d s^2) / (d0 + d), with d0 + d degrees of freedom, at most the sum of d over the groups.
Restrictions: of three groups or more; of fewer each variance stands for itself.
"""

from collections.abc import Sequence

import numpy as np

from contend.document import Floats
from contend.statistics.moderated import Moderated, inverse_trigamma

FEWEST = 3  # groups
LEAST = 0.002  # of the times; no two launches are closer than that but by the digits of a file


def drawn(variance: Floats, freedom: Floats, groups: Sequence[object]) -> Moderated:
    """Variances of logarithms (k,) with degrees of freedom (k,), each with what others tell.

    Those of no degree of freedom (one launch) get what is usual, NaN where nothing is.

    >>> found = drawn(np.array([0.01, 0.04, 0.01, 0.04]), np.full(4, 2.0), ["a", "b", "c", "d"])
    >>> bool(np.ptp(found.variance) < 0.01), found.freedom.tolist()
    (True, [8.0, 8.0, 8.0, 8.0])
    """
    from scipy.special import digamma, polygamma

    known, of = freedom > 0, np.unique([str(one) for one in groups], return_inverse=True)[1]
    variance = np.where(known, np.maximum(variance, LEAST**2), np.nan)
    if np.unique(of[known]).size < FEWEST:
        return Moderated(variance, np.where(known, freedom, np.nan))
    half = freedom[known] / 2
    level = np.log(variance[known]) - digamma(half) + np.log(half)
    spread = _between(level, of[known]) - float(polygamma(1, half).mean())
    own = 2 * inverse_trigamma(spread)
    means = [level[of[known] == one].mean() for one in np.unique(of[known])]
    usual = float(np.exp(np.mean(means) + digamma(own / 2) - np.log(own / 2)))
    most = sum(freedom[known][of[known] == one].mean() for one in np.unique(of[known]))
    counted = np.where(known, freedom, 0.0)
    together = (own * usual + counted * np.where(known, variance, 0.0)) / (own + counted)
    return Moderated(together, np.minimum(own + counted, np.maximum(most, counted)))


def _between(level: Floats, of: np.ndarray) -> float:
    """Half the mean square of differences between values of different groups."""

    def squares(values: Floats) -> tuple[float, int]:
        """Sum over all ordered pairs, and their number."""
        return 2 * values.size**2 * float(values.var()), values.size**2

    total, pairs = squares(level)
    for one in np.unique(of):
        less, fewer = squares(level[of == one])
        total, pairs = total - less, pairs - fewer
    return total / pairs / 2
