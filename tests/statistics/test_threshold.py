import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

from contend.base.document import Quantity
from contend.base.statistics.nonnegative import ROBUST_FROM
from contend.base.statistics.threshold import (
    ThresholdFit,
    fit_at,
    fit_threshold,
    has_jumped,
    threshold_regime,
)
from support.synthesis import SIZES, noisy

BYTES = np.array(SIZES, dtype=float)
ALPHA, BETA = 1e-5, 1e-9


def by_gamma(per_process: np.ndarray) -> ThresholdFit:
    """The fit where alpha and beta are known."""
    return fit_threshold(BYTES, per_process, ALPHA, [BYTES * BETA])


def by_line(per_process: np.ndarray) -> ThresholdFit:
    """The fit where alpha and beta are not known."""
    return fit_threshold(BYTES, per_process, 0.0, [np.ones_like(BYTES), BYTES])


def times(gamma: float, delta: float = 0.0, jump: float = np.inf) -> np.ndarray:
    return ALPHA + BYTES * BETA * gamma + delta * (jump <= BYTES)


@given(st.floats(0.5, 50), st.floats(1e-6, 1e-2), st.sampled_from(SIZES))
@settings(max_examples=40)
def test_gamma_delta_and_m_are_recovered(gamma: float, delta: float, jump: int) -> None:
    found = by_gamma(times(gamma, delta, jump))
    assert found.threshold == jump
    assert found.regression.coefficients == pytest.approx([gamma, delta], rel=1e-6)
    assert found.free("gamma") == ("gamma", "delta")
    assert float(found.jump()["delta"]) == pytest.approx(delta, rel=1e-6)
    assert (found.jump()["M"].value, found.jump()["M"].unit) == (jump, "B")


@given(st.floats(0.5, 50), st.floats(1e-6, 1e-2), st.sampled_from(SIZES[2:-2]))
@settings(max_examples=40)
def test_alpha_beta_delta_and_m_are_recovered(gamma: float, delta: float, jump: int) -> None:
    found = by_line(times(gamma, delta, jump))
    assert found.threshold == jump
    assert found.regression.coefficients == pytest.approx([ALPHA, BETA * gamma, delta], rel=1e-5)


@given(st.floats(0.5, 50))
@settings(max_examples=40)
def test_there_is_no_jump_where_there_is_none(gamma: float) -> None:
    for fit, names in ((by_gamma, ("gamma",)), (by_line, ("alpha", "beta"))):
        found = fit(times(gamma))
        assert found.threshold is None
        assert found.free(*names) == names
        assert found.jump() == {"delta": Quantity(value=0.0, unit="s")}


def test_a_jump_down_is_not_a_cost_and_no_jump_is_seen() -> None:
    assert by_line(ALPHA + 5e-6 * (BYTES < 1024) + BYTES * BETA).threshold is None


def test_a_jump_at_the_smallest_size_is_a_start_up_cost_for_all() -> None:
    found = by_gamma(times(2.0, 1e-5, jump=SIZES[0]))
    assert found.threshold == SIZES[0]
    assert by_line(times(2.0, 1e-5, jump=SIZES[0])).threshold is None  # alpha says it already


@pytest.mark.full
def test_a_jump_well_above_the_noise_is_found_at_its_place() -> None:
    rng = np.random.default_rng(5)
    found = [
        by_gamma(np.array([noisy(t, rng, 0.03)[0] for t in times(3.0, 1e-4, 4096)]))
        for _ in range(100)
    ]
    assert [fit.threshold for fit in found] == [4096] * 100
    inside = [fit.regression.low[1] <= 1e-4 <= fit.regression.high[1] for fit in found]
    assert np.mean(inside) == pytest.approx(0.95, abs=0.05)


def test_a_jump_that_noise_suggests_is_no_larger_than_the_noise() -> None:
    rng = np.random.default_rng(6)
    for _ in range(100):
        measured = np.array([noisy(t, rng, 0.03)[0] for t in times(3.0)])
        found = by_gamma(measured)
        if found.threshold is not None:
            at = times(3.0)[found.threshold == BYTES].item()
            assert float(found.jump()["delta"]) < 0.2 * at


def test_the_best_of_all_jumps_is_chosen() -> None:
    """Brute force: no other M, nor none, has a smaller criterion."""
    rng = np.random.default_rng(8)
    measured = np.array([noisy(t, rng, 0.1)[0] for t in times(3.0, 2e-5, 1024)])
    found = by_gamma(measured)
    for jump in SIZES:
        design = np.column_stack([BYTES * BETA, jump <= BYTES])
        best = least_squares(
            lambda b, design=design: np.log((ALPHA + design @ b) / measured), [3, 2e-5],
            x_scale=[1, 1e-5], loss="huber", f_scale=ROBUST_FROM, bounds=(0, np.inf),
        )  # fmt: skip
        criterion = BYTES.size * np.log(2 * best.cost / BYTES.size) + 2 * 3  # M is a parameter
        assert found.regression.aic <= criterion + 1e-6
        assert found.threshold != jump or found.regression.aic == pytest.approx(criterion)


def test_m_takes_a_degree_of_freedom() -> None:
    rng = np.random.default_rng(8)
    measured = np.array([noisy(t, rng, 0.1)[0] for t in times(3.0, 2e-5, 1024)])
    found = by_gamma(measured)
    assert found.threshold is not None
    assert found.regression.degrees_of_freedom == BYTES.size - 3


def test_with_m_given_the_rest_is_fitted_alike() -> None:
    measured = times(3.0, 2e-5, 1024)
    found = fit_at(1024.0, BYTES, measured, ALPHA, [BYTES * BETA])
    assert found.regression.coefficients == pytest.approx([3.0, 2e-5])
    assert fit_at(None, BYTES, measured, ALPHA, [BYTES * BETA]).jump()["delta"].value == 0.0


def test_four_sizes_are_enough() -> None:
    four = BYTES[:4]
    found = fit_threshold(four, ALPHA + 2 * BETA * four, ALPHA, [BETA * four])
    assert (found.threshold, found.regression.coefficients[0]) == (None, pytest.approx(2.0))


def test_delta_is_added_from_m_bytes_on() -> None:
    size, delta = np.array([[1023.0, 1024.0], [1025.0, 0.0]]), Quantity(value=2.0, unit="s")
    jump = Quantity(value=1024.0, unit="B")
    assert has_jumped(jump, delta, size).tolist() == [[0.0, 2.0], [2.0, 0.0]]
    assert has_jumped(None, delta, size).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert threshold_regime(jump, size.ravel()) == ["m < M", "m >= M", "m >= M", "m < M"]
    assert threshold_regime(None, size.ravel()) == ["all sizes"] * 4
