"""Executors by a word: processes of this machine, MPI processes, a dask cluster, or none at all.

processes            of this machine
mpi                  a job that mpiexec starts; or the one that this process is in, where it
                     was started by `mpiexec -n N python -m mpi4py.futures`
dask[:ADDRESS]       a cluster of this machine, or one with a scheduler that runs
here                 this process, one case after the other
"""

import logging
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec

from contend.errors import InvalidInputError, MissingToolError
from contend.sweeps.dask_executor import DaskExecutor
from contend.sweeps.engine import OpenPool
from contend.sweeps.mpi_job import MpiJob
from contend.sweeps.workers import Workers

PROCESSES, MPI, DASK, HERE = "processes", "mpi", "dask", "here"
# Time after which a cluster gives up a worker that is being started again; its own 15 s are less
# than that takes on a busy machine, and then nobody is left.
LOST = "600s"
WORDS = "processes, mpi, dask, dask:ADDRESS or here"


def pool_of(word: str, workers: int | None = None, mpiexec: str | None = None) -> OpenPool:
    """What opens the executor of a word; a MissingToolError says what it needs."""
    name, _, address = word.partition(":")
    if name == HERE and not address:
        return Here
    count = workers or cores()
    if name == PROCESSES and not address:
        return partial(Workers, count)
    if name == MPI and not address:
        _require("mpi4py", "mpi4py")
        if _is_in_mpi():
            return _mpi_pool
        return partial(_mpi_job, count, mpiexec)
    if name == DASK:
        _require("distributed", "dask")
        return partial(_dask, count, address)
    raise InvalidInputError(f"no executor is named {word!r}", f"choose {WORDS}")


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_in_mpi() -> bool:
    """Whether mpi4py.futures started this process, with others that work for it."""
    found = sys.modules.get("mpi4py.MPI")
    return found is not None and found.COMM_WORLD.Get_size() > 1


@contextmanager
def _mpi_pool() -> Iterator[Executor]:
    executor: Executor = import_module("mpi4py.futures").MPIPoolExecutor()
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _mpi_job(workers: int, mpiexec: str | None) -> AbstractContextManager[Executor]:
    words = shlex.split(mpiexec or os.environ.get("MPIEXEC") or "mpiexec")
    if not words or shutil.which(words[0]) is None:
        raise MissingToolError(
            f"there is no {words[0] if words else 'mpiexec'}",
            "name the launcher: --mpiexec 'srun -p debug'",
        )
    return MpiJob([*words, "-n", str(workers + 1)])


@contextmanager
def _dask(workers: int, address: str) -> Iterator[Executor]:
    distributed, dask = import_module("distributed"), import_module("dask")
    if address:
        with distributed.Client(address) as client:
            yield DaskExecutor(client)
        return
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": LOST}),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            preload=["contend.sweeps.dask_executor"],
            silence_logs=logging.ERROR,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield DaskExecutor(client)


def _require(package: str, extra: str) -> None:
    if find_spec(package) is None:
        raise MissingToolError(f"{package} is not installed", f"pip install 'contend[{extra}]'")


class Here(Executor):
    """Runs all at once in this process."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A future that is done."""
        future: Future[object] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
