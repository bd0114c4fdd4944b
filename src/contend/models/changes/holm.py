"""Which of many hypotheses are rejected, all of them together.

Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 6, 1979.
Idea: of a hundred comparisons without any change, five have a 95 % interval that leaves 1 out. The
smallest chance has to be below 5 % over their number, the next below 5 % over one less, and so on
until one fails. Whether there is any false one among all that pass is then a matter of 5 %,
however the comparisons depend on each other: those of one launch do.
Restrictions: the chances must hold one by one. More comparisons find smaller changes less often.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

WRONG = 0.05  # chance of a false claim among all


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
