"""When the MPI experiments stop repeating, and which repetitions they take for warm-up."""

import ctypes
import itertools
import math

import numpy as np
import pytest
from scipy import stats
from structures import Limits


class Interval(ctypes.Structure):
    _fields_ = [("low", ctypes.c_double), ("median", ctypes.c_double), ("high", ctypes.c_double)]


def doubles(values):
    return (ctypes.c_double * len(values))(*values)


GO_ON, PRECISION, MAX_REPETITIONS, MAX_SECONDS = range(4)
LIMITS = Limits(20, 500, 0.5, 0.05, 0.95)


class Adaptive:
    """The functions of adaptive.c with Python arguments."""

    def __init__(self, library):
        self.library = library
        library.contend_binomial_tail.restype = ctypes.c_double
        library.contend_median_interval.restype = Interval
        library.contend_interval_relative.restype = ctypes.c_double
        library.contend_warmup_length.restype = ctypes.c_size_t
        library.contend_next_batch.restype = ctypes.c_size_t

    def tail(self, n, p, r):
        return float(
            self.library.contend_binomial_tail(
                ctypes.c_size_t(n), ctypes.c_double(p), ctypes.c_size_t(r)
            )
        )

    def interval(self, values, confidence=0.95):
        n = ctypes.c_size_t(len(values))
        ordered = doubles(values)
        self.library.contend_sort(doubles(values), n, ordered)
        result = self.library.contend_median_interval(ordered, n, ctypes.c_double(confidence))
        assert isinstance(result, Interval)
        return result

    def relative(self, interval):
        return float(self.library.contend_interval_relative(interval))

    def warmup(self, values):
        scratch = doubles(values)
        n = ctypes.c_size_t(len(values))
        return int(self.library.contend_warmup_length(doubles(values), n, scratch))

    def decide(self, kept, relative, is_time_up):
        return int(
            self.library.contend_decide(
                ctypes.byref(LIMITS),
                ctypes.c_size_t(kept),
                ctypes.c_double(relative),
                ctypes.c_bool(is_time_up),
            )
        )

    def next_batch(self, kept):
        return int(self.library.contend_next_batch(ctypes.byref(LIMITS), ctypes.c_size_t(kept)))


@pytest.fixture(scope="module")
def adaptive(load_common):
    return Adaptive(load_common("adaptive"))


