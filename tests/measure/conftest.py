import pytest

from contend.errors import MissingToolError
from contend.measure.build import build
from contend.measure.command import LaunchOptions
from contend.measure.mpi import find_mpi, installed


def _mpis():
    return {mpi.title: mpi for mpi in installed()}


@pytest.fixture(scope="session")
def mpi():
    try:
        return find_mpi()
    except MissingToolError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session", params=sorted(_mpis()) or ["none"])
def any_mpi(request):
    if request.param == "none":
        pytest.skip("no MPI library is installed")
    return _mpis()[request.param]


@pytest.fixture(scope="session")
def programs(mpi):
    return build(mpi)


@pytest.fixture
def quick():
    """Options for launches that take a fraction of a second."""
    return LaunchOptions(
        max_seconds=0.02, min_repetitions=5, max_repetitions=8, precision=0.5, timeout=30
    )
