import numpy as np
import pytest

from contend.base.statistics.shrinkage import moderated


def drawn(rng, points, freedom, own=None):
    """Variances of points whose true ones are drawn by `own` degrees of freedom around 4."""
    true = 4.0 * (own / rng.chisquare(own, points) if own else np.ones(points))
    return true * rng.chisquare(freedom, points) / freedom


def test_what_is_usual_is_found_again():
    rng = np.random.default_rng(1)
    found = moderated(drawn(rng, 20_000, 2.0, own=6.0), np.full(20_000, 2.0))
    assert found.freedom[0] - 2.0 == pytest.approx(6.0, rel=0.15)
    assert found.variance.min() == pytest.approx(6.0 / 8.0 * 4.0, rel=0.1)


def test_points_alike_get_the_variance_of_all():
    rng = np.random.default_rng(2)
    found = moderated(drawn(rng, 3000, 1.0), np.ones(3000))
    assert found.variance == pytest.approx(np.full(3000, 4.0), rel=0.2)
    assert found.freedom.min() > 20


def test_points_that_have_little_in_common_learn_little():
    rng = np.random.default_rng(3)
    variance = np.exp(rng.uniform(-40, 40, 500))
    found = moderated(variance, np.full(500, 30.0))
    assert found.freedom.max() < 30.5


def test_different_degrees_of_freedom_count_by_what_they_are():
    found = moderated(np.array([1.0, 1.0, 5.0, 5.0]), np.array([1.0, 50.0, 1.0, 50.0]))
    assert abs(found.variance[1] - 1.0) < abs(found.variance[0] - 1.0)
    assert abs(found.variance[3] - 5.0) < abs(found.variance[2] - 5.0)


def test_two_points_are_too_few_to_tell_what_is_usual():
    found = moderated(np.array([1.0, 9.0]), np.array([2.0, 2.0]))
    assert found.variance.tolist() == [1.0, 9.0]
    assert found.freedom.tolist() == [2.0, 2.0]


def variances(rng, sigma, launches=3):
    """Of launches of points whose standard deviations are `sigma`, shape (k,)."""
    values = np.asarray(sigma)[:, None] * rng.standard_normal((len(sigma), launches))
    return values.var(axis=1, ddof=1)


def test_points_of_one_launch_are_no_launches_of_their_own():
    """Ten sizes that differ together have the same variance, which says nothing of the scatter."""
    rng = np.random.default_rng(3)
    of_groups = variances(rng, [0.02] * 4)
    found = moderated(np.repeat(of_groups, 10), np.full(40, 2.0), np.repeat(range(4), 10).tolist())
    assert found.freedom.max() <= 8.0  # four groups of two degrees
    naive = moderated(np.repeat(of_groups, 10), np.full(40, 2.0))
    assert naive.freedom.min() > found.freedom.max()


def test_groups_alike_have_the_degrees_of_freedom_of_all_together():
    found = moderated(np.array([0.01, 0.04, 0.01, 0.04]), np.full(4, 2.0), ["a", "b", "c", "d"])
    assert np.ptp(found.variance) < 0.01
    assert found.freedom.tolist() == [8.0] * 4


def test_of_two_groups_each_variance_stands_for_itself():
    found = moderated(np.array([0.01, 0.04]), np.full(2, 2.0), ["a", "b"])
    assert found.variance.tolist() == [0.01, 0.04]
    assert found.freedom.tolist() == [2.0, 2.0]


def test_a_point_of_one_launch_scatters_as_is_usual():
    rng = np.random.default_rng(4)
    found = variances(rng, [0.02] * 30)
    all_of = moderated(np.append(found, np.nan), np.append(np.full(30, 2.0), 0.0), range(31))
    assert np.sqrt(all_of.variance[-1]) == pytest.approx(0.02, rel=0.2)
    alone = moderated(np.array([np.nan]), np.array([0.0]), ["a"])
    assert np.isnan(alone.variance).all() and np.isnan(alone.freedom).all()
