"""Executors by a word: processes of this machine, ranks of an MPI job, a dask cluster.

processes       of this machine
mpi             the other ranks of the job that `mpiexec -n N python -m mpi4py.futures` started
dask:ADDRESS    a cluster with a scheduler that runs
here            none: this process, one case after the other
"""

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from contend.base.errors import InvalidInputError, LaunchError, MissingToolError
from contend.programs.sweeps.workers import Workers
from contend.simulate.flows.engine import usable_processors

PROCESSES, MPI, DASK, HERE = "processes", "mpi", "dask", "here"
ANSWER = 300.0  # seconds in which a worker starts; a file system shared by thousands is slow


@contextmanager
def executor_of(word: str, workers: int | None = None) -> Iterator[Executor | None]:
    """The executor of a word, None for this process; a MissingToolError says what it needs."""
    name, _, address = word.partition(":")
    if word == HERE:
        yield None
    elif name == PROCESSES and (not address or address.isdecimal()):
        with Workers(int(address or 0) or workers or usable_processors()) as executor:
            yield executor
    elif word == MPI:
        with _mpi_pool() as executor:
            yield executor
    elif name == DASK and address:
        with _dask(address) as executor:
            yield executor
    else:
        raise InvalidInputError(
            f"no executor is named {word!r}",
            "choose processes, processes:16, mpi, dask:ADDRESS or here",
        )


@contextmanager
def _mpi_pool() -> Iterator[Executor]:
    _require("mpi4py", "mpi4py")
    mpi = sys.modules.get("mpi4py.MPI")  # of whoever started this process with others
    if mpi is None or mpi.COMM_WORLD.Get_size() < 2:
        raise LaunchError(
            "no ranks of MPI work for this process",
            "start it by mpiexec -n 16 python -m mpi4py.futures -m contend replay --vary ...",
        )
    executor: Executor = import_module("mpi4py.futures").MPIPoolExecutor()
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    _require("distributed", "dask")
    with import_module("distributed").Client(address) as client:
        try:
            client.wait_for_workers(1, timeout=ANSWER)
        except TimeoutError as error:
            raise LaunchError(f"{address} has no worker: {error}", "start workers") from None
        yield DaskExecutor(client)


class DaskExecutor(Executor):
    """Runs calls by a client, each until it ends.

    A future of `Client.get_executor()` (distributed 2026.8) stays open for ever when its result is
    lost with a worker.
    """

    def __init__(self, client: Any) -> None:
        self.client = client

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        task = self.client.submit(fn, *args, **kwargs, pure=False)
        future.add_done_callback(lambda _: task.release())
        task.add_done_callback(partial(_answer, future))
        return future


def _answer(future: "Future[Any]", task: Any) -> None:
    """Hand on what a task gave, in a thread of dask's."""
    try:
        result = task.result()
    except Exception as error:
        future.set_exception(error)
    except BaseException as error:  # asyncio's own of what was cancelled
        future.set_exception(RuntimeError(f"dask gave it up: {error!r}"))
    else:
        future.set_result(result)


def _require(package: str, extra: str) -> None:
    if find_spec(package) is None:
        raise MissingToolError(f"{package} is not installed", f"pip install 'contend[{extra}]'")
