"""Rounds meet everybody once, and their times become a matrix."""

import itertools

import numpy as np
import pytest

from contend.alltoall.clusters.groups import Level
from contend.alltoall.clusters.rounds import rounds_of
from contend.alltoall.clusters.summary import relations
from contend.base.errors import InvalidInputError
from contend.models.links.times import completed, times_of
from support.clusters import flat, measured


@pytest.mark.parametrize("hosts", range(2, 20))
def test_each_host_meets_each_other_once_and_one_at_a_time(hosts):
    rounds = rounds_of(hosts)
    assert len(rounds) == hosts - 1 + hosts % 2
    met = sorted(tuple(sorted(pair)) for pairs in rounds for pair in pairs)
    assert met == list(itertools.combinations(range(hosts), 2))
    for pairs in rounds:
        members = [member for pair in pairs for member in pair]
        assert len(set(members)) == len(members)


def test_many_hosts_take_no_more_rounds_than_asked():
    rounds = rounds_of(500, 32)
    assert len(rounds) == len(set(rounds)) == 32
    degree = np.bincount(np.array([pair for pairs in rounds for pair in pairs]).ravel())
    assert degree.min() == degree.max() == 32


def test_a_time_is_the_median_and_the_scatter_that_of_repetitions():
    (seen,) = times_of(measured(flat([6, 6]), 0.2, 1))
    apart = ~np.eye(12, dtype=bool)
    off = np.log(seen.seconds[apart] / flat([6, 6])[apart])
    assert np.abs(off).max() < 0.3
    assert 0.12 < seen.scatter < 0.28


def test_sizes_stay_apart():
    both = measured(flat([3]), 0.1, 1, m=65536) + measured(flat([3]), 0.1, 1, m=8)
    assert [one.m for one in times_of(both)] == [8, 65536]


def test_other_hosts_are_refused():
    with pytest.raises(InvalidInputError, match="samples of 3 hosts"):
        times_of(measured(flat([3]), 0.1, 1) + measured(flat([4]), 0.1, 1))
    with pytest.raises(InvalidInputError, match="no measured pair"):
        times_of([])


def test_what_is_missing_is_the_way_whose_longest_step_is_shortest():
    nan = np.nan
    chain = np.array([[0, 1, nan, nan], [1, 0, 5, nan], [nan, 5, 0, 2], [nan, nan, 2, 0]])
    assert completed(chain).tolist() == [[0, 1, 5, 5], [1, 0, 5, 5], [5, 5, 0, 2], [5, 5, 2, 0]]
    with pytest.raises(InvalidInputError, match="no chain"):
        completed(np.array([[0, 1, nan], [1, 0, nan], [nan, nan, 0]]))


def test_relations_are_medians_of_latency_and_bandwidth():
    level = Level.of("cluster", ["a", "a", "b", "b"])
    short = measured(flat([2, 2], 1e-4, 1e-3), 1e-6, 1, m=0)
    long = measured(flat([2, 2], 1.1e-3, 5e-3), 1e-6, 1, m=1_000_000)
    inside, beside, between = relations(times_of(short + long), [level])
    assert inside.is_inside and beside.is_inside and not between.is_inside
    assert (inside.pairs, between.pairs) == (1, 4)
    assert inside.latency == pytest.approx(1e-4, rel=1e-3)
    assert inside.bandwidth == pytest.approx(1e9, rel=1e-3)
    assert between.bandwidth == pytest.approx(2.5e8, rel=1e-3)
