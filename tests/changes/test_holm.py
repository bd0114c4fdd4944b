"""Holm's procedure against what it is defined as, and against what it promises."""

import numpy as np
import pytest
from scipy import stats

from contend.models.changes.ratios import WRONG, holm_reject


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_it_rejects_as_the_steps_of_its_definition_say(count):
    rng = np.random.default_rng(count)
    for _ in range(50):
        chances = rng.uniform(0, 0.2, count) ** 2
        expected, order = np.zeros(count, dtype=bool), np.argsort(chances)
        for step, place in enumerate(order):
            if chances[place] > WRONG / (count - step):
                break
            expected[place] = True
        assert holm_reject(chances).tolist() == expected.tolist()


def test_what_was_not_tested_counts_for_nothing():
    some = [0.001, 0.03, 0.5]
    with_others = [0.001, float("nan"), 0.03, 0.5, float("nan")]
    assert holm_reject(with_others)[[0, 2, 3]].tolist() == holm_reject(some).tolist()
    assert not holm_reject(with_others)[[1, 4]].any()


@pytest.mark.parametrize("common", [0.0, 0.9])
def test_no_change_among_many_is_called_one_in_at_most_5_of_100_cases(common):
    """However the comparisons depend on each other: of a false claim each is a case."""
    rng = np.random.default_rng(5)
    cases, count = 2000, 30
    own, shared = rng.standard_normal((cases, count)), rng.standard_normal((cases, 1))
    chances = stats.norm.sf(np.sqrt(1 - common) * own + np.sqrt(common) * shared)
    wrong = np.mean([holm_reject(row).any() for row in chances])
    assert wrong <= WRONG + 3 * np.sqrt(WRONG * (1 - WRONG) / cases)
    assert np.mean([(row < WRONG).any() for row in chances]) > 2 * WRONG  # else nothing is shown
