"""Link utilisation written down while a lab runs."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contend.errors import ContendError
from contend.lab.running import RunningLab
from contend.lab.utilisation import UtilisationFile

INTERVAL = 0.5  # seconds


@contextmanager
def record(running: RunningLab, path: Path) -> Iterator[None]:
    """Append the bytes of every link to `path` every half second, and at the end."""
    stop = threading.Event()

    def work() -> None:
        began = time.monotonic()
        try:
            with UtilisationFile(path, running.lab) as file:
                while True:
                    is_last = stop.is_set()
                    file.append(time.monotonic() - began, running.counters())
                    if is_last:
                        return
                    stop.wait(INTERVAL)
        except ContendError:
            return  # the lab has ended, or the disk is full: whoever measures says so

    thread = threading.Thread(target=work, name="utilisation", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
