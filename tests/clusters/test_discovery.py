"""Groups are found where they are, and only there: synthetic times with a known truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.alltoall.clusters.discovery import Rule, discover
from contend.base.errors import InvalidInputError
from contend.models.links.times import Times, times_of
from support.clusters import flat, labels_of, measured, times

noises = st.floats(0.05, 0.3)
seeds = st.integers(0, 10_000)
several = st.lists(st.integers(1, 8), min_size=2, max_size=5).filter(
    lambda sizes: max(sizes) >= 3 or sum(size == 2 for size in sizes) > 1
)
known = settings(max_examples=40, deadline=None, derandomize=True)


@known
@given(st.integers(2, 24), noises, seeds)
def test_one_switch_is_one_cluster_however_noisy(hosts, noise, seed):
    assert discover([times(flat([hosts]), noise, seed)]) == []


@known
@given(several, noises, seeds)
def test_clusters_of_any_size_are_found(sizes, noise, seed):
    (groups,) = discover([times(flat(sizes), noise, seed)])
    assert labels_of(groups, sum(sizes)) == np.repeat(np.arange(len(sizes)), sizes).tolist()


@known
@given(several, noises, seeds)
def test_the_order_of_hosts_does_not_matter(sizes, noise, seed):
    count = sum(sizes)
    order = np.random.default_rng(seed).permutation(count)
    true = np.repeat(np.arange(len(sizes)), sizes)[order]
    (groups,) = discover([times(flat(sizes)[np.ix_(order, order)], noise, seed)])
    assert {frozenset(group.tolist()) for group in groups} == {
        frozenset(np.flatnonzero(true == label).tolist()) for label in set(true)
    }


@pytest.mark.parametrize("noise", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("alone", [0, 3, 6])
def test_a_host_alone_is_a_cluster(noise, alone):
    seconds = flat([7])
    seconds[alone] = seconds[:, alone] = 4e-4
    (groups,) = discover([times(seconds, noise, alone)])
    assert [alone] in [group.tolist() for group in groups]
    assert len(groups) == 2


@pytest.mark.parametrize("noise", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("links", [(1e-3, 5e-3, 8e-3), (4e-4, 6e-4, 2e-3), (1e-3, 1e-3, 1e-3)])
def test_three_clusters_with_unequal_links_are_three_clusters(noise, links):
    seconds = flat([4, 4, 4])
    blocks = [slice(0, 4), slice(4, 8), slice(8, 12)]
    for (one, two), link in zip([(0, 1), (1, 2), (0, 2)], links, strict=True):
        seconds[blocks[one], blocks[two]] = seconds[blocks[two], blocks[one]] = link
    (groups,) = discover([times(seconds, noise, 1)])
    assert [group.tolist() for group in groups] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


@known
@given(st.lists(st.lists(st.integers(3, 5), min_size=2, max_size=3), min_size=2, max_size=3),
       noises, seeds)  # fmt: skip
def test_clusters_of_sites_are_two_levels(sites, noise, seed):
    site = np.repeat(np.arange(len(sites)), [sum(sizes) for sizes in sites])
    sizes = [size for one in sites for size in one]
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    seconds = np.where(site[:, None] == site, flat(sizes, 1e-4, 5e-4), 5e-3)
    outer, inner = discover([times(seconds, noise, seed)])
    assert labels_of(outer, len(site)) == site.tolist()
    assert labels_of(inner, len(site)) == cluster.tolist()


def test_clusters_of_unlike_speed_inside_are_told_apart():
    seconds = flat([4, 5], within=1e-5, between=1e-2)
    seconds[4:, 4:] = 1e-3
    (groups,) = discover([times(seconds, 0.1, 1)])
    assert labels_of(groups, 9) == [0] * 4 + [1] * 5


def test_a_longer_message_divides_what_a_short_one_leaves_together():
    near = times_of(measured(flat([4, 4], 1e-4, 1e-4), 0.1, 1, m=8))
    slow = times_of(measured(flat([4, 4], 1e-3, 4e-3), 0.1, 2, m=65536))
    assert discover(near) == []
    (groups,) = discover([*near, *slow])
    assert labels_of(groups, 8) == [0] * 4 + [1] * 4


def test_a_gap_below_the_ratio_is_none():
    seconds = flat([4, 4], 1e-4, 1.4e-4)
    seen = times(seconds, 0.001, 1)
    assert discover([seen]) == []
    assert len(discover([seen], Rule(ratio=1.3))[0]) == 2


def test_a_gap_within_the_scatter_of_the_measurement_is_none():
    seconds = flat([4, 4], 1e-4, 2e-4)
    quiet = times(seconds, 0.01, 1)
    loud = Times(quiet.hosts, 8, quiet.seconds, 0.5, quiet.measured)
    assert len(discover([quiet])[0]) == 2
    assert discover([loud]) == []


@pytest.mark.parametrize(
    ("sizes", "most"), [([60, 30, 38], 24), ([100, 56, 100], 64), ([32] * 4, 32), ([200], 32)]
)
def test_a_sample_of_pairs_does_as_well_as_all(sizes, most):
    found = discover([times(flat(sizes), 0.2, 1, most=most)])
    seen = [labels_of(groups, sum(sizes)) for groups in found]
    wanted = np.repeat(np.arange(len(sizes)), sizes).tolist()
    assert seen == ([wanted] if len(sizes) > 1 else [])


def test_nothing_measured_is_an_error():
    with pytest.raises(InvalidInputError, match="no message between hosts was measured"):
        discover([])
    with pytest.raises(InvalidInputError, match="above 1"):
        Rule(ratio=1.0)
