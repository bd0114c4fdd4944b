"""Placement: what is asked of a launcher, what it did, and what a samples file can hold."""

from dataclasses import replace
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError, LaunchError
from contend.measure.build import Program
from contend.measure.calls import CallCampaign, _sample
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.mpi import MPI, find_mpi
from contend.measure.plan import Launch
from contend.measure.points import require_as_asked
from contend.measure.runner import Runner
from contend.samples import LabConditions, Provenance, Sample, SampleStore

PAIR = Program("pingpong", Path("pingpong"), "pingpong", ("half_round_trip",), 2, 2)
EXCHANGE = Program("alltoall", Path("alltoall"), "alltoall", ("native",), 2, None)
FOUR = LaunchOptions(processes_per_node=4)
MPICH = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")


def words(family, program, n, options=FOUR):
    return " ".join(command_line(MPI("mpicc", ("run",), family, "1"), program, n, [64], options))


@pytest.mark.parametrize(
    ("family", "placement"),
    [
        ("Slurm", "run -N 3 --ntasks-per-node=4 -n 10 alltoall"),
        ("Open MPI", "run --map-by ppr:4:node:oversubscribe -n 10 alltoall"),
        ("MPICH", "run -ppn 4 -n 10 alltoall"),
        ("Intel MPI", "run -ppn 4 -n 10 alltoall"),
    ],
)
def test_each_launcher_is_told_the_placement_in_its_own_words(family, placement):
    assert words(family, EXCHANGE, 10).startswith(placement)


def test_a_single_message_crosses_nodes_where_a_placement_is_asked_for():
    assert "-N 2 --ntasks-per-node=1 -n 2" in words("Slurm", PAIR, 2)
    assert "--ntasks" not in words("Slurm", PAIR, 2, LaunchOptions())


def test_intel_mpi_is_told_to_heed_the_placement_in_a_job():
    intel = MPI("mpicc", ("mpiexec",), "Intel MPI", "2021")
    assert settings(intel, 4, FOUR) == {"I_MPI_JOB_RESPECT_PROCESS_PLACEMENT": "0"}
    assert settings(intel, 4, LaunchOptions()) == {}


def test_a_launcher_that_may_queue_has_longer_to_start_but_not_longer_to_answer():
    slurm = MPI("mpicc", ("srun",), "Slurm", "23")
    assert FOUR.start_timeout(slurm) >= 3600 > FOUR.start_timeout(MPICH)
    assert FOUR.point_timeout() == FOUR.timeout + 2 * FOUR.max_seconds


def test_a_slower_network_has_longer_to_answer_but_never_longer_than_is_left():
    assert FOUR.point_timeout(4) == 4 * FOUR.timeout + 2 * FOUR.max_seconds
    slurm = MPI("mpicc", ("srun",), "Slurm", "23")
    late = replace(FOUR, seconds_left=5.0)
    assert late.start_timeout(slurm) == late.start_timeout(MPICH) == late.point_timeout(4) == 5.0
    assert replace(FOUR, seconds_left=-3.0).point_timeout() == 1.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"n": 1, "processes_per_node": 1}, "started 1 processes as one program, 8 were asked"),
        ({"n": 8, "processes_per_node": 8}, "placed 8 processes on a node, 4 were asked for"),
    ],
)
def test_a_launcher_that_does_something_else_is_an_error(line, message):
    with pytest.raises(LaunchError, match=message):
        require_as_asked(line, 8, 4)


def test_a_launcher_that_does_as_asked_is_none():
    require_as_asked({"n": 8, "processes_per_node": 4}, 8, 4)
    require_as_asked({"n": 3, "processes_per_node": 3}, 3, 4)


def test_a_file_of_another_placement_is_not_continued(tmp_path):
    sample = Sample(
        experiment="alltoall", algorithm="native", n=8, processes_per_node=2, m=64,
        times_s=(1e-5,), start="barrier", provenance=Provenance(source="contend"),
    )  # fmt: skip
    with SampleStore(tmp_path / "samples.jsonl") as store:
        store.append(sample)
        CallCampaign(Runner(MPICH, LaunchOptions()), store)
        CallCampaign(Runner(MPICH, LaunchOptions(processes_per_node=2)), store)
        with pytest.raises(InvalidInputError, match="n=8 with 2 processes per node, not 4"):
            CallCampaign(Runner(MPICH, FOUR), store)


def test_what_was_imported_of_another_placement_does_not_count_as_measured(tmp_path):
    placed = {
        per_node: Sample(
            experiment="alltoall", algorithm="native", n=8, processes_per_node=per_node, m=64,
            times_s=(1e-5,), provenance=Provenance(source="osu: out.txt"),
        )
        for per_node in (1, 4)
    }  # fmt: skip
    assert placed[1].point != placed[4].point
    launch = Launch(EXCHANGE, 8, 0, (64,))
    for per_node, is_done in ((1, False), (4, True)):
        with SampleStore(tmp_path / f"{per_node}.jsonl") as store:
            store.append(placed[per_node])
            campaign = CallCampaign(Runner(MPICH, FOUR), store)
            assert (launch.without(campaign._done).sizes == ()) == is_done


def test_the_family_is_found_behind_a_wrapper_of_the_launcher(tmp_path, monkeypatch):
    for tool in ("mpicc", "mpiexec"):
        (tmp_path / tool).write_text("#!/bin/sh\necho 'mpirun (Open MPI) 5.0.11'\n")
        (tmp_path / tool).chmod(0o755)
    launcher = f"env A=1 {tmp_path / 'mpiexec'} --bind-to core"
    found = find_mpi(str(tmp_path / "mpicc"), launcher)
    assert (found.family, found.version) == ("Open MPI", "5.0.11")


def test_what_the_lab_and_the_cores_did_is_kept_with_a_sample():
    line = {
        "experiment": "alltoall", "algorithm": "native", "n": 4, "processes_per_node": 1, "m": 64,
        "times_s": [1e-5], "warmup_s": [], "start": "window", "late_starts": 0,
        "start_skew_s": 2e-6, "start_skew_bound_s": None,
        "stopped": "precision", "interval_relative": 0.01,
    }  # fmt: skip
    launch, known = Launch(EXCHANGE, 4, 0, (64,)), Provenance(source="contend")
    plain = _sample(line, launch, FOUR, known)
    assert (plain.cpu_busy, plain.cpu_wait, plain.lab) == (None, None, None)
    assert (plain.start_skew_s, plain.start_skew_bound_s) == (2e-6, None)
    conditions = LabConditions.from_counters({"frames": 9, "timeouts": 1, "peak:a": 70})
    sample = _sample(
        {**line, "cpu_busy": 0.5, "cpu_wait": 0.2, "lab": conditions}, launch, FOUR, known
    )
    assert (sample.cpu_busy, sample.cpu_wait) == (0.5, 0.2)
    assert (sample.lab.frames, sample.lab.timeouts, sample.lab.queue_peak_bytes) == (9, 1, 70)
