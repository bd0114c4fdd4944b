"""Programs under the exchange library, with every MPI that is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from support.mpis import any_mpi
from support.processes import completed

HERE = Path(__file__).parent
FLAGS = ("-std=c11", "-O1", "-D_GNU_SOURCE", "-pthread", "-rdynamic")


mpi = any_mpi  # in place of the one that contend takes


@pytest.fixture(scope="session")
def preloaded(mpi, compiled):
    """A function that compiles a program of this folder and runs it under the library."""
    library = preloaded_library(mpi)

    def run(
        name,
        *words,
        ranks,
        libraries=(),
        options=(),  # of the launcher
        **variables,
    ):
        source = HERE / f"{name}.c"
        program = compiled(mpi.mpicc, *FLAGS, source, *libraries, "-ldl", "-lm")
        wanted = {f"CONTEND_EXCHANGE_{key.upper()}": str(value) for key, value in variables.items()}
        wanted |= {"LD_PRELOAD": str(library), "CONTEND_EXCHANGE": "1"}
        # The variables are for the program alone: the launcher is not to be preloaded.
        set_here = ["env", *(f"{key}={value}" for key, value in wanted.items())]
        launched = [*mpi.launcher, *options, "-n", ranks, *set_here, program, *words]
        return completed(launched, env=settings(mpi, ranks, LaunchOptions()))

    return run


@pytest.fixture
def answer(preloaded):
    """What a program prints, of a run that succeeded."""

    def of(*words, **options):
        done = preloaded(*words, **options)
        assert done.returncode == 0, done.stderr + done.stdout
        said: dict[str, Any] = json.loads(done.stdout)
        return said

    return of
