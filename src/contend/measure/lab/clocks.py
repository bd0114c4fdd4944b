"""What the clocks of a lab mean, and which of its programs did not see them.

A preloaded library (lab/shim) shows programs the time of the network that a lab stands for. It
cannot be loaded into programs that are statically linked or that run with privileges of their own.
"""

import shlex
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from contend.measure.lab.elf import is_static
from contend.measure.lab.programs import MARKS, PLACE, PROGRAMS
from contend.measure.lab.session import RunningLab
from contend.measure.lab.specification import Lab

INTERVAL = 0.5  # seconds between looks; a look takes some milliseconds of a core


def meaning(lab: Lab) -> str | None:
    """What a second means on the lab's clocks, in a line; None where it is a real one.

    >>> from contend.measure.lab import read_lab
    >>> meaning(read_lab("gigabit-dilated")).split(': ')[1]
    'a second of theirs takes 20 s'
    """
    if lab.time_dilation == 1:
        return None
    return (
        f"clocks in {lab.name} show the time of the network that it stands for: a second of "
        f"theirs takes {lab.time_dilation:g} s"
    )


@dataclass
class Clocks:
    """Programs of a lab by their files, as they were seen while it ran."""

    running: RunningLab
    static: Sequence[Path] = ()
    _seen: dict[tuple[int, int], Path] = field(default_factory=dict)

    def look(self) -> None:
        import psutil

        with suppress(psutil.Error):
            for process in psutil.Process().children(recursive=True):
                with suppress(OSError):
                    program = Path(f"/proc/{process.pid}/exe")
                    status = program.stat()
                    self._seen[status.st_dev, status.st_ino] = program.readlink()

    def unseen_by(self) -> list[Path]:
        """Programs that ran, or are statically linked and were to run, without these clocks."""
        marks = Path(f"/proc/{self.running.init}/root{PLACE}") / MARKS
        others = {
            path
            for (device, number), path in self._seen.items()
            if path.parent != PROGRAMS and not (marks / f"{device}-{number}").exists()
        }
        return sorted(others | set(self.static))


@contextmanager
def watched(running: RunningLab, command: Sequence[str]) -> Iterator[Clocks]:
    """The programs of a lab while `command` runs there."""
    clocks, stop = Clocks(running, statically_linked(command)), threading.Event()

    def work() -> None:
        while not stop.wait(INTERVAL):
            clocks.look()

    thread = threading.Thread(target=work, name="clocks", daemon=True)
    thread.start()
    try:
        yield clocks
    finally:
        stop.set()
        thread.join()


def statically_linked(command: Sequence[str]) -> list[Path]:
    """Programs among the words of a command, and of scripts in it, that load no libraries.

    >>> statically_linked(["sh", "-c", "true"])
    []
    """
    words: list[str] = []
    for word in command:
        with suppress(ValueError):  # quotes that do not close
            words += [word, *shlex.split(word)]
    programs = {Path(program).resolve() for word in words if (program := shutil.which(word))}
    return sorted(program for program in programs if is_static(program))
