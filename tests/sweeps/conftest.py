"""Executors of every kind, each with two workers."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from contend.errors import MissingToolError
from contend.measure.mpi import find_mpi
from contend.sweeps.engine import OpenPool
from contend.sweeps.pools import pool_of

WORDS = ("processes", "mpi", "dask")


@pytest.fixture
def mpiexec(monkeypatch: pytest.MonkeyPatch) -> str:
    """The launcher of an MPI that mpi4py works with; skips the test where there is none."""
    if find_spec("mpi4py") is None:
        pytest.skip("no mpi4py here; pip install 'contend[mpi4py]'")
    try:
        mpi = find_mpi()
    except MissingToolError as error:
        pytest.skip(str(error))
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                 "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"):  # fmt: skip
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
    monkeypatch.setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    launcher = shlex.join(mpi.launcher)
    if (problem := _problem(launcher)) is not None:
        pytest.skip(problem)
    return launcher


@cache
def _problem(launcher: str) -> str | None:
    """Why mpi4py and the launcher do not belong together."""
    program = "from mpi4py import MPI; assert MPI.COMM_WORLD.size == 2"
    words = [*shlex.split(launcher), "-n", "2", sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    if not done.returncode:
        return None
    return f"mpi4py does not run under {launcher}: {' '.join(done.stderr.split())[-200:]}"


@pytest.fixture
def dask_config() -> Iterator[None]:
    """A cluster that leaves it to the engine to begin a case again; skips where there is none."""
    if find_spec("distributed") is None:
        pytest.skip("no dask.distributed here; pip install 'contend[dask]'")
    import dask
    import distributed  # noqa: F401  its settings have to be there before some are changed

    settings = {"distributed.scheduler.allowed-failures": 0}
    with dask.config.set(settings):
        yield


@pytest.fixture(params=WORDS)
def word(request: pytest.FixtureRequest) -> str:
    if request.param in ("mpi", "dask"):
        request.getfixturevalue({"mpi": "mpiexec", "dask": "dask_config"}[request.param])
    return request.param


@pytest.fixture
def options(word: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Those of `sweep` and `pool_of` for an executor of the word."""
    launcher = request.getfixturevalue("mpiexec") if word == "mpi" else None
    return {"workers": 2, "mpiexec": launcher}


@pytest.fixture
def open_pool(word: str, options: dict[str, Any]) -> OpenPool:
    return pool_of(word, **options)
