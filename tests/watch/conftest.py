"""Programs that are watched, with every MPI that is installed."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from support import watching
from support.mpis import any_mpi
from support.processes import completed

HERE = Path(__file__).parent
FLAGS = ("-std=c11", "-O1", "-D_GNU_SOURCE", "-pthread")

mpi = any_mpi


@dataclass(frozen=True)
class Launched:
    """What a program left behind."""

    code: int
    out: str
    err: str
    site: Path

    @property
    def records(self):
        """The records of the site's file."""
        return [json.loads(line) for line in self.site.read_text().splitlines()]

    @property
    def record(self):
        """The only one; no file of a job is left."""
        assert not self.jobs.exists()
        (record,) = self.records
        return record

    @property
    def jobs(self):
        """The folder of jobs that have left no record yet."""
        return self.site.with_name(f"{self.site.name}.jobs")

    @property
    def last_lines(self):
        """The last line of each rank of the only job."""
        (path,) = self.jobs.iterdir()
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return {line["rank"]: line for line in lines}

    @property
    def said(self):
        """What the library said on standard error."""
        return [line for line in self.err.splitlines() if "contend" in line]


@pytest.fixture
def watch(mpi, compiled, tmp_path):
    """A function that runs the program of known calls under the library."""
    library = preloaded_library(mpi)

    def run(*words, ranks=4, site=None, wrapper=(), **variables):
        program = compiled(mpi.mpicc, *FLAGS, HERE / "watched.c")
        place = tmp_path / "site.jsonl" if site is None else site
        own = {"LD_PRELOAD": library, "CONTEND_WATCH": place, **variables}
        set_here = ["env", *(f"{key}={value}" for key, value in own.items())]
        done = completed(
            [*mpi.launcher, "-n", str(ranks), *wrapper, *set_here, program, *map(str, words)],
            env=settings(mpi, ranks, LaunchOptions()),
            timeout=90,
        )
        return Launched(done.returncode, done.stdout, done.stderr, place)

    return run


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.fixture
def record(rng: np.random.Generator) -> watching.Record:
    """The record of a job of two kinds of calls."""
    rows = (watching.Row(), watching.Row("barrier", m=0, algorithm=None))
    return watching.job(rng, watching.Watched(rows))


@pytest.fixture
def site(tmp_path: Path, record: watching.Record, rng: np.random.Generator) -> Path:
    """A site's file of two jobs."""
    return watching.write_site(tmp_path / "site.jsonl", [record, watching.job(rng)])
