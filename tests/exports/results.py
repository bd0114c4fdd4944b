"""What results.c computes under environment variables: each case's digest and wrong elements."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI
from contend.schedules.libraries import Library, Version, library_of
from contend.tune.exports import FORMATS, Format, Request
from contend.tune.exports.csel.library_trees import installed
from support.decisions import decided

HERE = Path(__file__).parent
SIZES = "2,3,5,8"  # of communicators
Results = dict[str, tuple[str, int]]  # digest and wrong elements by the name of the case


@dataclass(frozen=True)
class Computing:
    """An MPI library and the program, compiled with it."""

    mpi: MPI
    program: Path
    library: Library
    version: Version
    form: Format

    def under(self, variables: Mapping[str, str], *words: str, sizes: str = SIZES) -> Results:
        """What the program computes: operations, kinds of elements, counts."""
        ranks = max(map(int, sizes.split(",")))
        started = settings(self.mpi, ranks, LaunchOptions())
        done = subprocess.run(
            [*self.mpi.launcher, "-n", str(ranks), str(self.program), *words, sizes],
            env={**os.environ, **started, **variables},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (words, variables, done.stdout[-500:], done.stderr[-2000:])
        rows = [line.split() for line in done.stdout.splitlines() if line.count(" ") == 2]
        return {name: (digest, int(wrong)) for name, digest, wrong in rows}

    def by_file(self, path: Path, *rules: object, all_commute: bool = False) -> dict[str, str]:
        """Variables under which the library takes rules, written to a file as contend does."""
        own = str(installed(self.mpi.mpicc)) if self.library.name == "mpich" else None
        made = decided(*rules, library=self.library.name)
        request = Request(made, self.version, library_rules=own, all_commute=all_commute)
        export = self.form.write(request)
        path.write_text(export.text)
        for behind, text in export.beside.items():
            Path(f"{path}{behind}").write_text(text)
        return {
            **self.library.alongside,
            **self.form.needs(export.text, self.version),
            **self.form.settings(str(path), self.version),
            **export.settings,
        }


@pytest.fixture
def computing(mpi: MPI, compiled: Callable[..., Path]) -> Computing:
    library, version = library_of(mpi.title)
    form = next(
        one for one in FORMATS.all() if one.library_name == library.name and one.serves(version)
    )
    program = compiled(mpi.mpicc, "-std=c11", "-O1", HERE / "results.c")
    return Computing(mpi, program, library, version, form)
