"""Variances that borrow from each other, where points share launches and where they do not."""

import numpy as np
import pytest

from contend.changes.scatter import LEAST, drawn
from contend.statistics.moderated import moderated


def variances(rng, sigma, launches=3):
    """Of launches of points whose standard deviations are `sigma`, shape (k,)."""
    values = np.asarray(sigma)[:, None] * rng.standard_normal((len(sigma), launches))
    return values.var(axis=1, ddof=1)


def test_points_that_share_nothing_are_moderated_as_points_are():
    rng = np.random.default_rng(2)
    sigma = 2.0 * np.exp(0.5 * rng.standard_normal(200))
    found = variances(rng, sigma)
    ours, theirs = (
        drawn(found, np.full(200, 2.0), range(200)), moderated(found, np.full(200, 2.0))
    )  # fmt: skip
    assert ours.variance == pytest.approx(theirs.variance, rel=1e-9)
    assert ours.freedom == pytest.approx(theirs.freedom, rel=1e-9)


def test_points_of_one_launch_are_no_launches_of_their_own():
    """Ten sizes that differ together have the same variance, which says nothing of the scatter."""
    rng = np.random.default_rng(3)
    of_groups = variances(rng, [0.02] * 4)
    found = drawn(np.repeat(of_groups, 10), np.full(40, 2.0), np.repeat(range(4), 10).tolist())
    assert found.freedom.max() <= 8.0  # four groups of two degrees
    naive = moderated(np.repeat(of_groups, 10), np.full(40, 2.0))
    assert naive.freedom.min() > found.freedom.max()


def test_of_two_groups_each_variance_stands_for_itself():
    found = drawn(np.array([0.01, 0.04]), np.full(2, 2.0), ["a", "b"])
    assert found.variance.tolist() == [0.01, 0.04]
    assert found.freedom.tolist() == [2.0, 2.0]


def test_a_point_of_one_launch_scatters_as_is_usual():
    rng = np.random.default_rng(4)
    found = variances(rng, [0.02] * 30)
    all_of = drawn(np.append(found, np.nan), np.append(np.full(30, 2.0), 0.0), range(31))
    assert np.sqrt(all_of.variance[-1]) == pytest.approx(0.02, rel=0.2)
    alone = drawn(np.array([np.nan]), np.array([0.0]), ["a"])
    assert np.isnan(alone.variance).all() and np.isnan(alone.freedom).all()


def test_launches_that_agree_to_the_last_digit_are_not_taken_for_exact():
    assert drawn(np.array([0.0]), np.array([2.0]), ["a"]).variance.tolist() == [LEAST**2]
