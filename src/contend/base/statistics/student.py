"""Student's t: how many standard deviations hold a share of the values.

Source: Abramowitz, Stegun, "Handbook of Mathematical Functions", 1964, 26.7.1.
Idea: the share within t is an integral without poles, by Gauss and Legendre's rule; Newton's method
inverts it. The share is concave in t, so that from any t below the one sought each step stays below
it.
Formula: with tan(x) = t / sqrt(k) the share is the integral of cos(y)^(k-1) over y from 0 to x over
that to pi / 2, which is sqrt(pi) / 2 gamma(k / 2) / gamma((k + 1) / 2).
Restrictions: degrees of freedom of 1 or more, whole or not; of those that are not whole to 1e-6.
`scipy.special` has all of it, and takes longer to import than a prediction takes without it.
"""

from functools import cache, lru_cache
from math import atan2, exp, lgamma, log, log1p, pi, sqrt

import numpy as np

from contend.base.document import Floats

NORMAL_90 = 1.6449  # standard deviations of a normal distribution to each side that hold 90 %
_STEPS = 100
_CLOSE = 1e-13  # relative; a step that is smaller ends the search
_NODES = 60


@lru_cache(maxsize=1024)
def within(degrees: float, share: float) -> float:
    """The t of which `share` of the values are between -t and t.

    >>> round(within(2, 0.95), 4), round(within(2.5, 0.95), 4)
    (4.3027, 3.5747)
    """
    t = 0.0
    for _ in range(_STEPS):
        step = (share - _share(degrees, t)) / (2 * _density(degrees, t))
        t += step
        if abs(step) <= _CLOSE * t:
            break
    return t


def _share(degrees: float, t: float) -> float:
    nodes, weights = _rule()
    angle = atan2(t, sqrt(degrees))
    part = angle * float(weights @ np.cos(angle * nodes) ** (degrees - 1))
    return 2 / sqrt(pi) * part * exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2))


@cache
def _rule() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


def _density(degrees: float, t: float) -> float:
    half = degrees / 2
    scale = lgamma(half + 0.5) - lgamma(half) - 0.5 * log(degrees * pi)
    return exp(scale - (half + 0.5) * log1p(t * t / degrees))
