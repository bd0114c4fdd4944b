"""Which parameters of a model measured graphs determine.

Source: Golub, Van Loan, "Matrix Computations", 2013, section 5.5 (rank and null space by singular
values).
Idea: how the errors of all ends change when one parameter is a tenth larger, or smaller, is a
column of a matrix. A combination of columns that is zero is a change of parameters that no end
notices; every parameter that takes part in one is not determined, however well the product of two
of them may be. Steps of a tenth, since the models have kinks and plateaus.
"""

from collections.abc import Callable, Sequence

import numpy as np

from contend.document import Floats

ELSEWHERE = (0.25, 0.5, 0.9, 1.1, 2.0, 4.0)  # factors at which a parameter may matter
NEARBY = (0.9, 1.1)
UNNOTICED = 1e-3  # of the largest singular value: one end of a million would notice
ROUNDING = 1e-9  # of the largest singular value where nothing is noticed at all
TAKES_PART = 0.05  # share of a direction of length 1 below which it is rounding

Errors = Callable[[Floats], Floats]


def is_seen(errors: Errors, factors: Floats) -> np.ndarray:
    """Whether some error depends on each of the factors, here, elsewhere, or from 1 to here."""
    here = errors(factors)

    def matters(number: int) -> bool:
        moved = _moved(factors, number, ELSEWHERE)
        moved.append(np.where(np.arange(len(factors)) == number, 1.0, factors))
        return any(not np.allclose(errors(row), here) for row in moved)

    return np.array([matters(number) for number in range(len(factors))], dtype=bool)


def undetermined(errors: Errors, factors: Floats) -> np.ndarray:
    """Whether each factor can change, alone or with others, without any error changing.

    >>> product = lambda factors: np.array([np.log(factors[0] * factors[1]), np.log(factors[2])])
    >>> undetermined(product, np.ones(3)).tolist()
    [True, True, False]
    """
    here = errors(factors)
    found = np.zeros(len(factors), dtype=bool)
    for step in NEARBY:
        rows = [_moved(factors, number, (step,))[0] for number in range(len(factors))]
        found |= _is_in_a_null_direction(np.stack([errors(row) - here for row in rows], 1))
    return found


def _is_in_a_null_direction(changes: Floats) -> np.ndarray:
    """Whether each column takes part in a combination of columns that is zero."""
    _, singular, directions = np.linalg.svd(changes, full_matrices=True)
    is_small = np.ones(len(directions), dtype=bool)
    is_small[: singular.size] = singular <= UNNOTICED * max(float(singular[0]), ROUNDING)
    found: np.ndarray = (np.abs(directions[is_small]) > TAKES_PART).any(axis=0)
    return found


def _moved(factors: Floats, number: int, steps: Sequence[float]) -> list[Floats]:
    """The factors with one of them so many times larger, for each step."""
    return [np.where(np.arange(len(factors)) == number, step * factors, factors) for step in steps]
