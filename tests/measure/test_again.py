"""What a busy machine disturbed is measured again, within limits, and then left alone."""

import time
from dataclasses import replace

import pytest

from contend.base.errors import FileFormatError
from contend.measure.calls import CallCampaign
from contend.measure.command import LaunchOptions
from contend.measure.design import Design, measure, named, unmeasured
from contend.measure.lab import read_lab
from contend.measure.limits import Limits, TooBusyError
from contend.measure.mpi import MPI
from contend.measure.plan import Launch, plan
from contend.measure.runner import Runner
from contend.samples import SampleStore, quality, read_samples
from support.emulation import PROGRAMS, Emulation, replace_launches

MPICH = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")
DESIGN = Design((3, 4), 3, (64, 1024), launches=2, extra_sizes=2)
LAB = read_lab("lab:fast-ethernet")
LIMITS = Limits()


class Running:
    lab = LAB


def runner(limits):
    return Runner(MPICH, LaunchOptions(), lab=Running(), limits=limits)


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Measure DESIGN where `is_late` says what is disturbed: the emulation and the samples."""

    def carry_out(is_late, limits=LIMITS):
        emulation = Emulation(is_late)
        replace_launches(monkeypatch, emulation)
        with SampleStore(tmp_path / "samples.jsonl") as store:
            measure(runner(limits), DESIGN, store)
        return emulation, read_samples(tmp_path / "samples.jsonl")

    return carry_out


def test_a_disturbed_point_is_measured_again_and_replaced(run):
    _, samples = run(lambda number, *_: number == 5)
    late = [sample for sample in samples if sample.is_flagged]
    assert len(late) == 1
    again = [sample for sample in samples if sample.point == late[0].point]
    assert [sample.is_flagged for sample in again] == [True, False]
    assert len(quality.standing(samples)) == len(samples) - 1 == len({s.point for s in samples})
    nothing_new, _ = run(lambda *_: True)
    assert nothing_new.points == []


def test_what_stays_disturbed_is_tried_so_often_and_when_asked_again(run):
    def stubborn(number, dilation, data):
        return data["m"] == 1024 and data["experiment"] == "alltoall" and data["n"] == 4

    _, samples = run(stubborn)
    tries = [sample for sample in samples if sample.is_flagged]
    assert len(tries) == 2 * 4  # no better the second time: no third
    later, samples = run(lambda *_: False)
    assert len(later.points) == 4
    assert not any(sample.is_flagged for sample in quality.standing(samples))


def test_a_size_that_was_refined_is_measured_again_too(run):
    planned = {64, 1024, 0}
    seen = []

    def once(number, dilation, data):
        is_new = data["experiment"] == "plogp" and data["m"] not in planned
        seen.append((data["m"], data["algorithm"]))
        return is_new and seen.count((data["m"], data["algorithm"])) == 1

    _, samples = run(once)
    assert any(sample.is_flagged for sample in samples)
    assert not any(sample.is_flagged for sample in quality.standing(samples))


def test_a_watched_campaign_ends_early_where_most_is_disturbed(run):
    with pytest.raises(TooBusyError, match="could not keep up in 12 of 12 points"):
        run(lambda *_: True, Limits.of(None, is_watched=True))
    emulation, _ = run(lambda number, *_: number % 3 == 0, Limits.of(None, is_watched=True))
    assert len(emulation.points) > 12


def test_nothing_is_measured_when_the_time_is_over(run):
    over = Limits(begin=time.monotonic() - 60, deadline=time.monotonic() - 1)
    emulation = Emulation(lambda *_: False)
    with pytest.raises(FileFormatError, match="there is no file"):
        run(lambda *_: False, over)
    assert emulation.points == []


def test_first_launches_come_before_second_ones():
    numbers = [one.number for one in plan(PROGRAMS.values(), (2, 3, 4), (64, 1024), 3, 1)]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == 3


def test_a_launch_has_the_sizes_with_a_wanted_point():
    launch = Launch(PROGRAMS["plogp"], 2, 0, (0, 64, 128))
    assert launch.only({("plogp", "round_trip", 2, 64, 0)}).sizes == (64,)
    assert launch.only(set()).sizes == ()


def test_what_lacks_of_a_plan_is_named(run):
    launches = plan(PROGRAMS.values(), (3, 4), (64, 1024), 1, 1)
    _, samples = run(lambda *_: False)
    assert unmeasured(launches, samples) == set()
    less = [one for one in samples if (one.experiment, one.n, one.m) != ("alltoall", 4, 64)]
    assert named(unmeasured(launches, less)) == [
        "alltoall/native n=4 64 B",
        "alltoall/rotated n=4 64 B",
    ]


def test_another_run_goes_on_where_the_time_was_over(run, tmp_path, monkeypatch):
    emulation = Emulation(lambda *_: False)
    replace_launches(monkeypatch, emulation)
    limits = Limits.of(None)
    with SampleStore(tmp_path / "samples.jsonl") as store:
        ended = Limits(begin=limits.begin, deadline=0.0)
        stopping = replace(runner(limits), report=lambda _: setattr(campaign, "limits", ended))
        campaign = CallCampaign(stopping, store)
        assert campaign.carry_out(plan(PROGRAMS.values(), (3, 4), (64, 1024), 2, 1)) == 1
    _, samples = run(lambda *_: False)
    assert len({sample.point for sample in samples}) == len(samples) > 40
