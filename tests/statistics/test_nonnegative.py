import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

from contend.base.statistics.nonnegative import ROBUST_FROM, logarithms, loss, nonnegative

seeds = st.integers(0, 10**6)
noises = st.sampled_from([0.02, 0.1, 0.3, 1.0])


def system(seed: int, noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Design, observations and known part: a start-up, a cost per byte and a jump, or any."""
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(1, 4))
    points = int(rng.integers(columns + 1, 13))
    size = np.geomspace(1, 1e6, points) * np.exp(0.1 * rng.standard_normal(points))
    shapes = [np.ones(points), size, (size >= size[points // 2]).astype(float)]
    design = np.column_stack(shapes[:columns])
    if seed % 2:
        design = rng.uniform(0, 1, design.shape)
    truth = rng.exponential(1, columns) * (rng.random(columns) < 0.8) / design.max(axis=0)
    truth[0] = max(truth[0], 1e-3)
    known = rng.uniform(0, 0.3, points) * (design @ truth) * (seed % 3 == 0)
    observed = (known + design @ truth) * np.exp(noise * rng.standard_normal(points))
    return design, observed, known


def brute_force(design: np.ndarray, observed: np.ndarray, known: np.ndarray, seed: int) -> float:
    """The least loss that another solver reaches from many starts."""
    rng = np.random.default_rng(seed)
    scale = np.linalg.norm(design / observed[:, None], axis=0)
    relative, offset = design / observed[:, None] / scale, known / observed
    ones = np.ones(len(observed))
    return min(
        2 * least_squares(
            lambda b: logarithms(relative, ones, offset, b),
            np.exp(2 * rng.standard_normal(design.shape[1])),
            bounds=(0, np.inf), loss="huber", f_scale=ROBUST_FROM,
        ).cost
        for _ in range(8)
    )  # fmt: skip


@given(seeds, noises)
@settings(max_examples=60, deadline=None)
def test_no_other_solver_finds_less(seed: int, noise: float) -> None:
    design, observed, known = system(seed, noise)
    found = nonnegative(design, observed, known)
    reached = loss(logarithms(design, observed, known, found))
    assert reached <= brute_force(design, observed, known, seed) * (1 + 1e-6) + 1e-12


@given(seeds, noises)
@settings(max_examples=60, deadline=None)
def test_the_optimum_meets_the_conditions_of_karush_kuhn_and_tucker(
    seed: int, noise: float
) -> None:
    design, observed, known = system(seed, noise)
    found = nonnegative(design, observed, known)
    residuals = logarithms(design, observed, known, found)
    jacobian = design / (observed * np.exp(residuals))[:, None]
    slope = jacobian.T @ np.clip(residuals, -ROBUST_FROM, ROBUST_FROM)
    slope /= np.linalg.norm(jacobian, axis=0)
    assert (found >= 0).all()
    assert slope[found > 0] == pytest.approx(0, abs=1e-5)
    assert (slope[found == 0] >= -1e-5).all()


@given(seeds, noises, st.integers(-12, 12), st.integers(-12, 12))
@settings(max_examples=60, deadline=None)
def test_units_do_not_matter(seed: int, noise: float, of_time: int, of_column: int) -> None:
    design, observed, known = system(seed, noise)
    time, column = 10.0**of_time, 10.0**of_column
    found = nonnegative(design * column, observed * time, known * time)
    before = loss(logarithms(design, observed, known, nonnegative(design, observed, known)))
    after = loss(logarithms(design * column, observed * time, known * time, found))
    assert after == pytest.approx(before, rel=1e-6, abs=1e-12)


def test_a_ratio_that_a_time_out_makes_hardly_moves_the_others() -> None:
    size = np.geomspace(64, 1 << 17, 8)
    design = np.column_stack([np.ones(8), size])
    times = design @ [1e-5, 2e-9]
    times[3] *= 50
    assert nonnegative(design, times, np.zeros(8)) == pytest.approx([1e-5, 2e-9], rel=0.15)


def test_a_column_without_effect_has_no_coefficient() -> None:
    design = np.column_stack([np.zeros(4), np.ones(4)])
    assert nonnegative(design, np.full(4, 3.0), np.zeros(4)) == pytest.approx([0, 3])


@pytest.mark.full
@pytest.mark.parametrize("noise", [0.1, 0.2, 0.3])
def test_gamma_is_found_without_bias_whatever_the_noise(noise: float) -> None:
    rng = np.random.default_rng(11)
    size = np.geomspace(64, 1 << 20, 8)
    alpha, beta = 1e-5, 1e-9
    truth = alpha + 3 * beta * size
    found = [
        nonnegative(
            beta * size[:, None],
            truth * np.exp(noise * rng.standard_normal(size.size)),
            np.full(size.size, alpha),
        )[0]
        for _ in range(1500)
    ]
    assert np.mean(found) == pytest.approx(3.0, rel=0.02)
