from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import OVER_LAUNCHES, over_launches, subsets


def mean(kept: Sequence[float]) -> list[float]:
    return [float(np.mean(kept))]


def median(kept: Sequence[float]) -> list[float]:
    return [float(np.median(kept))]


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=6, unique=True))
def test_of_a_mean_it_is_the_interval_of_student(values: list[float]) -> None:
    found = over_launches(values, mean, is_positive=False)
    half = stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values))
    assert found.low is not None
    assert found.high is not None
    assert found.low[0] == pytest.approx(np.mean(values) - half)
    assert found.high[0] == pytest.approx(np.mean(values) + half)


@pytest.mark.parametrize("estimate", [mean, median])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9, 15])
def test_bounds_hold_the_truth_95_times_in_100(
    estimate: Callable[[Sequence[float]], list[float]], count: int
) -> None:
    rng = np.random.default_rng(count)
    held = 0
    for _ in range(600):
        found = over_launches(np.exp(0.05 * rng.standard_normal(count)).tolist(), estimate)
        assert found.low is not None
        assert found.high is not None
        held += bool(found.low[0] <= 1 <= found.high[0])
    assert 0.92 <= held / 600 <= 0.985


def test_one_launch_tells_nothing_of_others() -> None:
    found = over_launches([3.0], mean)
    assert found.value == [3.0]
    assert (found.low, found.high) == (None, None)
    assert found.quantity(0, "s").bounds is None


def test_bounds_say_what_they_are() -> None:
    quantity = over_launches([3.0, 3.2, 3.1], mean).quantity(0, "s")
    assert quantity.bounds == OVER_LAUNCHES == "95 % over launches"


def test_what_cannot_be_negative_has_no_bound_below_zero() -> None:
    found = over_launches([0.0, 0.1, 2.0], mean)
    assert found.low is not None
    assert found.high is not None
    assert found.low[0] == 0
    assert found.high[0] > 2


def test_bounds_of_a_positive_value_do_not_depend_on_its_unit_nor_on_its_inverse() -> None:
    values = [3.0, 3.2, 3.5]
    seconds = over_launches(values, median)
    scaled = over_launches([1e-9 * value for value in values], median)
    inverse = over_launches([1 / value for value in values], median)
    assert seconds.low is not None
    assert scaled.low is not None
    assert inverse.high is not None
    assert scaled.low == pytest.approx(1e-9 * seconds.low)
    # An even number of launches has no middle one, so its median is not that of the inverses.
    assert inverse.high == pytest.approx(1 / seconds.low, rel=1e-2)


def test_subsets_that_allow_no_estimate_do_not_count() -> None:
    def needs(kept: Sequence[float], count: int) -> list[float]:
        if len(kept) < count:
            raise InvalidInputError("too few", "measure more")
        return mean(kept)

    assert over_launches([1.0, 2.0, 3.0], lambda kept: needs(kept, 2)).low is None
    assert over_launches([1.0, 2.0, 3.0], lambda kept: needs(kept, 1)).low is not None


def test_all_values_are_taken_from_the_same_launches() -> None:
    rng = np.random.default_rng(3)
    launches = [(one, 2 * one) for one in rng.uniform(1, 2, 5).tolist()]
    covariance = over_launches(launches, lambda kept: np.mean(kept, axis=0)).covariance
    assert covariance[0, 1] == pytest.approx(2 * covariance[0, 0])
    assert covariance[1, 1] == pytest.approx(4 * covariance[0, 0])


@given(st.integers(2, 30))
def test_subsets_keep_about_half_and_repeat_themselves(count: int) -> None:
    found = list(subsets(count))
    assert found == list(subsets(count))
    assert 2 <= len(found) <= 40
    assert {len(kept) for kept in found} == {count // 2}
    assert len(list(subsets(1))) == 0
