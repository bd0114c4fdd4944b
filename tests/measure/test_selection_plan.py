"""Which settings of a library are measured, beside which, and in which order."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError
from contend.measure.selection.controls import Controls
from contend.measure.selection.offer import Offer, Setting, plan_forced, settings_of, without
from contend.samples.setting import NATIVE
from contend.schedules.libraries import library_named

PROGRAM = Path("forced")
SIZES, SEGMENTS = (64, 8192, 65536), (8192,)


def offer(operation, settings, fixed=None):
    """Settings of which those in `fixed` need these variables at the start."""
    fixed = fixed or {}
    controls = {
        one.name: Controls({}, fixed.get(one.name, {}), {}, one.variables) for one in settings
    }
    return Offer(operation, operation, tuple(settings), controls)


def of_openmpi(operation, segments=SEGMENTS, fanouts=()):
    return settings_of(*library_named("openmpi-4.1"), operation, segments, fanouts)


def test_there_is_the_default_each_algorithm_and_each_with_every_segment():
    names = [one.name for one in of_openmpi("bcast", (8192, 65536))]
    assert names[0] == NATIVE
    assert names[1:6] == [
        "openmpi:basic_linear", "openmpi:chain", "openmpi:chain,segment=8192",
        "openmpi:chain,segment=65536", "openmpi:pipeline",
    ]  # fmt: skip
    assert len(set(names)) == len(names)


def test_fan_outs_are_those_that_are_given_but_the_default_with_each_segment():
    names = {one.name for one in of_openmpi("bcast", (8192,), (1, 2, 4))}
    assert {one for one in names if "chain" in one} == {
        "openmpi:chain", "openmpi:chain,segment=8192",  # of 4 children, as the library has it
        "openmpi:chain,fanout=1", "openmpi:chain,segment=8192,fanout=1",
        "openmpi:chain,fanout=2", "openmpi:chain,segment=8192,fanout=2",
    }  # fmt: skip
    assert {one for one in names if "knomial" in one} == {
        "openmpi:knomial", "openmpi:knomial,segment=8192",
        "openmpi:knomial,k=2", "openmpi:knomial,segment=8192,k=2",
    }  # fmt: skip
    assert not any("binomial,fanout" in one or "binomial,k" in one for one in names)


@pytest.mark.parametrize(("library", "what"), [("openmpi-4.1", "chain"), ("mpich-5.0.2", "tree")])
def test_a_fan_out_is_measured_where_a_rank_can_have_so_many_children(library, what):
    settings = settings_of(*library_named(library), "bcast", (), (2, 3, 8))
    found = [one for one in settings if what in one.name and one.options]
    assert found
    for one in found:
        ((name, value),) = one.options.items()
        children = value - (name == "k")
        assert [n for n in (2, 3, 4, 9, 12) if one.serves(n, 64)] == [
            n for n in (2, 3, 4, 9, 12) if children < n
        ]
        assert str(value) in one.variables.values()


def test_a_setting_carries_the_variables_that_force_it():
    (chain,) = [one for one in of_openmpi("bcast") if one.name == "openmpi:chain,segment=8192"]
    assert chain.variables["OMPI_MCA_coll_tuned_bcast_algorithm"] == "2"
    assert chain.variables["OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize"] == "8192"


def test_an_operation_without_known_algorithms_is_refused_with_those_that_have_some():
    with pytest.raises(InvalidInputError, match="no algorithms of alltoallw") as refused:
        of_openmpi("alltoallw")
    assert "bcast" in refused.value.remedy


def test_every_setting_is_measured_once_at_every_point_that_it_serves():
    settings = of_openmpi("bcast") + of_openmpi("allgather")[1:]
    plan = plan_forced([offer("bcast", settings)], PROGRAM, (2, 3, 4), SIZES, 2, seed=7)
    counted = Counter(
        (setting, one.n, m, one.number)
        for one in plan
        for setting in one.program.algorithms
        for m in one.sizes
    )
    assert set(counted.values()) == {1}
    assert {key[:3] for key in counted} == {
        (one.name, n, m) for one in settings for n in (2, 3, 4) for m in SIZES if one.serves(n, m)
    }
    assert ("openmpi:chain,segment=8192", 3, 8192, 0) not in counted  # it would cut nothing
    assert ("openmpi:chain,segment=8192", 3, 65536, 0) in counted
    assert ("openmpi:two_proc", 3, 64, 0) not in counted
    assert ("openmpi:two_proc", 2, 64, 0) in counted


def test_the_default_is_in_every_launch_whose_settings_are_written_while_it_runs():
    plan = plan_forced([offer("bcast", of_openmpi("bcast"))], PROGRAM, (4,), SIZES, 2, seed=1)
    assert all(NATIVE in one.program.algorithms for one in plan)


def test_variables_that_stand_beside_rules_are_those_of_every_launch():
    settings = [Setting(NATIVE), Setting("a:b"), Setting("a:c")]
    beside = replace(offer("bcast", settings, {"a:c": {"X": "1"}}), alongside={"HEAP": "2"})
    plan = plan_forced([beside], PROGRAM, (4,), (64,), 2, seed=1)
    assert {one.program.before for one in plan} == {("env", "HEAP=2"), ("env", "HEAP=2", "X=1")}


def test_what_changes_the_default_has_launches_of_its_own():
    settings = [Setting(NATIVE), Setting("a:b"), Setting("a:c"), Setting("a:d")]
    fixed = {"a:c": {"X": "1"}, "a:d": {"X": "1"}}
    plan = plan_forced([offer("bcast", settings, fixed)], PROGRAM, (4,), (64,), 1, seed=1)
    groups = {frozenset(one.program.algorithms): one.program.before for one in plan}
    assert groups == {
        frozenset({NATIVE, "a:b"}): (),
        frozenset({"a:c", "a:d"}): ("env", "X=1"),
    }


def test_the_order_is_another_in_each_launch_and_the_same_for_a_seed():
    offers = [offer("bcast", of_openmpi("bcast"))]
    first, again, other = (
        plan_forced(offers, PROGRAM, (4,), (65536,), 4, seed) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert len({one.program.algorithms for one in first}) == 4
    assert [one.number for one in first] == [0, 1, 2, 3]


def test_a_barrier_has_one_size():
    plan = plan_forced([offer("barrier", of_openmpi("barrier"))], PROGRAM, (3,), SIZES, 1, seed=1)
    assert [one.sizes for one in plan] == [(0,)]


def test_an_algorithm_that_takes_as_many_elements_as_ranks_is_spared_fewer():
    library, version = library_named("mpich-5.0.2")
    settings = settings_of(library, version, "reduce", ())
    (one,) = [one for one in settings if one.name == "mpich:reduce_scatter_gather"]
    assert [m for m in (4, 12, 16, 64) if one.serves(4, m)] == [16, 64]


def test_a_launch_without_a_setting_has_no_point_of_it():
    plan = plan_forced([offer("bcast", of_openmpi("bcast"))], PROGRAM, (4,), (64,), 1, seed=1)
    left = without(plan[0], {"openmpi:chain"})
    assert {point[1] for point in plan[0].points() - left.points()} == {"openmpi:chain"}
    assert without(plan[0], set(plan[0].program.algorithms)).sizes == ()
