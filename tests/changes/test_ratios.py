"""Ratios of campaigns against Student's test, and how often many of them are called wrongly."""

import numpy as np
import pytest
from scipy import stats

from contend.changes.ratios import Pair, ratios
from contend.changes.surely import WRONG, surely

# Of what launches have in common, of each point, and by how much points differ in that.
SCATTERS = {
    "each point for itself": (0.0, 0.02, 0.0),
    "both": (0.02, 0.02, 0.5),
    "launches as a whole": (0.05, 0.002, 0.0),
    "some points wild": (0.01, 0.02, 0.7),
}


def pairs(rng, launches, scatter, slower=1.0, groups=6, sizes=10, unlike=None):
    """Points of `groups` that share launches; those of the last group take `slower` times."""
    common, own, apart = scatter
    found = []
    for group in range(groups):
        shared = [common * rng.standard_normal(count) for count in launches]
        for size in range(sizes):
            sigma = own * np.exp(apart * np.cos(3 * size + group))
            times = slower if unlike is None or (group, size) in unlike else 1.0
            old, new = (
                1e-3 * (size + 1) * np.exp(part + sigma * rng.standard_normal(count))
                for part, count in zip(shared, launches, strict=True)
            )
            found.append(Pair(old, times * new, group))
    return found


def share_failed(launches, scatter, slower, limit, cases=120):
    rng = np.random.default_rng(11)
    failed = [
        surely(ratios(pairs(rng, launches, scatter, slower), limit)["chance_of_worse"]).any()
        for _ in range(cases)
    ]
    return float(np.mean(failed))


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
    assert share_failed(launches, SCATTERS[scatter], 1.0, 0.0) <= WRONG


def test_the_scatter_of_the_noisier_campaign_counts():
    rng = np.random.default_rng(2)
    old, new = np.exp(0.001 * rng.standard_normal(9)), np.exp(0.1 * rng.standard_normal(2))
    found = ratios([Pair(old, new, "a")]).iloc[0]
    reach = stats.t.ppf(0.975, 9) * np.sqrt(np.log(new).var(ddof=1) / 2)
    assert np.log(found["high"] / found["ratio"]) == pytest.approx(reach, rel=0.01)


@pytest.mark.parametrize("scatter", ["both", "launches as a whole"])
def test_where_everything_is_slower_by_the_limit_it_fails_no_more_often(scatter):
    assert share_failed((3, 3), SCATTERS[scatter], 1.1, 0.1) <= WRONG


def test_every_point_is_asked_for_or_some_would_fail_by_chance():
    """Without thought of their number the same comparisons fail in most cases."""
    rng = np.random.default_rng(12)
    chances = [ratios(pairs(rng, (3, 3), SCATTERS["both"]))["chance_of_worse"] for _ in range(50)]
    assert np.mean([(one < WRONG).any() for one in chances]) > 0.5


@pytest.mark.parametrize("scatter", ["each point for itself", "both"])
def test_a_slow_down_of_20_percent_in_one_regime_is_found_where_it_is(scatter):
    rng = np.random.default_rng(13)
    slow = {(5, size) for size in (7, 8, 9)}
    found = []
    for _ in range(60):
        rows = ratios(pairs(rng, (3, 3), SCATTERS[scatter], 1.2, unlike=slow), 0.05)
        found.append(surely(rows["chance_of_worse"]))
    is_slow = np.array([(group, size) in slow for group in range(6) for size in range(10)])
    assert np.mean([one[is_slow].any() for one in found]) > 0.9
    assert np.mean([one[~is_slow].any() for one in found]) <= WRONG


def test_intervals_hold_the_ratio_in_95_of_100_cases():
    rng = np.random.default_rng(14)
    inside = []
    for _ in range(100):
        rows = ratios(pairs(rng, (3, 3), SCATTERS["both"], 1.3))
        inside.append(((rows["low"] < 1.3) & (rows["high"] > 1.3)).mean())
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)


def test_one_launch_takes_the_scatter_of_the_other_campaign_and_two_of_one_have_none():
    rng = np.random.default_rng(15)
    rows = ratios(pairs(rng, (3, 1), SCATTERS["both"]))
    assert rows["low"].notna().all()
    assert share_failed((3, 1), SCATTERS["both"], 1.0, 0.0) <= WRONG
    rows = ratios(pairs(rng, (1, 1), SCATTERS["both"]))
    assert rows["low"].isna().all() and rows["chance_of_worse"].isna().all()
    assert rows["ratio"].notna().all()
