"""contend batch: the command, and its scripts run by batch systems that are played here."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contend.measure.lab.session import why_impossible
from contend.samples import read_samples
from support.processes import started

WORDS = ("-n", "2,4", "-m", "64,1KiB,4KiB,16KiB", "--launches", 1)
QUICK = ("--", "--repeat", "max=5", "--repeat", "min=2", "--refine", "0",
         "--no-library-algorithms")  # fmt: skip
HURRY = ("--max-seconds", "20ms")

# What a batch system does: reads its lines, sets what a job finds, and runs the script elsewhere.
SBATCH = """#!/bin/bash
nodes=$(sed -n 's/^#SBATCH --nodes=//p' "$1")
per_node=$(sed -n 's/^#SBATCH --ntasks-per-node=//p' "$1")
export SLURM_JOB_ID=7 SLURM_SUBMIT_DIR=$PWD SLURM_NNODES=$nodes SLURM_NTASKS_PER_NODE=$per_node
script=$(realpath "$1"); cd / && exec bash "$script"
"""
QSUB = """#!/bin/bash
chunks=$(sed -n 's/^#PBS -l select=\\([0-9]*\\):.*/\\1/p' "$1")
per_node=$(sed -n 's/^#PBS .*mpiprocs=//p' "$1")
export PBS_JOBID=7.server PBS_O_WORKDIR=$PWD PBS_NODEFILE=$(mktemp)
for chunk in $(seq "$chunks"); do for rank in $(seq "$per_node"); do
  [ "$chunks" -gt 1 ] && echo "node$chunk" || hostname
done; done > "$PBS_NODEFILE"
script=$(realpath "$1"); cd / && exec bash "$script"
"""
# A launcher of the site: notes what it was asked for, and starts the ranks on this host.
SRUN = """#!/bin/bash
[ "$1" = --version ] && {{ echo "slurm 23.11.4"; exit; }}
echo "$@" >> {log}
options=()
while [ $# -gt 0 ]; do case "$1" in
  -n) count=$2; shift 2;; -N) shift 2;; --*) shift;; *) break;;