@pytest.mark.parametrize("n", [1, 2, 5, 20, 501, 100_000])
def test_the_binomial_tail_is_that_of_scipy(adaptive, n):
    for p in (0.0, 1e-9, 0.01, 0.3, 0.5, 0.77, 1 - 1e-9, 1.0):
        for r in {0, 1, n // 3, n // 2, n // 2 + 1, n, n + 1}:
            expected = stats.binom.sf(r - 1, n, p)
            assert adaptive.tail(n, p, r) == pytest.approx(expected, rel=1e-8, abs=1e-12)


def quantile(sorted_values, q):
    """The smallest value whose empirical distribution reaches q."""
    return float(sorted_values[math.ceil(q * len(sorted_values)) - 1])


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_the_interval_is_that_of_all_resamples(adaptive, n, confidence):
    values = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])[:n]
    resamples = np.sort(np.array(list(itertools.product(values, repeat=n))), axis=1)
    lower = np.sort(resamples[:, (n - 1) // 2])
    upper = np.sort(resamples[:, n // 2])
    interval = adaptive.interval(values, confidence)
    assert interval.low == quantile(lower, (1 - confidence) / 2)
    assert interval.high == quantile(upper, (1 + confidence) / 2)
    assert interval.median == np.median(values)


@pytest.mark.parametrize("n", [10, 21, 50, 200, 333])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_interval_is_that_of_scipy_within_an_order_statistic(adaptive, n, seed):
    generator = np.random.default_rng(seed)
    values = generator.lognormal(0.0, 0.5, n)
    drawn = stats.bootstrap(
        (values,), np.median, n_resamples=20_000, method="percentile", vectorized=True,
        batch=1000, rng=generator,
    ).confidence_interval  # fmt: skip
    interval = adaptive.interval(values)
    ordered = np.sort(values)
    for exact, sampled in ((interval.low, drawn.low), (interval.high, drawn.high)):
        place = int(np.searchsorted(ordered, exact))
        assert ordered[max(place - 1, 0)] <= sampled <= ordered[min(place + 1, n - 1)]


def test_the_interval_covers_the_true_median_nearly_as_often_as_claimed(adaptive):
    generator = np.random.default_rng(7)
    n_series = 1000
    covered = 0
    for _ in range(n_series):
        interval = adaptive.interval(generator.exponential(1.0, 31), 0.9)
        covered += interval.low <= math.log(2.0) <= interval.high
    # Percentile intervals are a little short: of 31 values this is the 12th to the 20th.
    exact = stats.binom.cdf(19, 31, 0.5) - stats.binom.cdf(11, 31, 0.5)
    assert covered / n_series == pytest.approx(exact, abs=0.04)
    assert exact > 0.84


def test_an_interval_without_spread_is_precise_and_a_single_value_never(adaptive):
    interval = adaptive.interval([2.5] * 20)
    assert (interval.low, interval.median, interval.high) == (2.5, 2.5, 2.5)
    assert adaptive.relative(interval) == 0.0
    single = adaptive.interval([2.5])
    assert (single.median, adaptive.relative(single)) == (2.5, math.inf)
    assert adaptive.relative(Interval(0.0, 0.0, 0.0)) == 0.0
    assert adaptive.relative(Interval(-1.0, 0.0, 1.0)) == math.inf


def test_a_planted_warmup_is_found_up_to_half_of_all(adaptive):
    generator = np.random.default_rng(3)
    for length in (4, 8):
        values = generator.normal(10.0, 0.2, 20)
        values[:length] += np.linspace(20.0, 10.0, length)
        assert length <= adaptive.warmup(values) <= 10  # the rule may take more, up to half
    values = generator.normal(10.0, 0.2, 200)
    values[:60] *= 3.0
    assert 60 <= adaptive.warmup(values) <= 63
    assert adaptive.warmup([100.0] * 15 + [1.0, 1.1, 0.9, 1.05, 0.95]) <= 10


def test_a_stationary_series_has_no_warmup(adaptive):
    generator = np.random.default_rng(5)
    for n in (20, 40, 100):
        found = [adaptive.warmup(generator.lognormal(0.0, 0.3, n)) > 0 for _ in range(500)]
        assert np.mean(found) < 0.03
    values = generator.normal(10.0, 0.2, 40)
    for place in (12, 19, 35):
        disturbed = values.copy()
        disturbed[place] = 1e4
        assert adaptive.warmup(disturbed) == 0


@pytest.mark.parametrize("values", [[], [1.0], [9.0, 1.0, 1.1, 1.0, 1.2], [9.0] * 3 + [1.0] * 30])
def test_few_or_mostly_equal_values_have_no_warmup(adaptive, values):
    assert adaptive.warmup(values) == 0


def test_precision_counts_before_the_limits(adaptive):
    assert adaptive.decide(20, 0.05, False) == PRECISION
    assert adaptive.decide(500, 0.05, True) == PRECISION
    assert adaptive.decide(19, 0.0, False) == GO_ON
    assert adaptive.decide(20, 0.051, False) == GO_ON
    assert adaptive.decide(500, 0.051, True) == MAX_REPETITIONS
    assert adaptive.decide(5, math.inf, True) == MAX_SECONDS


def test_batches_grow_and_end_at_the_maximum(adaptive):
    kept = 12  # as if eight of the first twenty had been warm-up
    totals = []
    while kept < LIMITS.max_repetitions:
        batch = adaptive.next_batch(kept)
        assert batch >= 1
        kept += batch
        totals.append(kept)
    assert totals[0] == LIMITS.min_repetitions
    assert totals[-1] == LIMITS.max_repetitions
    assert len(totals) < 12
