"""Student's t: how many standard deviations hold a share of the values.

Source: Abramowitz, Stegun, "Handbook of Mathematical Functions", 1964, 26.7.3 and 26.7.4.
Idea: of whole degrees of freedom the share within t is a finite sum; Newton's method inverts it.
The share is concave in t, so that from any t below the one sought each step stays below it.
Formula: with tan(x) = t / sqrt(k), the share is sin(x) (1 + cos(x)^2 / 2 + 1 3 / (2 4) cos(x)^4 +
...) to cos(x)^(k-2) for an even k; for an odd one 2 / pi (x + sin(x) cos(x) (1 + 2 / 3 cos(x)^2 +
2 4 / (3 5) cos(x)^4 + ...)) to cos(x)^(k-2) too.
Restrictions: whole degrees of freedom, 1 or more. `scipy.special` has all others, and takes longer
to import than a prediction takes without it.
"""

from functools import lru_cache
from math import atan2, cos, lgamma, log, pi, sin, sqrt

import numpy as np

_STEPS = 100
_CLOSE = 1e-15  # relative; a step that is smaller ends the search


@lru_cache(maxsize=1024)
def within(degrees: int, share: float) -> float:
    """The t of which `share` of the values are between -t and t.

    >>> round(within(2, 0.95), 4)
    4.3027
    """
    t = 0.0
    for _ in range(_STEPS):
        step = (share - _share(degrees, t)) / (2 * _density(degrees, t))
        t += step
        if abs(step) <= _CLOSE * t:
            break
    return t


def _share(degrees: int, t: float) -> float:
    """Of the values between -t and t."""
    angle = atan2(t, sqrt(degrees))
    powers = np.arange(2 + degrees % 2, degrees - 1, 2)  # of cos(x), after the first term
    factors = (powers - 1) / powers * cos(angle) ** 2
    total = 1.0 + float(np.cumprod(factors).sum())
    if degrees % 2 == 0:
        return sin(angle) * total
    return 2 / pi * (angle + (sin(angle) * cos(angle) * total if degrees > 1 else 0.0))


def _density(degrees: int, t: float) -> float:
    half = degrees / 2
    scale = lgamma(half + 0.5) - lgamma(half) - 0.5 * log(degrees * pi)
    return float(np.exp(scale - (half + 0.5) * np.log1p(t * t / degrees)))
