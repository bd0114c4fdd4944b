"""Programs under the exchange library, with every MPI that is installed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contend.measure.build import exchange_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, installed

HERE = Path(__file__).parent
MPIS = {mpi.title: mpi for mpi in installed()}

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session", params=sorted(MPIS) or ["none"])
def mpi(request: pytest.FixtureRequest) -> MPI:
    if request.param == "none":
        pytest.skip("no MPI library is installed")
    return MPIS[request.param]


@pytest.fixture(scope="session")
def preloaded(mpi: MPI, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A function that compiles a program of this folder and runs it under the library."""
    folder = tmp_path_factory.mktemp("exchange")
    library = exchange_library(mpi)

    def run(
        name: str, *words: object, ranks: int, libraries: tuple[str, ...] = (), **variables: object
    ) -> subprocess.CompletedProcess[str]:
        program = folder / name
        if not program.exists():
            flags = ["-std=c11", "-O1", "-D_GNU_SOURCE", "-pthread", "-rdynamic"]
            source = str(HERE / f"{name}.c")
            compiled = [*flags, "-o", str(program), source, *libraries, "-ldl", "-lm"]
            subprocess.run([mpi.mpicc, *compiled], check=True, timeout=60)
        wanted = {f"CONTEND_EXCHANGE_{key.upper()}": str(value) for key, value in variables.items()}
        wanted["LD_PRELOAD"] = str(library)
        # The variables are for the program alone: the launcher is not to be preloaded.
        set_here = ["env", *(f"{key}={value}" for key, value in wanted.items())]
        command = [*mpi.launcher, "-n", str(ranks), *set_here, str(program), *map(str, words)]
        return subprocess.run(
            command,
            env={**os.environ, **settings(mpi, ranks, LaunchOptions())},
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    return run


@pytest.fixture
def answer(preloaded: Run) -> Callable[..., dict[str, Any]]:
    """What a program prints, of a run that succeeded."""

    def of(*words: object, **options: Any) -> dict[str, Any]:
        done = preloaded(*words, **options)
        assert done.returncode == 0, done.stderr + done.stdout
        said: dict[str, Any] = json.loads(done.stdout)
        return said

    return of
