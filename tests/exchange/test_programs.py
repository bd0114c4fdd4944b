"""Programs that know nothing of the exchange library give the same with it as without."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from support.processes import completed

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

HERE = Path(__file__).parent / "programs"
HOSTS = ("a1", "b1", "a1", "b2", "b1", "a1")  # by rank: two clusters that take turns
PLAN = "contend-exchange 1\nlevel cluster\ngroup a host a*\ngroup b host b*\n"
BINDINGS = {"mpif.h": 1, "use mpi": 2, "use mpi_f08": 3}


def run(mpi, command, variables):
    """Output and errors of a program with a rank on each of the hosts."""
    each = []
    for host in HOSTS:
        own = {**variables, "CONTEND_EXCHANGE_HOST": host}
        each += [":"] if each else []
        each += ["-n", "1", "env", *(f"{name}={value}" for name, value in own.items()), *command]
    done = completed([*mpi.launcher, *each], env=settings(mpi, len(HOSTS), LaunchOptions()))
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout, done.stderr


@pytest.fixture
def require_same(mpi, compiled, tmp_path):
    """A function that runs a program without the library and with it, and compares."""
    plan = tmp_path / "plan"
    plan.write_text(PLAN)
    witness = compiled(mpi.mpicc, HERE / "witness.c", "-shared", "-fPIC", "-ldl")

    def compare(command, algorithm, calls, ends=1, **always):
        alone, _ = run(mpi, command, always)
        variables = {
            **always,
            "LD_PRELOAD": f"{preloaded_library(mpi)}:{witness}",
            "CONTEND_EXCHANGE": "1",
            "CONTEND_EXCHANGE_PLAN": str(plan),
            "CONTEND_EXCHANGE_ALGORITHM": algorithm,
        }
        served, said = run(mpi, command, variables)
        assert served == alone
        assert alone.strip()
        words = re.findall(rf"witness:.* {algorithm}=(\d+) .*finalized={ends} held=(\d+)", said)
        assert len(words) == len(HOSTS), said
        assert {held for _, held in words} == {"0"}
        assert max(int(count) for count, _ in words) >= calls

    return compare


@pytest.mark.parametrize("algorithm", ["lg_balanced", "node_aware"])
def test_a_program_that_splits_communicators(mpi, compiled, require_same, algorithm):
    require_same([str(compiled(mpi.mpicc, HERE / "splits.c"))], algorithm, calls=20)


@pytest.mark.parametrize("bindings", BINDINGS)
def test_a_program_in_fortran(mpi, compiled, require_same, bindings):
    wrapper = Path(mpi.mpicc).with_name(Path(mpi.mpicc).name.replace("mpicc", "mpifort"))
    if not wrapper.exists():
        pytest.skip(f"{mpi.title} comes without mpifort")
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not installed")
    flags = (f"-DBINDINGS={BINDINGS[bindings]}", "-fallow-argument-mismatch")
    program = compiled(str(wrapper), HERE / "transposes.F90", *flags)
    # Of Open MPI it calls PMPI_Finalize, which no tool sees.
    ends = 0 if mpi.family == "Open MPI" else 1
    require_same([str(program)], "lg_balanced", calls=6, ends=ends)


def test_a_program_in_python(mpi, require_same):
    python = os.environ.get("CONTEND_MPI4PY", sys.executable)
    probe = [python, "-c", "import numpy, mpi4py"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no mpi4py here; name a Python that has it and numpy in CONTEND_MPI4PY")
    # Its wheel takes any MPI that it finds: it is to find the one whose launcher starts it.
    linked = subprocess.run(
        ["ldd", preloaded_library(mpi)], capture_output=True, text=True, check=True
    )
    found = re.search(r"libmpi\S* => (\S+)", linked.stdout)
    assert found is not None
    program = [python, str(HERE / "transposes.py")]
    require_same(program, "lg_balanced", calls=6, MPI4PY_LIBMPI=found[1])
