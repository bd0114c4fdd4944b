"""Programs under the recorder, with every MPI that is installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.programs.traces.reader import read_trace
from support.mpis import any_mpi
from support.processes import completed

HERE = Path(__file__).parent
FLAGS = ("-std=c11", "-O1", "-D_GNU_SOURCE", "-pthread")

mpi = any_mpi  # in place of the one that contend takes


@dataclass(frozen=True)
class Recorded:
    """What a program left."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def trace(self):
        """What was recorded."""
        return read_trace(self.folder)


@pytest.fixture(scope="session")
def record(mpi, compiled, tmp_path_factory):
    """A function that compiles a program of this folder and runs it under the recorder."""
    library = preloaded_library(mpi)

    def run(source, *words, ranks, buffer=None, wrapper=(), compiler=None, folder=None):
        flags = FLAGS if compiler is None else ()
        program = compiled(compiler or mpi.mpicc, *flags, HERE / source)
        place = tmp_path_factory.mktemp("trace") if folder is None else folder
        own = {"CONTEND_RECORD": str(place)}
        if not wrapper:  # which preloads what it wants
            own["LD_PRELOAD"] = str(library)
        if buffer is not None:
            own["CONTEND_RECORD_BUFFER"] = str(buffer)
        set_here = ["env", *(f"{key}={value}" for key, value in own.items())]
        done = completed(
            [*mpi.launcher, "-n", str(ranks), *set_here, *wrapper, program, *map(str, words)],
            env=settings(mpi, ranks, LaunchOptions()),
        )
        return Recorded(done.returncode, done.stdout, done.stderr, place)

    return run
