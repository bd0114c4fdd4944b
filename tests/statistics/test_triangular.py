import numpy as np
import pytest

from contend.statistics.triangular import solve_lower, solve_transposed


@pytest.mark.parametrize("rows", [1, 7, 32, 33, 100, 257])
@pytest.mark.parametrize("columns", [None, 1, 9])
def test_the_solution_solves_the_system(rows: int, columns: int | None) -> None:
    rng = np.random.default_rng(rows)
    points = rng.normal(size=(rows, rows))
    factor = np.linalg.cholesky(points @ points.T + rows * np.eye(rows))
    right = rng.normal(size=rows if columns is None else (rows, columns))
    np.testing.assert_allclose(factor @ solve_lower(factor, right), right, atol=1e-11)
    np.testing.assert_allclose(factor.T @ solve_transposed(factor, right), right, atol=1e-11)
