"""Programs under the library that watches their calls, with every MPI that is installed."""

from collections.abc import Callable

import pytest

from contend.measure.build import preloaded_library
from contend.measure.mpi import MPI
from contend.tune.verification.calls import Watched
from contend.tune.verification.runs import run_watched
from support.mpis import any_mpi, launch_settings, probe_launch

TIMEOUT = 90.0

mpi = any_mpi


@pytest.fixture
def watched(mpi: MPI, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Watched]:
    """What is seen of the calls of our own program under some environment variables."""

    def run(*calls: str, ranks: int = 4, **variables: str) -> Watched:
        for name, value in launch_settings(mpi, ranks).items():
            monkeypatch.setenv(name, value)
        launch = probe_launch(mpi, *calls, ranks=ranks)
        return run_watched(launch, preloaded_library(mpi), variables, TIMEOUT, "in a test").watched

    return run
