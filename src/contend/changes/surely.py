"""Which of many changes are sure, all of them together.

Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 6, 1979.
Idea: of a hundred comparisons without any change, five have a 95 % interval that leaves 1 out. The
smallest chance has to be below 5 % over their number, the next below 5 % over one less, and so on
until one fails. Whether there is any false one among all that pass is then a matter of 5 %,
however the comparisons depend on each other: those of one launch do.
Restrictions: the chances must hold one by one. More comparisons find smaller changes less often.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats

WRONG = 0.05  # chance of a false claim among all


def surely(chances: ArrayLike, wrong: float = WRONG) -> np.ndarray:
    """Whether each hypothesis that nothing changed, of chance (k,), is rejected; shape (k,).

    Those of chance NaN were not tested, and count for nothing.

    >>> surely([0.001, 0.02, 0.04, float("nan")]).tolist()
    [True, True, True, False]
    >>> surely([0.03, 0.03]).tolist()
    [False, False]
    """
    return np.asarray(adjusted(chances) <= wrong)


def adjusted(chances: ArrayLike) -> Floats:
    """Chances (k,) multiplied for their number, so that each compares with 5 % itself.

    >>> adjusted([0.01, 0.04, 0.5]).round(3).tolist()
    [0.03, 0.08, 0.5]
    """
    given = np.asarray(chances, dtype=np.float64)
    found = np.full(given.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(given))
    order = tested[np.argsort(given[tested], kind="stable")]
    times = np.arange(order.size, 0, -1)
    found[order] = np.minimum(np.maximum.accumulate(given[order] * times), 1.0)
    return found
