"""Fixtures for what needs namespaces."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from contend.measure.lab.session import why_impossible
from contend.measure.lab.specification import parse_lab
from support.synthesis import LAB_OF_THREE

SHIM = Path(__file__).resolve().parents[2] / "lab" / "shim"
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Wshadow"]
FLAGS += ["-Wpedantic", "-Werror", "-shared", "-fPIC"]


@pytest.fixture(scope="session")
def shim(compiled):
    """The preloaded library, compiled."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None or sys.platform != "linux":
        pytest.skip("needs Linux and a C compiler; set CC")
    return compiled(compiler, *FLAGS, *sorted(SHIM.glob("*.c")), "-ldl")


@pytest.fixture(scope="session")
def allowed():
    """Skips where this machine allows no lab."""
    if (reason := why_impossible()) is not None:
        pytest.skip(f"no lab here: {reason}")


@pytest.fixture
def three(allowed):
    """A lab of three hosts, 1 ms apart."""
    return parse_lab(LAB_OF_THREE, "three", "three.toml")
