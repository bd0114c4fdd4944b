"""The C files of mpi/common that know no MPI, compiled as shared libraries and loaded."""

import ctypes
import os
import shutil
from pathlib import Path

import pytest

COMMON = Path(__file__).resolve().parents[2] / "mpi" / "common"
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-shared", "-fPIC"]


@pytest.fixture(scope="session")
def load_common(compiled):
    """A function that compiles mpi/common/<name>.c alone and loads it."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("no C compiler found; set CC")

    def load(name):
        return ctypes.CDLL(str(compiled(compiler, *FLAGS, COMMON / f"{name}.c", "-lm")))

    return load
