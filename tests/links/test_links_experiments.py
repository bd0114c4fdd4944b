"""Who sends to whom: pairs that a level divides, and one rank of each host."""

from itertools import pairwise

import pytest

from contend.alltoall.clusters.groups import Groups, Level
from contend.base.errors import InvalidInputError
from contend.measure.links import levels_of
from contend.models.links.experiments import MOST_PAIRS, bursts, finer_sizes, single_pairs
from support.links import ranks_of

HOSTS = ("a1", "a1", "a2", "a2", "b1", "b1", "b2", "b2")


def clusters(hosts):
    return Groups((Level.of("cluster", [host[0] for host in hosts]),))


def test_a_rank_speaks_for_its_host_and_all_for_their_node():
    cluster, node = levels_of(HOSTS, clusters)
    assert (cluster.level, node.level) == ("cluster", "node")
    assert cluster.speakers("a") == [0, 2]
    assert node.speakers("a1") == [0, 1]
    assert cluster.pairs() == [("a", "b")]
    assert node.pairs() == [("a1", "a2"), ("b1", "b2")]  # what lies further apart is the cluster's
    inside = {one.source: one.edges[0] for one in single_pairs(cluster) if one.is_inside}
    assert inside == {"a": (0, 2), "b": (4, 6)}  # over the network, not within a node


def test_a_burst_is_from_each_to_each_both_ways():
    out, back = bursts(ranks_of((2, 3)))
    assert out.edges == ((0, 2), (1, 3), (0, 3), (1, 4), (0, 4), (1, 2))
    assert back.edges == ((2, 0), (3, 1), (4, 0), (2, 1), (3, 0), (4, 1))
    (many, _) = bursts(ranks_of((100, 50)))
    assert len(many.edges) == len(set(many.edges)) == 200  # of the most that 256 allow


def test_of_many_groups_neighbours_are_measured():
    ranks = ranks_of((2,) * 20)
    assert ranks.pairs() == list(pairwise(ranks.names))[:MOST_PAIRS]


def nodes(hosts):
    """The pairs of nodes that are measured, two ranks on each host."""
    ranks = tuple(host for host in hosts for _ in range(2))
    return levels_of(ranks, clusters)[-1].pairs()


def test_neighbours_are_of_every_cluster_though_hosts_take_turns():
    found = nodes([f"{cluster}{number}" for number in range(1, 5) for cluster in "ab"])
    assert sorted(found) == sorted(
        (f"{cluster}{number}", f"{cluster}{number + 1}") for cluster in "ab" for number in (1, 2, 3)
    )
    found = nodes([f"{cluster}{number}" for cluster in "abc" for number in range(8)])
    assert len(found) == MOST_PAIRS
    assert all(one[0] == two[0] for one, two in found)
    assert {one[0] for one, _ in found} == {*"abc"}


def test_what_is_too_little_for_a_link_or_a_size():
    assert {one.source for one in single_pairs(ranks_of((1, 2))) if one.is_inside} == {"b"}
    with pytest.raises(InvalidInputError, match="no level divides the 2 hosts"):
        levels_of(("a1", "a2"), clusters)
    assert finer_sizes(1, 2) == []
    assert all(64 < size < 1024 for size in finer_sizes(64, 1024))
