"""Executors of every kind, each with two workers."""

from collections.abc import Iterator
from concurrent.futures import Executor
from importlib.util import find_spec

import pytest

from contend.programs.sweeps.executors import executor_of


@pytest.fixture
def dask_address() -> Iterator[str]:
    """A cluster of this machine; skips where there is none."""
    if find_spec("distributed") is None:
        pytest.skip("no dask.distributed here; pip install 'contend[dask]'")
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(params=["processes", "dask"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    word = request.param
    if word == "dask":
        word = f"dask:{request.getfixturevalue('dask_address')}"
    with executor_of(word, 2) as made:
        yield made
