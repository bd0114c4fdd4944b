"""Systems of equations with a lower triangular matrix, as Cholesky's factor is one.

Idea: halves. The unknowns of the upper half need only its own rows; the lower half is again such a
system, once they are known. A block of `_BLOCK` rows is solved as any matrix is.
Cost: the products are those of forward substitution, k^2 / 2 for each right side; those of the
blocks are k / `_BLOCK` small systems.
Restrictions: for factors of some hundred rows. `scipy.linalg` takes longer to import than a
prediction takes without it.
"""

import numpy as np

from contend.document import Floats

_BLOCK = 32


def solve_lower(factor: Floats, right: Floats) -> Floats:
    """Solution x of L x = right, (k,) or (k, q), for the lower triangular `factor` L, (k, k)."""
    rows = len(factor)
    if rows <= _BLOCK:
        return np.asarray(np.linalg.solve(factor, right))
    half = rows // 2
    upper = solve_lower(factor[:half, :half], right[:half])
    left = right[half:] - factor[half:, :half] @ upper
    return np.concatenate([upper, solve_lower(factor[half:, half:], left)])


def solve_transposed(factor: Floats, right: Floats) -> Floats:
    """Solution x of L' x = right: in the opposite order, L' is lower triangular too."""
    return solve_lower(factor.T[::-1, ::-1], right[::-1])[::-1]
