"""An executor of processes of this machine, each at the other end of a pipe.

Idea: a worker ends when its pipe does, so that none outlives the process that leads,
however that one ends, and nothing else is left behind. A thread of the leader waits for each call:
where a worker dies, its call alone fails, and another worker takes the next one.
"""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import TracebackType
from typing import Any

_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from contend.programs.sweeps.workers import serve; serve(int(sys.argv[1]))"
)
_LAST_WORDS = 10.0  # seconds for a process to end whose pipe has


class Workers(Executor):
    """Runs calls in `count` processes, which find what this one finds by its sys.path."""

    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count)
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._is_over = False

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A future for the call, which fails with BrokenExecutor where its worker dies."""
        future: Future[Any] = self._threads.submit(self._call, fn, args, kwargs)
        return future

    def _call(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        worker = self._take()
        try:
            worker.pipe.send((fn, args, kwargs))
            is_result, value = worker.pipe.recv()
        except (OSError, EOFError):
            self._all.discard(worker)
            raise BrokenExecutor(f"a process {worker.end()}") from None
        self._idle.append(worker)
        if is_result:
            return value
        raise value

    def _take(self) -> "_Worker":
        with self._lock:
            if self._is_over:
                raise RuntimeError("the workers were ended")
            if self._idle:
                return self._idle.pop()
            worker = _Worker()
            self._all.add(worker)
            return worker

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers after what they do; at once with `cancel_futures`."""
        if cancel_futures:
            with self._lock:
                self._is_over = True
                for worker in self._all:
                    worker.process.kill()
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            for worker in self._all:
                worker.end()
            self._all.clear()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        self.shutdown(cancel_futures=kind is not None)
        return None


class _Worker:
    def __init__(self) -> None:
        self.pipe, other = Pipe()
        with other:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, str(other.fileno()), json.dumps(sys.path)],
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the one who leads
            )

    def end(self) -> str:
        self.pipe.close()
        try:
            code = self.process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        if code >= 0:
            return f"ended with exit code {code}"
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"


def serve(descriptor: int) -> None:
    """Run the calls that come by a pipe; its end ends the process at once, whatever it does."""
    pipe = Connection(descriptor)
    calls: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, calls), daemon=True).start()
    while True:
        try:
            fn, args, kwargs = pickle.loads(calls.get())
            answer = (True, fn(*args, **kwargs))
        except Exception as error:
            answer = (False, error)
        pipe.send(answer)


def _receive(pipe: Connection, calls: "SimpleQueue[bytes]") -> None:
    while True:
        try:
            calls.put(pipe.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)
