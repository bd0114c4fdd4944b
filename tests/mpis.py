"""Every MPI library that is installed, for tests that are to pass with each of them."""

import pytest

from contend.measure.mpi import MPI, installed

MPIS = {mpi.title: mpi for mpi in installed()}


@pytest.fixture(scope="session", params=sorted(MPIS) or ["none"])
def any_mpi(request: pytest.FixtureRequest) -> MPI:
    if request.param == "none":
        pytest.skip("no MPI library is installed")
    return MPIS[request.param]