esac; done
exec {mpiexec} -n "$count" "$@"
"""


@pytest.fixture
def site(tmp_path, monkeypatch, mpi):
    """Commands of two batch systems on PATH; the path of what srun was asked for."""
    commands, log = tmp_path / "bin", tmp_path / "srun.log"
    commands.mkdir()
    mpiexec = shutil.which(mpi.launcher[0])
    for name, text in {
        "sbatch": SBATCH, "qsub": QSUB, "srun": SRUN.format(log=log, mpiexec=mpiexec)
    }.items():  # fmt: skip
        path = commands / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    for name in ("SLURM_JOB_ID", "PBS_JOBID"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return log


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def test_a_dry_run_prints_the_script_and_writes_nothing(contend, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = contend("batch", "--scheduler", "slurm", "-n", "4,8,16", "--ppn", 4, "-o", "-")
    assert outcome.out.startswith("#!/bin/bash\n#SBATCH --job-name=contend\n#SBATCH --nodes=4\n")
    assert "study -o contend-study -n 4,8,16" in outcome.out
    assert "--on here --mpiexec 'srun --cpu-bind=cores' &" in outcome.out
    assert "node-minutes" in outcome.err and not list(tmp_path.iterdir())


def test_a_script_is_written_that_its_owner_can_run(contend, tmp_path):
    path = tmp_path / "job.sh"
    outcome = contend("batch", "--scheduler", "pbs", *WORDS, "-o", path)
    assert os.access(path, os.X_OK)
    assert f"next: qsub {path}" in outcome.err


def test_the_limit_is_what_the_campaign_takes_at_most_and_what_it_costs_is_told(contend):
    words = ("batch", "--scheduler", "slurm", "-n", "4,8,16", "--ppn", 4, "-o", "-", "--json")
    found = contend(*words).json
    minutes, nodes = found["minutes"], found["nodes"]
    assert nodes == 4
    assert minutes["expected"] < minutes["at_most"] < minutes["limit"]
    assert {key: nodes * value for key, value in minutes.items()} == pytest.approx(
        found["node_minutes"]
    )
    hours, least, _ = re.search(r"--time=(\d+):(\d+):(\d+)", found["script"]).groups()
    assert 60 * int(hours) + int(least) == minutes["limit"]
    short = contend(*words, "--job", "time=4min").json
    assert short["minutes"]["limit"] == 4 and short["submissions"] > 1
    assert found["submissions"] == 1


def test_nodes_say_how_many_processes_and_a_command_on_path_which_system(
    contend, tmp_path, monkeypatch
):
    (tmp_path / "sbatch").write_text("#!/bin/sh\n")
    (tmp_path / "sbatch").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    words = ("batch", "--ppn", 2, "--job", "nodes=4", "--study", tmp_path / "s", "-o", "-")
    script = contend(*words).out
    assert "#SBATCH --nodes=4" in script
    assert " -n 2,4,8 " in script


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--scheduler", "lottery", "-n", "4"], 1, "no batch system is named 'lottery'"),
        (["--scheduler", "slurm"], 1, "a study of no number of processes"),
        (["--scheduler", "slurm", "-n", "4", "--job", "partition=a b"], 1, "a queue 'a b'"),
        (["--scheduler", "slurm", "-n", "4", "--", "--nothing"], 2, "No such option: --nothing"),
        (["--scheduler", "slurm", "-n", "4", "--job", "time=1min"], 1, "a time of 1min"),
        (["--scheduler", "slurm", "-n", "4", "--plan", "plan.json"], 1, "--plan with what it says"),
        (
            ["--scheduler", "slurm", "-n", "8", "--ppn", "2", "--job", "nodes=2"],
            1,
            "where 4 are taken",
        ),
        (["-n", "4"], 1, "give --scheduler pbs or --scheduler slurm"),
    ],
)
def test_a_mistake_is_told_before_a_job_waits_in_a_queue(contend, words, code, said):
    outcome = contend("batch", *words, "-o", "-")
    assert said in outcome.err, outcome
    assert outcome.code == code


@pytest.mark.full
@pytest.mark.mpi
def test_steps_of_slurm_are_asked_for_with_their_nodes(contend, site):
    """All nodes are this one here, which contend sees before it times anything."""
    words = ("--ppn", 2, *WORDS, *HURRY, "--launcher", "srun --mpi=pmix", "-o", "job.sh")
    assert contend("batch", "--scheduler", "slurm", *words, *QUICK).code == 0
    done = run("sbatch", "job.sh")
    (asked,) = site.read_text().splitlines()
    placed = {"-N 2 --ntasks-per-node=1 -n 2", "-N 1 --ntasks-per-node=2 -n 2",
              "-N 2 --ntasks-per-node=2 -n 4"}  # fmt: skip
    assert any(asked.startswith(f"--mpi=pmix {one} ") for one in placed)
    if done.returncode == 1:
        assert "reserve enough nodes" in done.stderr


@pytest.mark.mpi
def test_a_job_of_pbs_measures_a_plan_once_however_often_it_is_submitted(contend, site, mpi):
    assert contend("design", "-n", "2..4", "--budget", "points=4", "-o", "plan.json").code == 0
    words = (
        "--plan", "plan.json", "--samples", "plan.jsonl", "--job", "nodes=1", "--mpicc", mpi.mpicc,
    )  # fmt: skip
    command = ("batch", "--scheduler", "pbs", *words, "--launcher", mpi.launcher[0])
    before = contend(*command, "-o", "job.sh", "--json").json
    done = run("qsub", "job.sh")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "the campaign is complete" in done.stdout
    kept = Path("plan.jsonl").read_bytes()
    assert len(read_samples("plan.jsonl")) == before["points"] == 4
    assert run("qsub", "job.sh").returncode == 0
    assert Path("plan.jsonl").read_bytes() == kept
    left = contend(*command, "-o", "-", "--json").json
    assert (left["points"], left["launches"]) == (0, 0)


@pytest.mark.full
@pytest.mark.mpi
@pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}")
@pytest.mark.parametrize(("scheduler", "submit"), [("slurm", "sbatch"), ("pbs", "qsub")])
def test_a_script_measures_on_the_hosts_of_a_lab_by_mpiexec(contend, site, mpi, scheduler, submit):
    assert contend("design", "-n", "2,3", "--budget", "points=6", "-o", "plan.json").code == 0
    words = ("--plan", "plan.json", "--samples", "plan.jsonl", "--ppn", 1, *HURRY)
    where = ("--mpicc", mpi.mpicc, "--launcher", mpi.launcher[0], "-o", "job.sh")
    assert contend("batch", "--scheduler", scheduler, *words, *where).code == 0
    in_lab = (
        sys.executable, "-m", "contend", "lab", "run", "fast-ethernet,hosts=3,time_dilation=1",
        "--",
    )  # fmt: skip
    done = run(*in_lab, submit, "job.sh")
    assert done.returncode == 0, done.stderr[-2000:]
    kept = read_samples("plan.jsonl")
    assert {one.n for one in kept} == {2, 3}
    assert {one.processes_per_node for one in kept} == {1}


@pytest.mark.full
@pytest.mark.mpi
def test_a_warning_stops_it_with_what_was_measured_and_the_next_job_goes_on(contend, site, mpi):
    """On one node, which is this host."""
    words = (
        "--job", "nodes=1", *WORDS, *HURRY, "--mpicc", mpi.mpicc, "--launcher", mpi.launcher[0],
    )  # fmt: skip
    assert contend("batch", "--scheduler", "slurm", *words, "-o", "job.sh", *QUICK).code == 0
    samples = Path("contend-study/samples.jsonl")
    with started(["sbatch", "job.sh"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
        deadline = time.monotonic() + 200
        while time.monotonic() < deadline and lines_of(samples) < 3:
            time.sleep(0.05)  # until some points are on the disk
        job.send_signal(signal.SIGTERM)  # as `B:TERM@60` does: to the shell alone
        out, err = job.communicate(timeout=100)
    assert job.returncode == 143, err[-2000:]
    assert b"submit this script again with sbatch to go on" in out
    kept = read_samples(samples)
    done = run("sbatch", "job.sh")
    assert done.returncode == 0, done.stderr[-2000:]
    after = read_samples(samples)
    assert after[: len(kept)] == kept and len(after) > len(kept)
    assert len({one.point for one in after}) == len(after)  # none was measured twice
    assert all(Path("contend-study", name).exists() for name in ("network.json", "report.html"))


def lines_of(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0
