"""Fixtures for all tests."""

import os
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
import typer
from filelock import FileLock
from hypothesis import HealthCheck, settings

from contend.base.errors import MissingToolError
from contend.cli import app
from contend.measure.mpi import find_mpi
from support.reports import without_files_and_maps
from tiers import ALONE, FULL, AloneLast, is_of

# Examples are the same in every run, and slow where the machine is busy, which is no defect.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

# Without bytecode each of the hundreds of processes that tests start would compile all anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What a user has measured of the slow links of this machine is none of the tests' business.
os.environ["CONTEND_SITE"] = "0"

# Commands run in this process are built once: that takes as long as many of them.
app.make_app = cache(app.make_app)
typer.main.get_command = cache(typer.main.get_command)

# They run processes against clocks and time limits, on machines that others may load: what fails
# once for that is tried again, and the summary counts it as a rerun. A defect fails every time.
RERUNS = 2

MEASURED = "shared_data"  # the fixture of tests that compute with what real machines have measured


def pytest_collection_modifyitems(items):
    for item in items:
        name = item.nodeid.split("::", 1)[0]
        if is_of(name, FULL) or MEASURED in item.fixturenames:
            item.add_marker(pytest.mark.full)
        if is_of(name, ALONE) or item.get_closest_marker("mpi"):
            item.add_marker(pytest.mark.flaky(reruns=RERUNS, reruns_delay=1))


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers():
    """One more than there are processors: tests wait for programs and launches a good deal."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_make_scheduler(config, log):
    return AloneLast(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture
def shared_data():
    """Path of a file of the shared data sets; skips the test where it is absent."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    root = Path(os.environ.get("CONTEND_DATA", beside))

    def find(name):
        if not (root / name).is_file():
            pytest.skip(f"{name} is not among the shared data sets; set CONTEND_DATA to them")
        return root / name

    return find


@pytest.fixture
def quick_reports(monkeypatch):
    """Reports are without what takes most of their time: maps, and figures as files."""
    without_files_and_maps(monkeypatch)


@pytest.fixture(scope="session")
def mpi():
    """The MPI library that contend takes; skips the test where there is none."""
    try:
        return find_mpi()
    except MissingToolError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """A function that gives what a compiler makes of sources and flags, once for all workers."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent

    @cache
    def compile_it(compiler, *words):
        command = [compiler, *map(str, words)]
        folder = place / f"compiled-{sha256(repr(command).encode()).hexdigest()[:16]}"
        made, making = folder / "made", folder / "making"
        with FileLock(f"{folder}.lock"):
            if not made.exists():
                folder.mkdir(exist_ok=True)
                # Compilers of Fortran leave the modules of a source where they are run.
                subprocess.run([*command, "-o", making], check=True, timeout=90, cwd=folder)
                making.rename(made)
        return made

    return compile_it
