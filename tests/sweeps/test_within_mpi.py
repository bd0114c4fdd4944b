"""A sweep inside an MPI job, which ends as a whole when one of its ranks does."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import psutil

from started import started

RANK = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")


def rank_of(process: psutil.Process) -> str | None:
    try:
        return next((process.environ()[name] for name in RANK if name in process.environ()), None)
    except psutil.Error:
        return None


def lines_of(kept) -> list[dict]:
    return [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []


def test_a_killed_rank_ends_the_job_and_the_same_command_ends_the_sweep(mpiexec, tmp_path):
    kept = tmp_path / "sweep.jsonl"
    words = [*shlex.split(mpiexec), "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m",
             "contend", "sweep", "pattern:alltoall:1KiB:200", "--network", "line:20us:1Gbit/s",
             "--ranks", "16", "--placement", "random:1-30", "--hosts", "8", "--executor", "mpi",
             "-o", str(kept)]  # fmt: skip
    with started(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
        while job.poll() is None and (not kept.exists() or kept.read_bytes().count(b"\n") < 3):
            time.sleep(0.01)
        ranks = {rank_of(one): one.pid for one in psutil.Process(job.pid).children(recursive=True)}
        os.kill(ranks["2"], signal.SIGKILL)
        assert job.wait(timeout=60)
    before = lines_of(kept)
    assert 3 <= len(before) < 31
    assert (tmp_path / ".sweep.jsonl.under-way").exists()

    subprocess.run(words, check=True, capture_output=True, timeout=120)
    after = lines_of(kept)
    assert after[: len(before)] == before
    assert len({json.dumps(line["case"]) for line in after}) == len(after) == 31
    assert {line["attempts"] for line in after} == {1, 2}
    assert all("seconds" in line for line in after)
    assert [path.name for path in tmp_path.iterdir()] == ["sweep.jsonl"]
