import numpy as np
import pytest

from contend.tune.verification.gain import LEAST, Gain, Pair, gain_of


def found(*pairs: tuple[float, float]) -> Gain:
    gain = gain_of([Pair(*pair) for pair in pairs])
    assert gain is not None
    return gain


def test_the_gain_is_the_geometric_mean_of_the_ratios() -> None:
    assert found((2.0, 1.0), (8.0, 1.0)).value == pytest.approx(4.0)


def test_what_disturbs_both_runs_of_a_pair_changes_nothing() -> None:
    quiet = found((2.0, 1.0), (2.2, 1.0), (1.8, 1.0))
    disturbed = found((2.0, 1.0), (22.0, 10.0), (180.0, 100.0))
    assert disturbed.value == pytest.approx(quiet.value)
    assert (disturbed.low, disturbed.high) == pytest.approx((quiet.low, quiet.high))


def test_one_pair_has_no_interval_and_is_never_called_slower() -> None:
    gain = found((1.0, 100.0))
    assert (gain.low, gain.high) == (None, None)
    assert not gain.is_slower()


def test_times_that_are_always_worse_are_called_slower() -> None:
    assert found((1.0, 2.0), (1.0, 2.1), (1.0, 1.9)).is_slower()
    assert found((1.0, 2.0), (1.0, 2.0)).is_slower()


def test_a_loss_of_one_per_cent_is_not_called_slower_however_sure() -> None:
    assert not found(*[(0.99, 1.0)] * 20).is_slower()
    assert found(*[(0.97, 1.0)] * 20).is_slower()


def test_of_many_things_more_is_asked() -> None:
    gain = found((1.0, 1.2), (1.0, 1.25), (1.0, 1.3))
    assert gain.is_slower()
    assert not gain.is_slower(tested=100)


def test_nothing_timed_has_no_gain() -> None:
    assert gain_of([]) is None
    assert gain_of([Pair(0.0, 1.0)]) is None


def test_equal_arms_are_rarely_called_slower_and_intervals_hold_the_truth() -> None:
    rng = np.random.default_rng(1)
    gains = [
        found(*((float(a), float(b)) for a, b in np.exp(0.1 * rng.standard_normal((5, 2)))))
        for _ in range(400)
    ]
    held = [gain.low <= 1.0 <= gain.high for gain in gains if gain.low and gain.high]
    assert 0.92 <= np.mean(held) <= 0.98
    assert np.mean([gain.is_slower() for gain in gains]) <= 0.03


def test_a_loss_of_a_fifth_is_found_in_most_series_of_five_pairs() -> None:
    rng = np.random.default_rng(2)
    noise = np.exp(0.02 * rng.standard_normal((100, 5, 2)))
    gains = [found(*((0.8 * a, b) for a, b in series.tolist())) for series in noise]
    assert np.mean([gain.is_slower() for gain in gains]) > 0.9
    assert LEAST == 0.98
