"""Which parameters of a model measured graphs determine.

Source: Golub, Van Loan, "Matrix Computations", 2013, section 5.5 (rank and null space by singular
values).
Idea: how the errors of all ends change when one parameter is a tenth larger, or smaller, is a
column of a matrix. A combination of columns that is zero is a change of parameters that no end
notices; every parameter that takes part in one is not determined, however well the product of two
of them may be. Steps of a tenth, since the models have kinks and plateaus.
"""

from collections.abc import Callable

import numpy as np

from contend.base.document import Floats

NEARBY = (0.9, 1.1)
UNNOTICED = 1e-3  # of the largest singular value: one end of a million would notice
ROUNDING = 1e-9  # of the largest singular value where nothing is noticed at all
TAKES_PART = 0.05  # share of a direction of length 1 below which it is rounding

Errors = Callable[[Floats], Floats]


def unmoved(errors: Errors, factors: Floats) -> Floats:
    """Put 1 in the place of each factor that has moved from it without any error changing."""
    here = errors(factors)
    kept = factors.copy()
    for number in range(len(factors)):
        moved = np.where(np.arange(len(factors)) == number, 1.0, factors)
        kept[number] = 1.0 if np.allclose(errors(moved), here) else factors[number]
    return kept


def undetermined(errors: Errors, factors: Floats) -> np.ndarray:
    """Whether each factor can change, alone or with others, without any error changing.

    >>> product = lambda factors: np.array([np.log(factors[0] * factors[1]), np.log(factors[2])])
    >>> undetermined(product, np.ones(3)).tolist()
    [True, True, False]
    """
    here = errors(factors)
    is_undetermined = np.zeros(len(factors), dtype=bool)
    for step in NEARBY:
        rows = factors * np.where(np.eye(len(factors), dtype=bool), step, 1.0)
        is_undetermined |= _is_in_a_null_direction(
            np.stack([errors(row) - here for row in rows], 1)
        )
    return is_undetermined


def _is_in_a_null_direction(changes: Floats) -> np.ndarray:
    _, singular, directions = np.linalg.svd(changes, full_matrices=True)
    is_small = np.ones(len(directions), dtype=bool)
    is_small[: singular.size] = singular <= UNNOTICED * max(float(singular[0]), ROUNDING)
    takes_part: np.ndarray = (np.abs(directions[is_small]) > TAKES_PART).any(axis=0)
    return takes_part
