"""An executor whose workers are the ranks of an MPI job, which this process starts and outlives.

Idea: rank 0 of the job hands what comes on its standard input to `mpi4py.futures` and writes the
results to its standard output (mpi_master.py). MPI ends a whole job where one of its ranks dies:
whoever leads the sweep has to stand outside, and starts another one.
Restrictions: the launcher forwards standard input to rank 0, as mpiexec and srun do.
"""

import base64
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from types import TracebackType
from typing import Any

MARK = b"contend-result "
PATIENCE = 30.0  # seconds for a job to end that was told to


class MpiJob(Executor):
    """Runs calls on ranks 1, 2, ... of a job; `words` start it, but for the program."""

    def __init__(self, words: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  for as long as the job
        self._process = subprocess.Popen(
            [*words, sys.executable, "-m", "mpi4py.futures", "-m", "contend.sweeps.mpi_master"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C is for the one who leads
        )
        self._lock = threading.Lock()
        self._futures: dict[int, Future[Any]] = {}
        self._count = 0
        self._end: BrokenExecutor | None = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A future for the call, whose results are those of mpi4py's own."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        with self._lock:
            if self._end is not None:
                raise self._end
            self._count += 1
            self._futures[self._count] = future
            line = base64.b64encode(pickle.dumps((self._count, fn, args, kwargs))) + b"\n"
            with suppress(OSError):  # the job has ended, as the reader is about to say
                self._stdin.write(line)
                self._stdin.flush()
        return future

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            _, mark, text = line.partition(MARK)
            if not mark:
                continue  # of the launcher or of the MPI library
            with suppress(ValueError, EOFError, pickle.UnpicklingError):
                number, is_result, value = pickle.loads(base64.b64decode(text))
                with self._lock:
                    future = self._futures.pop(number)
                if is_result:
                    future.set_result(value)
                else:
                    future.set_exception(value)
        self._process.stdout.close()
        code = self._process.wait()
        with self._lock:
            self._end = BrokenExecutor(f"the MPI job ended with exit code {code}{self._said()}")
            left, self._futures = self._futures, {}
        for future in left.values():
            future.set_exception(self._end)

    def _said(self) -> str:
        """What the job wrote to standard error, the end of it."""
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace")
        lines = [line.strip() for line in text.splitlines() if line.strip(" -*=|\t")]
        return f": {' '.join(lines[-3:])}" if lines else ""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the job end; at once with `cancel_futures`."""
        with suppress(OSError):
            self._stdin.close()
        if cancel_futures:
            self._process.terminate()
        if not wait:
            return
        for end in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(PATIENCE)
                break
            except subprocess.TimeoutExpired:
                end()
        self._reader.join()
        self._errors.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        self.shutdown(cancel_futures=kind is not None)
        return None
