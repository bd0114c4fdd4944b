"""A process of workers.py: runs the calls that come by a pipe, until that ends."""

import os
import pickle
import threading
from multiprocessing.connection import Connection
from queue import SimpleQueue


def main(descriptor: int) -> None:
    """Serve; the end of the pipe ends the process at once, whatever it does."""
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
