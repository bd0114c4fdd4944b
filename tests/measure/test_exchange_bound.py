"""The time that no algorithm beats, by hand."""

from __future__ import annotations

import pytest

from contend.alltoall.clusters.file import GroupsFile
from contend.alltoall.clusters.plan import Link
from contend.measure.exchange.placement import bound_of_links, bound_on_lab, hosts_on_lab, placed
from contend.measure.lab import read_lab
from contend.measure.lab.levels import declared

MBIT = 1e6


@pytest.mark.parametrize("m", [64, 4096, 16384])
def test_over_a_backbone_it_is_the_bytes_that_cross_and_one_way(m):
    lab = read_lab("two-clusters")
    placement = placed(declared(lab), hosts_on_lab(lab, 16, None))
    one_way = 5e-3 + 50e-6
    crossing = 8 * 8 * m * 8 / (100 * MBIT)
    assert bound_on_lab(lab, placement, m) == pytest.approx(one_way + crossing)


def test_at_one_switch_it_is_what_leaves_a_host():
    lab = read_lab("fast-ethernet,hosts=4")
    placement = placed(declared(lab), hosts_on_lab(lab, 16, 4))
    assert bound_on_lab(lab, placement, 1024) == pytest.approx(
        50e-6 + 4 * 12 * 1024 * 8 / (100 * MBIT)
    )


def test_the_slowest_of_several_backbones_counts():
    lab = read_lab("three-clusters")
    placement = placed(declared(lab), hosts_on_lab(lab, 12, None))
    slowest = 8e-3 + 50e-6 + 4 * 4 * 65536 * 8 / (30 * MBIT)
    assert bound_on_lab(lab, placement, 65536) == pytest.approx(slowest)


def test_elsewhere_it_is_known_from_the_links_of_a_plan():
    hosts = ["a1", "a1", "a2", "a2", "b1", "b1"]
    lab = read_lab("two-clusters")
    groups = declared(lab.model_copy(update={"clusters": tuple(
        cluster.model_copy(update={"name": name})
        for cluster, name in zip(lab.clusters, "ab", strict=True)
    )}))  # fmt: skip
    placement = placed(groups, hosts)
    far, near = Link("cluster", 0.01, 1e6, 0, 0.2), Link("node", 0.001, 1e6, 0, 0.2)
    assert bound_of_links((far,), placement, 1000) == pytest.approx(0.01 + 8 * 1e-3)
    assert bound_of_links((near,), placement, 1000) == pytest.approx(0.001 + 8 * 1e-3)
    assert bound_of_links((far, near), placement, 1000) == pytest.approx(0.018)
    assert bound_of_links((), placement, 1000) is None
    assert bound_of_links((far,), placed(GroupsFile(), hosts), 1000) is None
