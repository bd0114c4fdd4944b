"""Which measured times a schedule stands for, and with which options."""

import pytest

from contend.models.network import Level
from contend.models.network.evidence import MeasuredPoints
from contend.schedules.algorithm import algorithms
from contend.schedules.libraries import LIBRARIES
from contend.tune.choose.runs import runs
from support import libraries, networks

VERSION = (5, 0, 11)
OPENMPI = {
    (one.operation, one.name): one
    for operation in ("bcast", "alltoall", "reduce")
    for one in LIBRARIES.get("openmpi").algorithms(operation, VERSION)
}


@pytest.mark.parametrize(
    ("name", "told", "schedule", "options"),
    [
        ("pipeline", {}, "segmented_chain", {"segment": 1000}),
        ("pipeline", {"segment": 300}, "segmented_chain", {"segment": 300}),
        ("pipeline", {"segment": 8192}, "segmented_chain", {"segment": 1000}),
        ("split_binary_tree", {}, "split_binary", {"segment": 500}),
        ("split_binary_tree", {"segment": 500}, "split_binary", {"segment": 500}),
        ("split_binary_tree", {"segment": 100}, "split_binary", {"segment": 100}),
        ("split_binary_tree", {"segment": 501}, "segmented_chain", {"segment": 501}),
        ("split_binary_tree", {"segment": 8192}, "segmented_chain", {"segment": 1000}),
        ("knomial", {}, "knomial", {"degree": 4}),
        ("basic_linear", {}, "flat", {}),
    ],
)
def test_a_message_goes_as_its_algorithm_sends_it(name, told, schedule, options):
    found = OPENMPI["bcast", name].scheduled(8, 1000, told)
    assert (found[0].name, found[1]) == (schedule, options)


def test_a_message_that_cannot_be_split_goes_down_a_chain():
    found = OPENMPI["bcast", "split_binary_tree"].scheduled(8, 1, {})
    assert (found[0].name, found[1]) == ("segmented_chain", {"segment": 1})
    empty = OPENMPI["bcast", "pipeline"].scheduled(8, 0, {})
    assert empty[1] == {"segment": 1}


def test_what_no_schedule_sends_is_left_out():
    assert OPENMPI["bcast", "chain"].scheduled(8, 1000, {}) is None
    assert OPENMPI["bcast", "chain"].scheduled(8, 1000, {"fanout": 1}) is not None


def test_halves_of_a_split_tree_are_sent_at_once():
    """Down two trees of four ranks, then across: half of the bytes at a time."""
    entry, options = OPENMPI["bcast", "split_binary_tree"].scheduled(4, 65536, {})
    schedule = entry.build(4, 65536, **options)
    assert set(schedule.bytes[schedule.is_send].tolist()) == {32768}


def network(*operations):
    known = libraries.measured({"openmpi:basic_linear": libraries.default})
    level = Level(name="all", plogp=networks.plogp())
    return known.model_copy(
        update={"levels": (level,), "operations": known.operations + operations}
    )


def test_runs_are_those_of_a_library_and_of_schedules_without_options():
    known = network()
    native = known.operations[0]
    points = MeasuredPoints(n=(4, 8), m=(64, 64), seconds=(1.0, 2.0))
    more = [
        native.model_copy(update={"operation": "alltoall", "algorithm": name, "measured": points})
        for name in ("rotated", "throttled", "lg", "unheard_of")
    ]
    found = runs(known, (*known.operations, *more))
    names = {run.algorithm.name for run in found}
    assert names == {"flat", "rotated"}  # the window of `throttled` is not known, `lg` has groups
    assert [run.seconds for run in found if run.algorithm.name == "rotated"] == [1.0, 2.0]
    assert algorithms("alltoall").get("rotated").options == ()


def test_an_operation_without_schedules_has_no_runs():
    known = network()
    other = known.operations[0].model_copy(update={"operation": "my_pattern"})
    assert runs(known, [other]) == []
