"""What a reader of traces is: a file or a folder in, a trace out."""

import warnings
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from contend.errors import FileFormatError
from contend.registry import Registry
from contend.textfile import open_file
from contend.traces.doubts import strange_times, unmodelled
from contend.traces.endings import early_ends
from contend.traces.trace import Trace


class TraceWarning(UserWarning):
    """What a trace does not tell, or a replay of it does not model."""


class TraceReader(ABC):
    """Base of the readers; a module in `traces/readers` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def recognises(self, path: Path) -> bool:
        """Whether a file or folder looks like one of this format; it may be anything."""

    @abstractmethod
    def read(self, path: Path, speed: float | None) -> Trace:
        """The trace; errors name file and line.

        `speed` turns operations of computation into seconds, where a trace counts them; without it
        they stay what they are (`Trace.counts_operations`).
        """


READERS: Registry[TraceReader] = Registry("format of traces", TraceReader, "contend.traces.readers")


def read_trace(path: str | Path, format: str | None = None, speed: float | None = None) -> Trace:
    """The trace of a file or a folder; warns of ranks whose record ends early.

    Parameters
    ----------
    format
        Name of a reader; without it the file itself decides.
    speed
        Operations per second of the processors, for traces that count operations of computation.

    Warns
    -----
    TraceWarning
        For each doubt of the trace, for calls whose data a replay does not move, and for times that
        no program has.

    Raises
    ------
    FileFormatError
        For what is no trace, with file and line.
    """
    path = Path(path)
    if not path.exists():
        raise FileFormatError(f"there is no file {path}", "name a file or folder that exists")
    reader = READERS.get(format) if format else _recognised(path)
    trace = reader.read(path, speed)
    if trace.is_cut:
        warnings.warn(f"{path} ends early: {early_ends(trace.cut)}", TraceWarning, stacklevel=2)
    for text in (*trace.doubts, *unmodelled(trace), *strange_times(trace)):
        warnings.warn(text, TraceWarning, stacklevel=2)
    return trace


def _recognised(path: Path) -> TraceReader:
    for reader in READERS.all():
        if reader.recognises(path):
            return reader
    if path.is_dir() and not any(path.iterdir()):
        raise FileFormatError(
            f"{path} is empty: nothing was recorded there",
            f"contend record -o {path} -- mpiexec -n 4 ./my_app; it says where a trace cannot be "
            "written",
        )
    if not path.is_dir():
        open_file(path, allow_pipe=False).close()  # says where it is no file to read
    raise FileFormatError(
        f"{path} is no trace of a known format",
        f"record one: contend record -o trace -- mpiexec -n 4 ./my_app; or, where it is one, name "
        f"its format: {', '.join(READERS.names())}",
    )
