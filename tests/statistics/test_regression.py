import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.base.statistics.regression import Regression, fit_times

seeds = st.integers(0, 10**6)
SIZE = np.geomspace(64, 1 << 17, 8)
LINE = np.column_stack([np.ones(8), SIZE])
TRUTH = np.array([2e-5, 8e-9])


def noisy(rng: np.random.Generator, noise: float) -> np.ndarray:
    times: np.ndarray = LINE @ TRUTH * np.exp(noise * rng.standard_normal(8))
    return times


@given(seeds, st.sampled_from([0.02, 0.3]))
@settings(max_examples=50, deadline=None)
def test_no_coefficient_and_no_bound_is_negative_and_bounds_are_in_order(
    seed: int, noise: float
) -> None:
    rng = np.random.default_rng(seed)
    design = rng.uniform(0, 1, (12, 3))
    observed = design @ rng.exponential(1, 3) * np.exp(noise * rng.standard_normal(12))
    found = fit_times(design, observed)
    assert (found.low >= 0).all()
    assert (found.low <= found.coefficients).all()
    held = found.coefficients == 0
    assert (found.coefficients[~held] <= found.high[~held]).all()
    assert (found.covariance[held] == 0).all()
    assert (found.covariance[:, held] == 0).all()


def test_a_coefficient_held_at_zero_keeps_an_upper_bound() -> None:
    observed = 2 * SIZE * np.array([0.9, 1.0, 1.0, 1.1, 1.0, 0.9, 1.0, 1.1])
    found = fit_times(LINE, observed)
    assert found.coefficients[0] == found.low[0] == 0.0
    assert 0 < found.high[0] < 20
    assert found.degrees_of_freedom == 7


def test_what_is_known_is_part_of_the_time_and_of_its_relative_error() -> None:
    found = fit_times(SIZE[:, None], 1.0 + 3 * SIZE, fixed=np.ones(8))
    assert found.coefficients == pytest.approx([3.0])


def test_where_the_known_part_is_larger_than_the_time_all_is_zero() -> None:
    found = fit_times(LINE, np.ones(8), fixed=2.0)
    assert (found.coefficients == 0).all()
    assert found.degrees_of_freedom == 8


def test_an_exact_fit_recovers_its_coefficients_and_no_criterion_prefers_rounding() -> None:
    size = 2.0 ** np.arange(4, 20)
    observed = 1e-6 + 8e-9 * size
    few = fit_times(np.column_stack([np.ones(16), size]), observed)
    more = fit_times(np.column_stack([np.ones(16), size, size > 99]), observed)
    assert few.coefficients == pytest.approx([1e-6, 8e-9], rel=1e-9)
    assert few.aic <= more.aic


@pytest.mark.parametrize(("columns", "chosen"), [(3, 0), (2, 1)])
def test_as_many_parameters_as_points_are_an_error(columns: int, chosen: int) -> None:
    with pytest.raises(InvalidInputError, match="3 points for 3 parameters; measure more sizes"):
        fit_times(np.eye(3)[:, :columns], np.ones(3), chosen=chosen)


def test_a_time_of_zero_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="a time of 0 s"):
        fit_times(np.ones((3, 1)), np.array([1.0, 0.0, 1.0]))


def test_a_chosen_parameter_takes_a_degree_of_freedom_and_counts_in_the_criterion() -> None:
    observed = noisy(np.random.default_rng(1), 0.1)
    plain, chosen = fit_times(LINE, observed), fit_times(LINE, observed, chosen=1)
    assert (plain.degrees_of_freedom, chosen.degrees_of_freedom) == (6, 5)
    assert chosen.aic == pytest.approx(plain.aic + 2)
    assert chosen.covariance == pytest.approx(plain.covariance * 6 / 5)


@pytest.mark.parametrize("noise", [0.02, 0.2])
def test_the_intervals_hold_the_truth_95_times_in_100(noise: float) -> None:
    rng = np.random.default_rng(7)
    found: list[Regression] = [fit_times(LINE, noisy(rng, noise)) for _ in range(600)]
    inside = np.array([(fit.low <= TRUTH) & (fit.high >= TRUTH) for fit in found])
    assert inside.mean(axis=0) == pytest.approx([0.95, 0.95], abs=0.03)
