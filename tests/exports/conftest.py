"""What an Open MPI that is told of rules sends, by its own count."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI
from support.formats import target_named
from support.mpis import any_mpi

HERE = Path(__file__).parent
RANKS = 4
SENT = re.compile(r"^[IE]\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs sent", re.MULTILINE)

mpi = any_mpi  # in place of the one that contend takes


Sent = dict[tuple[int, int], tuple[int, int]]  # from rank, to rank: bytes, messages


@pytest.fixture
def openmpi(mpi: MPI) -> MPI:
    """The MPI of the test, if it is an Open MPI."""
    if "Open MPI" not in mpi.title:
        pytest.skip(f"{mpi.title} does not read rules of Open MPI")
    return mpi


@pytest.fixture
def sent(openmpi: MPI, compiled: Callable[..., Path], tmp_path: Path) -> Callable[..., Sent]:
    """A function that runs a call under rules and says who sent what to whom."""
    program = compiled(openmpi.mpicc, "-std=c11", HERE / "calls.c")

    def of(text: str, target: str, operation: str, m: int, **more: str) -> Sent:
        reader = target_named(target)
        (tmp_path / "rules").write_text(text)
        told = reader.loading(tmp_path / "rules")
        watched = {
            "OMPI_MCA_pml_monitoring_enable": "2",
            "OMPI_MCA_pml_monitoring_enable_output": "3",
            "OMPI_MCA_pml_monitoring_filename": str(tmp_path / "sent"),
        }
        done = subprocess.run(
            [*openmpi.launcher, "-n", str(RANKS), str(program), operation, str(m)],
            env={**os.environ, **settings(openmpi, RANKS, LaunchOptions()), **told, **watched,
                 **more},
            capture_output=True, text=True, timeout=90, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found: Sent = {}
        for path in tmp_path.glob("sent*.prof"):
            for row in SENT.findall(path.read_text()):
                source, target_rank, size, count = map(int, row)
                before = found.get((source, target_rank), (0, 0))
                found[source, target_rank] = before[0] + size, before[1] + count
            path.unlink()
        return found

    return of
