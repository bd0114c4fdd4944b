"""Ratios of campaigns against Student's test, and how often many of them are called wrongly."""

import numpy as np
import pytest
from benchmarks.changes import GROUPS, SCATTERS, SIZES, SLOW, pairs, share_failed
from scipy import stats

from contend.models.changes.ratios import LEAST, WRONG, Pair, holm_reject, ratios

CASES = 120
BOTH = SCATTERS["2 % of launches, 1.2 to 3.3 % of points"]


def test_of_one_point_it_is_the_test_of_student():
    rng = np.random.default_rng(1)
    old, new = np.exp(0.03 * rng.standard_normal(4)), np.exp(0.05 * rng.standard_normal(4))
    found = ratios([Pair(old, new, "a")]).iloc[0]
    told = stats.ttest_ind(np.log(new), np.log(old))
    assert found["chance_of_change"] == pytest.approx(told.pvalue)
    low, high = told.confidence_interval()
    assert (found["low"], found["high"]) == pytest.approx((np.exp(low), np.exp(high)))


@pytest.mark.parametrize("scatter", SCATTERS)
@pytest.mark.parametrize("launches", [(3, 3), (2, 2), (5, 2)])
def test_a_gate_without_a_change_fails_in_at_most_5_of_100_cases(scatter, launches):
    assert share_failed(launches, SCATTERS[scatter], 1.0, 0.0, CASES) <= WRONG


def test_the_scatter_of_the_noisier_campaign_counts():
    rng = np.random.default_rng(2)
    old, new = np.exp(0.001 * rng.standard_normal(9)), np.exp(0.1 * rng.standard_normal(2))
    found = ratios([Pair(old, new, "a")]).iloc[0]
    reach = stats.t.ppf(0.975, 9) * np.sqrt(np.log(new).var(ddof=1) / 2)
    assert np.log(found["high"] / found["ratio"]) == pytest.approx(reach, rel=0.01)


@pytest.mark.parametrize("scatter", [*SCATTERS][1:3])
def test_where_everything_is_slower_by_the_limit_it_fails_no_more_often(scatter):
    assert share_failed((3, 3), SCATTERS[scatter], 1.1, 0.1, CASES) <= WRONG


def test_every_point_is_asked_for_or_some_would_fail_by_chance():
    """Without thought of their number the same comparisons fail in most cases."""
    rng = np.random.default_rng(12)
    chances = [ratios(pairs(rng, (3, 3), BOTH))["chance_of_worse"] for _ in range(50)]
    assert np.mean([(one < WRONG).any() for one in chances]) > 0.5


@pytest.mark.parametrize("scatter", [*SCATTERS][:2])
def test_a_slow_down_of_20_percent_in_one_regime_is_found_where_it_is(scatter):
    rng = np.random.default_rng(13)
    found = []
    for _ in range(60):
        rows = ratios(pairs(rng, (3, 3), SCATTERS[scatter], 1.2, SLOW), 0.05)
        found.append(holm_reject(rows["chance_of_worse"]))
    is_slow = np.array([(group, size) in SLOW for group in range(GROUPS) for size in range(SIZES)])
    assert np.mean([one[is_slow].any() for one in found]) > 0.9
    assert np.mean([one[~is_slow].any() for one in found]) <= WRONG


def test_intervals_hold_the_ratio_in_95_of_100_cases():
    rng = np.random.default_rng(14)
    inside = []
    for _ in range(100):
        rows = ratios(pairs(rng, (3, 3), BOTH, 1.3))
        inside.append(((rows["low"] < 1.3) & (rows["high"] > 1.3)).mean())
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)


def test_one_launch_takes_the_scatter_of_the_other_campaign_and_two_of_one_have_none():
    rng = np.random.default_rng(15)
    rows = ratios(pairs(rng, (3, 1), BOTH))
    assert rows["low"].notna().all()
    assert share_failed((3, 1), BOTH, 1.0, 0.0, CASES) <= WRONG
    rows = ratios(pairs(rng, (1, 1), BOTH))
    assert rows["low"].isna().all() and rows["chance_of_worse"].isna().all()
    assert rows["ratio"].notna().all()


def test_launches_that_agree_to_the_last_digit_are_not_taken_for_exact():
    found = ratios([Pair(np.full(3, 1.0), np.full(3, 1.0), "a")]).iloc[0]
    reach = stats.t.ppf(0.975, 4) * LEAST * np.sqrt(2 / 3)
    assert np.log(found["high"]) == pytest.approx(reach)
