"""Every MPI library that is installed, and launches of the probe program with them."""

from pathlib import Path

import pytest

from contend.base.errors import MissingToolError
from contend.measure.build import probe_program
from contend.measure.command import LaunchOptions, settings
from contend.measure.launcher import LaunchCommand, parse_launch
from contend.measure.mpi import MPI, installed
from contend.tune.exports.csel import library_trees

MPIS = {mpi.title: mpi for mpi in installed()}


FIRST, *OTHERS = sorted(MPIS) or ["none"]


@pytest.fixture(
    scope="session",
    params=[FIRST, *(pytest.param(title, marks=pytest.mark.full) for title in OTHERS)],
)
def any_mpi(request: pytest.FixtureRequest) -> MPI:
    if request.param == "none":
        pytest.skip("no MPI library is installed")
    return MPIS[request.param]


def library_with_trees(mpi: MPI) -> Path:
    """The library of an MPICH, which holds its trees; skips the test for any other."""
    if mpi.family != "MPICH":
        pytest.skip(f"{mpi.title} has no trees of its own")
    try:
        return library_trees.installed(mpi.mpicc)
    except MissingToolError as error:
        pytest.skip(str(error))


def probe_launch(
    mpi: MPI, *calls: str, ranks: int = 4, options: tuple[str, ...] = ()
) -> LaunchCommand:
    """Launch of the program that makes the calls; `options` are of the launcher."""
    program = str(probe_program(mpi))
    return parse_launch([*mpi.launcher, *options, "-n", str(ranks), program, *calls])


def launch_settings(mpi: MPI, ranks: int = 4) -> dict[str, str]:
    """Environment variables by which so many ranks start on a small machine, and as root."""
    return settings(mpi, ranks, LaunchOptions())


@pytest.fixture(scope="session")
def intel_mpi() -> MPI:
    """The Intel MPI that is installed."""
    found = next((mpi for mpi in MPIS.values() if mpi.family == "Intel MPI"), None)
    return found or pytest.skip("no Intel MPI is on PATH")
