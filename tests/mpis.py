"""Every MPI library that is installed, for tests that are to pass with each of them."""

from pathlib import Path

import pytest

from contend.errors import MissingToolError
from contend.exports.csel import shipped
from contend.measure.mpi import MPI, installed

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
        return shipped.installed(mpi.mpicc)
    except MissingToolError as error:
        pytest.skip(str(error))
