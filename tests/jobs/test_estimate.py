"""What a campaign costs: counted by hand, and never less than what it takes."""

import pytest

from contend.measure.build import build
from contend.measure.command import LaunchOptions
from contend.measure.design import EXPERIMENTS, design, launches_of
from contend.measure.duration import LAUNCH_SECONDS, PART_OF_MAX, POINT_SECONDS
from contend.measure.jobs.estimate import (
    AT_MOST,
    BESIDE_SECONDS,
    START_AT_MOST,
    estimate,
    nodes_of,
    study_launches,
    study_programs,
)
from support.synthesis import sample

SIZES = (64, 1024, 16384, 262144)
OPTIONS = LaunchOptions(max_seconds=0.25, processes_per_node=4)


def launches(counts=(4, 16), repeats=2):
    return study_launches(design(counts, None, SIZES, repeats))


def test_a_campaign_is_counted_by_hand():
    found = estimate(launches(), OPTIONS, 4, extra_sizes=4)
    exchanges = 2 * 2 * 2 * 7
    single = 2 * (len({*SIZES, 256, 4096, 65536} | {1, 4096, 65536, 262144, 1048576}))
    trains = 4 * (single + 2 + 2 * 4)
    assert found.launches == 2 * (2 + 2 * 2)
    assert found.points == exchanges + single + trains
    usual = POINT_SECONDS + PART_OF_MAX * 0.25
    assert 60 * found.expected == pytest.approx(
        BESIDE_SECONDS + found.launches * LAUNCH_SECONDS + found.points * usual
    )
    assert 60 * found.most == pytest.approx(
        BESIDE_SECONDS + found.launches * START_AT_MOST
        + found.points * (POINT_SECONDS + AT_MOST * 0.25)
    )  # fmt: skip
    assert found.node_minutes == pytest.approx(4 * found.expected)


def test_single_messages_take_two_nodes_and_exchanges_as_many_as_they_fill():
    nodes = {(one.program.name, one.n): nodes_of(one, OPTIONS) for one in launches()}
    assert nodes == {
        ("pingpong", 2): 2, ("plogp", 2): 2,
        ("alltoall_native", 4): 1, ("alltoall_rotated", 4): 1,
        ("alltoall_native", 16): 4, ("alltoall_rotated", 16): 4,
    }  # fmt: skip


def test_nodes_idle_while_fewer_processes_are_measured():
    exact = [estimate(launches(), OPTIONS, nodes) for nodes in (4, 8)]
    assert 0 < exact[0].idle < exact[1].idle < 1
    assert 1 - exact[1].idle == pytest.approx((1 - exact[0].idle) / 2)
    largest = [one for one in launches() if one.n == 16]
    alone = estimate(largest, OPTIONS, 4)
    assert alone.idle == pytest.approx(BESIDE_SECONDS / (60 * alone.expected))


def test_what_is_there_already_costs_nothing():
    whole = estimate(launches(), OPTIONS, 4)
    done = [
        sample(m, one.n, experiment=one.program.experiment, algorithm=name, launch=one.number)
        for one in launches() for name in one.program.algorithms for m in one.sizes
        if one.number == 0
    ]  # fmt: skip
    rest = estimate(launches(), OPTIONS, 4, done)
    assert (rest.points, rest.launches) == (whole.points / 2, whole.launches / 2)
    everything = [*done, *(one.model_copy(update={"launch": 1}) for one in done)]
    nothing = estimate(launches(), OPTIONS, 4, everything)
    assert (nothing.points, nothing.launches) == (0, 0)
    assert 60 * nothing.most == BESIDE_SECONDS


def test_a_short_job_takes_several_submissions():
    found = estimate(launches(), OPTIONS, 4)
    assert found.submissions(10_000) == 1
    assert found.submissions(2) == -(-found.expected // 1)


@pytest.mark.mpi
def test_the_experiments_are_what_they_say_of_themselves_when_they_are_built(mpi):
    assert list(EXPERIMENTS) == [one.name for one in study_programs()]
    built = build(mpi)
    for known in study_programs():
        told = built[known.name]
        assert (known.experiment, known.algorithms) == (told.experiment, told.algorithms)
        assert (known.processes_min, known.processes_max) == (
            told.processes_min, told.processes_max
        )  # fmt: skip
    chosen = design((4, 16), None, SIZES)
    ours, theirs = study_launches(chosen), launches_of(mpi, chosen)
    assert [(one.n, one.number, one.sizes) for one in ours] == [
        (one.n, one.number, one.sizes) for one in theirs
    ]
