"""What launches leave on a machine: nothing, however they end."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from contend.measure.scratch import FOLDER, mapped_segments
from support.mpis import any_mpi
from support.processes import started

pytestmark = pytest.mark.mpi
mpi = any_mpi
ENDLESS = ("--repeat", "time=60", "--repeat", "min=1000000", "--repeat", "max=1000000")
SHORT = ("--repeat", "time=0.05", "--repeat", "min=5", "--launches", "1")


@pytest.fixture
def measure(mpi, tmp_path):
    """Start `contend measure` with a temporary folder of its own, which is given too."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()

    def start(*more):
        command = [sys.executable, "-m", "contend", "measure", "-o", str(tmp_path / "s.jsonl")]
        command += ["--mpicc", mpi.mpicc, "--on", "here", "-e", "alltoall_rotated", "-n", "3"]
        variables = {**os.environ, "TMPDIR": str(temporary), "MPIEXEC": mpi.launcher[0]}
        return started(
            [*command, "-m", "64,4KiB", *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, env=variables, preexec_fn=_heed_interrupts,
        )  # fmt: skip

    return start, temporary


@pytest.fixture
def left(mpi):
    """A function that finds what launches of the MPI leave, what a process still uses left out.

    Other programs of the same MPI library that come and go meanwhile are found as well.
    """
    is_of_hydra = mpi.family != "Open MPI"

    def find():
        used = mapped_segments(psutil.process_iter())
        found = set(FOLDER.glob("*")) - used if FOLDER.is_dir() else set()
        return found | set(Path("/tmp").glob("hydra_hwloc_xmlfile_*") if is_of_hydra else ())

    return find


def _heed_interrupts():
    """As in a terminal, where this test runs without one (nohup, a batch system)."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_for(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def ranks(contend):
    found = []
    for one in psutil.Process(contend.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            found += [one] if one.name().startswith("alltoall_rotated") else []
    return found


@contextmanager
def endless(start, temporary):
    """A campaign whose ranks run and have shared memory; killed where it is not ended."""
    with start(*ENDLESS) as contend:
        wait_for(lambda: len(ranks(contend)) == 3)
        wait_for(lambda: list(temporary.glob("contend-launch-*/segments")))
        yield contend


def test_an_undisturbed_campaign_leaves_nothing(measure, left):
    start, temporary = measure
    before = left()
    with start(*SHORT) as contend:
        _, error = contend.communicate(timeout=100)
    assert contend.returncode == 0, error
    assert list(temporary.iterdir()) == []
    wait_for(lambda: left() <= before, 10)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_campaign_leaves_nothing(measure, left, number):
    start, temporary = measure
    before = left()
    with endless(start, temporary) as contend:
        contend.send_signal(number)
        contend.communicate(timeout=60)
    assert contend.returncode == 128 + number
    assert list(temporary.iterdir()) == []
    wait_for(lambda: left() <= before, 10)


def test_what_a_killed_campaign_leaves_goes_with_the_next_start(measure, left):
    start, temporary = measure
    before = left()
    with endless(start, temporary) as contend:
        everyone = ranks(contend)
    psutil.wait_procs(everyone, 20)
    with start(*SHORT) as again:
        _, error = again.communicate(timeout=100)
    assert again.returncode == 0, error
    assert list(temporary.iterdir()) == []
    wait_for(lambda: left() <= before, 10)
