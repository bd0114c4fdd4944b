"""No case is lost, whatever becomes of its worker."""

import json
import shlex
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

import pytest

from contend.base.errors import ContendError, LaunchError, MissingToolError
from contend.base.records import read_records
from contend.measure.mpi import find_mpi
from contend.programs.sweeps import Case, Swept, sweep
from contend.programs.sweeps.executors import executor_of
from contend.programs.sweeps.workers import Workers

RING = "pattern:ring:1MB"
LINE = "line:20us:1GB/s"
CASES = [Case(network=LINE, ranks=4, compute=factor) for factor in range(1, 7)]


class Deadly(Executor):
    """Ends the worker that runs the case of one factor, as long as a file is there."""

    def __init__(self, executor: Executor, factor: float, armed: Path) -> None:
        self.executor, self.factor, self.armed = executor, factor, armed

    def submit(self, fn, /, source, case, files):
        if case.compute == self.factor and self.armed.exists():
            return self.executor.submit(signal.raise_signal, signal.SIGKILL)
        return self.executor.submit(fn, source, case, files)


def test_a_case_whose_worker_is_killed_fails_and_is_begun_again(executor, tmp_path):
    kept, armed = tmp_path / "sweep.jsonl", tmp_path / "armed"
    armed.touch()
    deadly = Deadly(executor, 2, armed)
    found = sweep(RING, CASES, executor=deadly, kept=kept).sort_index()
    assert found["error"][1].startswith("its worker ended: ")
    failed = [one.case.compute for one in read_records(Swept, kept, "") if one.error]
    if isinstance(executor, Workers):  # others may lose what was under way beside it
        assert failed == [2]
    armed.unlink()
    order = []
    told = lambda one, *_: order.append(one.case.compute)  # noqa: E731
    again = sweep(RING, CASES, executor=deadly, kept=kept, told=told)
    assert (again["error"] == "").all()
    assert sorted(order) == sorted(failed)
    assert len(read_records(Swept, kept, "")) == len(CASES) + len(failed)


def test_an_executor_that_broke_leaves_no_case_without_a_result(tmp_path):
    armed = tmp_path / "armed"
    armed.touch()
    with ProcessPoolExecutor(1, get_context("forkserver")) as pool:
        found = sweep(RING, CASES, executor=Deadly(pool, 1, armed))
        with pytest.raises(BrokenProcessPool):
            pool.submit(int)
        again = sweep(RING, CASES, executor=pool)  # which cannot begin a case any more
    for one in (found, again):
        assert len(one) == len(CASES)
        assert one["error"].str.startswith("its worker ended: BrokenProcessPool: ").all()


class Elsewhere(Executor):
    """Answers as a worker does that has another contend."""

    def submit(self, fn, /, *args):
        future = Future()
        future.set_result(fn(*args).model_copy(update={"contend": "0.0.1"}))
        return future


def test_a_worker_with_another_contend_gives_no_time():
    found = sweep(RING, CASES[:1], executor=Elsewhere())
    assert "its worker has contend 0.0.1, here it is" in found["error"][0]


def test_any_executor_is_taken_and_stays_open():
    with ThreadPoolExecutor(2) as executor:
        assert (sweep(RING, CASES, executor=executor)["error"] == "").all()
        assert executor.submit(int).result() == 0


@pytest.mark.parametrize(("word", "package"), [("mpi", "mpi4py"), ("dask:tcp://a:1", "dask")])
def test_what_a_word_needs_is_named(monkeypatch, word, package):
    monkeypatch.setattr("contend.programs.sweeps.executors.find_spec", lambda name: None)
    with pytest.raises(MissingToolError, match=package), executor_of(word):
        pass


def test_mpi_without_other_ranks_is_refused(monkeypatch):
    monkeypatch.setattr("contend.programs.sweeps.executors.find_spec", lambda name: name)
    with pytest.raises(LaunchError, match=r"mpiexec -n 16 python -m mpi4py\.futures"):
        sweep(RING, CASES, executor="mpi")


@pytest.fixture
def mpiexec(monkeypatch):
    """The launcher of an MPI that mpi4py works with; skips the test where there is none."""
    if find_spec("mpi4py") is None:
        pytest.skip("no mpi4py here; pip install 'contend[mpi4py]'")
    try:
        launcher = find_mpi().launcher
    except ContendError as error:
        pytest.skip(str(error))
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                 "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"):  # fmt: skip
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
    monkeypatch.setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
    program = "from mpi4py import MPI; assert MPI.COMM_WORLD.size == 2"
    words = [*launcher, "-n", "2", sys.executable, "-c", program]
    if subprocess.run(words, capture_output=True, check=False, timeout=120).returncode:
        pytest.skip(f"mpi4py does not run under {shlex.join(launcher)}")
    return launcher


def test_ranks_of_an_mpi_job_run_cases(mpiexec, tmp_path):
    kept = tmp_path / "sweep.jsonl"
    options = ["replay", "--vary", RING, "--network", LINE, "--ranks", "4", "--compute", "1,2,3,4"]
    words = [*mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m", "contend", *options,
             "--executor", "mpi", "-o", str(kept)]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert sorted(line["case"]["compute"] for line in lines) == [1, 2, 3, 4]
    assert all("seconds" in line for line in lines)
