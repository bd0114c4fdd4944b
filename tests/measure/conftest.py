import pytest

from contend.measure.build import build
from contend.measure.command import LaunchOptions
from support.mpis import any_mpi

__all__ = ["any_mpi"]  # a fixture


@pytest.fixture(scope="session")
def programs(mpi):
    return build(mpi)


@pytest.fixture
def quick():
    """Options for launches that take a fraction of a second."""
    return LaunchOptions(
        max_seconds=0.02, min_repetitions=5, max_repetitions=8, precision=0.5, timeout=30
    )
