"""Who takes part in a comparison: what suits the groups, with windows that suit the link."""

from __future__ import annotations

import pytest

from contend.alltoall.clusters.file import GroupsFile
from contend.base.errors import InvalidInputError
from contend.measure.build import exchange_algorithms
from contend.measure.exchange.contenders import (
    parse_contenders,
    suits,
    usual,
    variables,
    windows,
)
from contend.measure.exchange.placement import hosts_on_lab, placed
from contend.measure.lab import read_lab
from contend.measure.lab.levels import declared, links
from contend.measure.mpi import MPI

MPICH = MPI("mpicc", ("mpiexec",), "MPICH", "5.0.2")
OPEN_MPI = MPI("mpicc", ("mpiexec",), "Open MPI", "4.1.4")


def placement_on(name, per_node=None, n=None):
    lab = read_lab(name)
    count = n or len(lab.hosts) * (per_node or 1)
    return placed(declared(lab), hosts_on_lab(lab, count, per_node))


@pytest.mark.parametrize(
    ("lab", "per_node", "who"),
    [
        ("two-clusters", None, {"lg", "lg_balanced", "paced", "throttled_pairwise"}),
        ("two-clusters", 2, {"lg", "lg_balanced", "node_aware", "paced", "throttled_pairwise"}),
        ("two-clusters-uneven", None, {"lg_balanced", "paced", "throttled_pairwise"}),
        ("three-clusters", None, {"lg_balanced", "paced", "throttled_pairwise"}),
        ("fast-ethernet,hosts=4", 4, {"lg_balanced", "node_aware", "paced", "throttled_pairwise"}),
        ("fast-ethernet", None, {"paced", "throttled_pairwise"}),
    ],
)
def test_only_algorithms_that_suit_the_groups_take_part(lab, per_node, who):
    placement = placement_on(lab, per_node)
    known = ("lg", "lg_balanced", "node_aware", "paced", "throttled_pairwise")
    assert {name for name in known if suits(name, placement)} == who


def test_all_ranks_on_one_host_leave_little_to_choose():
    placement = placed(GroupsFile(), ["a"] * 4)
    assert [name for name in exchange_algorithms()[1:] if suits(name, placement)] == [
        "throttled_pairwise"
    ]


@pytest.mark.parametrize(
    ("buffer", "m", "expected"),
    [("24KiB", 1024, [2, 4]), ("24KiB", 4096, [1, 2]), ("128KiB", 4096, [4, 8]), ("24KiB", 64, [])],
)
def test_windows_fill_the_buffer_of_the_slow_link(buffer, m, expected):
    lab = read_lab(f"two-clusters,buffer={buffer}")
    assert windows(placement_on(lab.name), links(lab)[0], m) == expected


def test_the_usual_ones_are_all_kinds_without_repeats():
    lab = read_lab("two-clusters,buffer=24KiB")
    found = usual(MPICH, placement_on(lab.name), links(lab)[0], 1024)
    assert found[0] == "native"
    assert found[-1] == "auto"
    assert len(found) == len(set(found))
    assert {"native:pairwise", "lg", "lg_balanced window=1", "paced window=4"} <= set(found)
    assert parse_contenders(",".join(found), MPICH) == found


def test_what_forces_an_algorithm_is_the_librarys_own_variable():
    assert variables(MPICH, "native") == {}
    assert variables(MPICH, "auto") == {"CONTEND_EXCHANGE_ALGORITHM": ""}
    assert variables(MPICH, "lg window=2") == {"CONTEND_EXCHANGE_ALGORITHM": "lg window=2"}
    forced = variables(OPEN_MPI, "native:pairwise")
    assert forced["OMPI_MCA_coll_tuned_use_dynamic_rules"] == "1"
    assert forced["OMPI_MCA_coll_tuned_alltoall_algorithm"] == "2"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lg wide=2", "'wide=2' is no option of lg"),
        ("lg window=x", "'window=x' is no option"),
        ("fastest", "no algorithm is named 'fastest'"),
        ("native:linear", "MPICH 5.0.2 cannot be forced to 'native:linear'"),
    ],
)
def test_an_unknown_contender_is_named(text, reason):
    with pytest.raises(InvalidInputError, match=reason):
        parse_contenders(text, MPICH)
