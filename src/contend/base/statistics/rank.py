"""What the next of some values stays below, by the rank that holds for their number.

Source: Wilks, "Determination of sample sizes for setting tolerance limits", 1941; in machine
learning split conformal prediction, Vovk, Gammerman, Shafer 2005, section 4.2.
Idea: of k + 1 values that come in any order with equal chances the last one is as likely to have
each rank. It is at most the r-th smallest of the other k with a chance of r / (k+1).
Formula: r = ceil(share (k+1)); known only where r <= k, for 90 % from k = 9 on.
Restrictions: the next value must be drawn as those seen were.
"""

from math import ceil

import numpy as np
from numpy.typing import ArrayLike

SHARE = 0.9
FEWEST = 9  # values that a reach of 90 % takes: the smallest k with ceil(0.9 (k+1)) <= k


def reach(values: ArrayLike) -> float | None:
    """What the next value is at most in 90 % of all cases; None where the values are too few.

    >>> reach(range(1, 10)), reach(range(1, 20)), reach([1, 2, 3])
    (9.0, 18.0, None)
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if ordered.size < FEWEST:
        return None
    return float(ordered[ceil(round(SHARE * (ordered.size + 1), 9)) - 1])
