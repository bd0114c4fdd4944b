"""Real launches: every experiment with every MPI here, a dead rank, a hang, a broken command."""

import os
import signal
import sys
import time

import psutil
import pytest

from contend.base.errors import LaunchError
from contend.measure import machine
from contend.measure.build import build
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.launch import run
from contend.measure.mpi import MPI

pytestmark = pytest.mark.mpi
LONG = LaunchOptions(
    max_seconds=60, min_repetitions=10**6, max_repetitions=10**6, precision=1e-9, timeout=30
)


def start(mpi, program, n, sizes, options):
    command = command_line(mpi, program, n, sizes, options)
    limits = (options.start_timeout(mpi), options.point_timeout())
    return run(command, settings(mpi, n, options), *limits)


def ranks_of(program):
    """Processes of this program that this test started."""
    family = psutil.Process().children(recursive=True)
    return [one for one in family if one.name()[:15] == program.path.name[:15]]


def wait_for(condition, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["pingpong", "plogp", "alltoall_native", "alltoall_rotated"])
def test_every_experiment_runs_and_reports_all_it_was_asked_for(any_mpi, name, quick):
    program = build(any_mpi)[name]
    n = 3 if program.processes_max is None else 2
    lines = list(start(any_mpi, program, n, [0, 64, 70000], quick))
    head, points = lines[0], [line for line in lines if line["kind"] == "point"]
    assert head["kind"] == "launch"
    assert head["n"] == n
    assert [(p["m"], p["algorithm"]) for p in points] == [
        (m, algorithm) for m in (0, 64, 70000) for algorithm in program.algorithms
    ]
    for point in points:
        assert len(point["times_s"]) >= 5
        assert all(value >= 0 for value in point["times_s"])
        assert point["checked"]


def test_per_rank_times_never_exceed_the_slowest(mpi, programs, quick):
    options = LaunchOptions(**{**quick.__dict__, "per_rank": True})
    lines = list(start(mpi, programs["alltoall_rotated"], 3, [1024], options))
    (point,) = [line for line in lines if line["kind"] == "point"]
    for slowest, ranks in zip(point["times_s"], point["rank_times_s"], strict=True):
        assert len(ranks) == 3
        assert max(ranks) == pytest.approx(slowest, rel=1e-6)


@pytest.mark.parametrize("start_by", ["window", "barrier"])
def test_the_start_asked_for_is_used_and_recorded(mpi, programs, quick, start_by):
    options = LaunchOptions(**{**quick.__dict__, "start": start_by})
    lines = list(start(mpi, programs["alltoall_native"], 2, [64], options))
    assert {line["start"] for line in lines if line["kind"] == "point"} == {start_by}


def test_ranks_of_one_host_start_in_a_common_window(mpi, programs, quick):
    lines = list(start(mpi, programs["alltoall_native"], 2, [64], quick))
    assert lines[0]["start"] == "window"


def test_a_dead_rank_is_an_error_and_leaves_nobody_behind(any_mpi):
    program = build(any_mpi)["alltoall_rotated"]
    lines = start(any_mpi, program, 3, [1024], LONG)
    assert next(lines)["kind"] == "launch"
    wait_for(lambda: len(ranks_of(program)) == 3)
    ranks_of(program)[0].send_signal(signal.SIGKILL)
    with pytest.raises(LaunchError, match=r"status|killed"):
        list(lines)
    wait_for(lambda: not ranks_of(program))


def test_a_hang_is_ended_after_the_time_limit_and_leaves_nobody_behind(any_mpi):
    program = build(any_mpi)["alltoall_rotated"]
    options = LaunchOptions(**{**LONG.__dict__, "timeout": 3, "max_seconds": 0.5})
    lines = start(any_mpi, program, 3, [1024], options)
    assert next(lines)["kind"] == "launch"
    wait_for(lambda: len(ranks_of(program)) == 3)
    ranks_of(program)[0].send_signal(signal.SIGSTOP)
    with pytest.raises(LaunchError, match="printed nothing for 4 s"):
        list(lines)
    wait_for(lambda: not ranks_of(program))


def test_a_launcher_that_cannot_start_is_named(programs, quick):
    absent = MPI("mpicc", ("/nonexistent/mpiexec",), "MPICH", "0")
    with pytest.raises(LaunchError, match="/nonexistent/mpiexec"):
        list(start(absent, programs["pingpong"], 2, [1], quick))


def test_bad_arguments_of_a_program_reach_the_user(mpi, programs, quick):
    with pytest.raises(LaunchError, match="exactly 2 processes, got 3"):
        list(start(mpi, programs["pingpong"], 3, [1], quick))


def test_mpich_is_told_to_sleep_only_where_cores_are_too_few(monkeypatch, quick):
    for name in ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "OAR_JOBID", "FLUX_URI", "PE_HOSTFILE"):
        monkeypatch.delenv(name, raising=False)
    local = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")
    many = machine.cores() + 1
    assert "MPIR_CVAR_CH4_PROGRESS_THROTTLE" in settings(local, many, quick)
    assert settings(local, machine.cores(), quick) == {}
    assert settings(MPI("mpicc", ("mpiexec", "-f", "h"), "MPICH", "5.0"), many, quick) == {}
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    assert settings(local, many, quick) == {}


def test_root_may_run_open_mpi_and_others_are_not_told_to(monkeypatch, quick):
    openmpi = MPI("mpicc", ("mpiexec",), "Open MPI", "5.0")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "OMPI_ALLOW_RUN_AS_ROOT" not in settings(openmpi, 2, quick)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "OMPI_ALLOW_RUN_AS_ROOT" in settings(openmpi, 2, quick)


def test_a_complaint_of_a_preloaded_library_ends_the_launch():
    script = """
import sys
print('contend {"kind": "launch"}', flush=True)
print("contend: the plan x is empty; every all-to-all is the MPI library's own", file=sys.stderr)
sys.stderr.flush()
print('contend {"kind": "point"}', flush=True)
print('contend {"kind": "end"}', flush=True)
"""
    kinds = []
    with pytest.raises(LaunchError, match="did not do as asked: the plan x is empty"):
        for data in run([sys.executable, "-c", script], {}, 20, 20):
            kinds.append(data["kind"])
    assert "point" not in kinds
