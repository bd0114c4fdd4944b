"""Where a form begins to describe times: at the size from which another law does not hold."""

from functools import partial

import numpy as np
import pytest

from contend.base.document import Floats
from contend.base.statistics.regression import fit_times
from contend.base.statistics.smallest_size import Fitted, smallest_described_size

SIZES = 2.0 ** np.arange(0, 21)


def line(sizes: Floats, seconds: Floats, start: float) -> Fitted:
    """A known start-up and a slope."""
    slope = fit_times(sizes[:, None], seconds, start).coefficients
    return (lambda m: start + m * slope[0]), 1


def found(seconds: Floats, sizes: Floats = SIZES) -> float | None:
    fit = partial(line, start=1.0)
    return smallest_described_size(sizes, seconds, fit(sizes, seconds), fit)


def law(sizes: Floats) -> Floats:
    return 1.0 + sizes / 1000


@pytest.mark.parametrize("cut", [2, 64, 4096, 131072])
@pytest.mark.parametrize("noise", [0.0, 0.03, 0.08])
def test_it_begins_where_another_law_ends(cut: int, noise: float) -> None:
    rng = np.random.default_rng(cut)
    seconds = np.where(cut > SIZES, 0.2 + SIZES / 2000, law(SIZES))
    start = found(seconds * np.exp(noise * rng.standard_normal(SIZES.size)))
    assert start == cut or (start is None and cut == 2)  # one size of a noise is no law


def test_one_law_for_all_sizes_leaves_none_out() -> None:
    rng, left_out = np.random.default_rng(1), 0
    for noise in (0.0, 0.05, 0.15):
        for _ in range(30):
            left_out += found(law(SIZES) * np.exp(noise * rng.standard_normal(21))) is not None
    assert left_out <= 2


def test_a_time_out_at_one_small_size_is_no_law() -> None:
    seconds = law(SIZES)
    seconds[4] *= 30
    assert found(seconds) is None


def test_four_sizes_remain() -> None:
    sizes = SIZES[::4]
    seconds = np.where(sizes < sizes[-2], 0.2, law(sizes))
    assert found(seconds, sizes) in (None, *sizes[1:-3])
    assert found(seconds[:4], sizes[:4]) is None
