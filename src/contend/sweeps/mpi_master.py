"""Rank 0 of the job of mpi_job.py: calls from standard input go to mpi4py's workers.

mpiexec -n N python -m mpi4py.futures -m contend.sweeps.mpi_master
"""

import base64
import os
import pickle
import sys
import threading
from concurrent.futures import Future
from functools import partial
from importlib import import_module
from typing import Any

from contend.sweeps.mpi_job import MARK


def main() -> None:
    """Serve until standard input ends."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # for whatever else is printed
    lock = threading.Lock()

    def answer(number: int, future: Future[Any]) -> None:
        error = future.exception()
        found = (number, error is None, error or future.result())
        with lock:
            output.write(MARK + base64.b64encode(pickle.dumps(found)) + b"\n")
            output.flush()

    with import_module("mpi4py.futures").MPIPoolExecutor() as pool:
        for line in sys.stdin.buffer:
            number, fn, args, kwargs = pickle.loads(base64.b64decode(line))
            pool.submit(fn, *args, **kwargs).add_done_callback(partial(answer, number))
        pool.shutdown(cancel_futures=True)  # of a leader that was killed


if __name__ == "__main__":
    main()
