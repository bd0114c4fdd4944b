import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from contend.errors import InvalidInputError
from contend.regression import nonnegative_gls

seeds = st.integers(0, 10**6)


def system(seed: int, points: int = 12, columns: int = 3) -> tuple[np.ndarray, ...]:
    """A design, observations of it with coefficients of either sign, and their deviations."""
    rng = np.random.default_rng(seed)
    design = rng.uniform(0, 1, (points, columns))
    sigma = rng.uniform(0.05, 0.2, points)
    observed = design @ rng.normal(0.3, 1, columns) + sigma * rng.standard_normal(points)
    return design, observed, sigma


@given(seeds, st.integers(1, 4))
@settings(max_examples=50, deadline=None)
def test_the_coefficients_are_those_of_nonnegative_least_squares(seed: int, columns: int) -> None:
    design, observed, sigma = system(seed, columns=columns)
    expected, _ = nnls(design / sigma[:, None], observed / sigma)
    assert nonnegative_gls(design, observed, sigma).coefficients == pytest.approx(
        expected, abs=1e-8
    )


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_where_all_are_positive_it_is_plain_generalised_least_squares(seed: int) -> None:
    design, _, sigma = system(seed)
    observed = design @ np.array([1.0, 2.0, 3.0]) + 0.1 * sigma
    free = sm.GLS(observed, design, sigma=sigma**2).fit()
    found = nonnegative_gls(design, observed, sigma)
    assert found.coefficients == pytest.approx(free.params)
    assert found.covariance == pytest.approx(free.cov_params())
    low, high = free.conf_int(alpha=0.05).T
    assert found.low == pytest.approx(np.maximum(low, 0))
    assert found.high == pytest.approx(high)
    assert found.degrees_of_freedom == free.df_resid == 9


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_a_full_covariance_whitens_the_observations(seed: int) -> None:
    design, observed, _ = system(seed)
    half = np.random.default_rng(seed + 1).normal(size=(12, 12)) + 4 * np.eye(12)
    covariance = half @ half.T
    whiten = np.linalg.inv(np.linalg.cholesky(covariance))
    expected, _ = nnls(whiten @ design, whiten @ observed)
    found = nonnegative_gls(design, observed, covariance)
    assert found.coefficients == pytest.approx(expected, abs=1e-8)


def test_a_diagonal_covariance_is_the_same_as_deviations() -> None:
    design, observed, sigma = system(3)
    by_vector = nonnegative_gls(design, observed, sigma)
    by_matrix = nonnegative_gls(design, observed, np.diag(sigma**2))
    assert by_vector.coefficients == pytest.approx(by_matrix.coefficients)
    assert by_vector.covariance == pytest.approx(by_matrix.covariance)


@given(seeds, st.floats(1e-6, 1e6))
@settings(max_examples=30, deadline=None)
def test_a_common_factor_of_the_deviations_does_not_matter(seed: int, factor: float) -> None:
    design, observed, sigma = system(seed)
    before = nonnegative_gls(design, observed, sigma)
    after = nonnegative_gls(design, observed, sigma * factor)
    assert after.coefficients == pytest.approx(before.coefficients)
    assert after.covariance == pytest.approx(before.covariance)


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_no_coefficient_and_no_bound_is_negative_and_bounds_are_in_order(seed: int) -> None:
    found = nonnegative_gls(*system(seed))
    assert (found.low >= 0).all()
    assert (found.low <= found.coefficients).all()
    assert (found.coefficients <= found.high).all()
    held = found.coefficients == 0
    assert (found.covariance[held] == 0).all()
    assert (found.covariance[:, held] == 0).all()


def test_a_coefficient_held_at_zero_keeps_the_upper_bound_of_the_free_fit() -> None:
    size = np.arange(1.0, 9.0)
    design = np.column_stack([np.ones(8), size])
    observed = 2 * size - 0.05 + 0.1 * np.cos(size)
    free = sm.OLS(observed, design).fit()
    found = nonnegative_gls(design, observed, np.ones(8))
    assert free.params[0] < 0 < free.conf_int()[0, 1]
    assert found.coefficients[0] == found.low[0] == 0.0
    assert found.high[0] == pytest.approx(free.conf_int()[0, 1])
    assert found.degrees_of_freedom == 7


def test_where_every_cost_is_negative_all_are_zero() -> None:
    design = np.column_stack([np.ones(6), np.arange(6.0)])
    found = nonnegative_gls(design, -np.ones(6), np.ones(6))
    assert (found.coefficients == 0).all()
    assert found.degrees_of_freedom == 6
    assert found.aic == pytest.approx(6 * np.log(1.0))


def test_an_exact_fit_recovers_its_coefficients_and_no_criterion_prefers_rounding() -> None:
    size = 2.0 ** np.arange(4, 20)
    observed = 1e-6 + 8e-9 * size
    few = nonnegative_gls(np.column_stack([np.ones(16), size]), observed, observed)
    more = nonnegative_gls(np.column_stack([np.ones(16), size, size > 99]), observed, observed)
    assert few.coefficients == pytest.approx([1e-6, 8e-9], rel=1e-9)
    assert few.aic <= more.aic


def test_as_many_parameters_as_points_are_an_error() -> None:
    with pytest.raises(InvalidInputError, match="3 points for 3 parameters; measure more sizes"):
        nonnegative_gls(np.eye(3), np.ones(3), np.ones(3))


def test_the_intervals_hold_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(7)
    size = np.geomspace(64, 1 << 17, 8)
    design, truth = np.column_stack([np.ones(8), size]), np.array([2e-5, 8e-9])
    times = design @ truth
    found = [
        nonnegative_gls(design, times * (1 + 0.02 * rng.standard_normal(8)), times)
        for _ in range(400)
    ]
    inside = np.array([(fit.low <= truth) & (truth <= fit.high) for fit in found])
    assert inside.mean(axis=0) == pytest.approx([0.95, 0.95], abs=0.03)
