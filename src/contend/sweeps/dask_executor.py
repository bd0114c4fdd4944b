"""A dask cluster as an executor whose futures always end.

`Client.get_executor()` (distributed 2026.8, cfexecutor.py) leaves a future open for ever whose
result was on a worker that died before the client had it, and whose task then ended another one.
It also takes calls with equal arguments for one, so that what failed would not be run again.
"""

import signal
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any


class DaskExecutor(Executor):
    """Runs calls by a client, which its owner closes."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A future for the call."""
        future: Future[Any] = Future()
        task = self.client.submit(fn, *args, **kwargs, pure=False)
        future.add_done_callback(partial(_release, task))
        future.set_running_or_notify_cancel()
        task.add_done_callback(partial(_answer, future))
        return future


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the one that leads.

    Dask calls it where a worker begins that preloads this module.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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


def _release(task: Any, future: "Future[Any]") -> None:
    """Let dask forget a task, which the callback has held as long as its future was open."""
    task.release()


def adapted(executor: Executor) -> Executor:
    """The executor, or what stands for that of a dask client."""
    if type(executor).__module__.startswith("distributed."):
        return DaskExecutor(executor._client)  # type: ignore[attr-defined]
    return executor
