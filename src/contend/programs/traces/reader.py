"""What a reader of traces is: a file or a folder in, a trace out; and what is doubted in the trace.

Calls whose data a replay does not move are TIME rows, as they take their time alone, and their
names say that they move data. Sends and receives are left out, since those to MPI_PROC_NULL are
such rows too.
"""

import re
import warnings
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.kinds import mistaken
from contend.base.registry import Registry
from contend.base.textfile import open_file
from contend.programs.traces.endings import early_ends
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.threads import overlapping
from contend.programs.traces.trace import Trace

_ONE_SIDED = "r?(put|get|accumulate|get_accumulate)|fetch_and_op|compare_and_swap"
_COLLECTIVES = "|".join(kind.name.lower() for kind in OpKind if kind.is_collective)
_MOVES_DATA = re.compile(
    rf"MPI_({_ONE_SIDED}|i?(neighbor_)?({_COLLECTIVES}|alltoallw|reduce_scatter_block)(_init)?)",
    re.IGNORECASE,
)

MOST_BYTES = 2**24  # of a file that is no trace, to say what else it is
LONGEST = 30 * 86_400.0  # seconds between two calls, or of a call; batch systems end jobs before


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


READERS: Registry[TraceReader] = Registry(
    "format of traces",
    TraceReader,
    "contend.programs.traces.readers",
    group="contend.traces.readers",
)


def read_trace(
    path: str | Path, format: str | None = None, speed: float | str | None = None
) -> Trace:
    """The trace of a file or a folder; warns of ranks whose record ends early.

    Parameters
    ----------
    format
        Name of a reader; without it the file itself decides.
    speed
        Operations per second of the processors, for traces that count operations of computation;
        a number, or a text.

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
        remedy = "name a file or folder that exists"
        if str(path).startswith("pattern:"):
            remedy = f"patterns are replayed by contend replay --vary {path}"
        raise FileFormatError(f"there is no file {path}", remedy)
    reader = READERS.get(format) if format else _recognised(path)
    trace = reader.read(path, parse_speed(speed))
    if trace.is_cut:
        warnings.warn(f"{path} ends early: {early_ends(trace.cut)}", TraceWarning, stacklevel=2)
    for text in (*trace.doubts, *_unmodelled(trace), *_strange_times(trace), *overlapping(trace)):
        warnings.warn(text, TraceWarning, stacklevel=2)
    return trace


def parse_speed(speed: float | str | None) -> float | None:
    """Return operations per second.

    >>> parse_speed("2.5e9")
    2500000000.0
    """
    if not isinstance(speed, str):
        return speed
    try:
        value = float(speed)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise InvalidInputError(f"a speed of {speed}", "give operations per second, e.g. 2.5e9")
    return value


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
        with open_file(path, allow_pipe=False) as file:  # says where it is no file to read
            text = file.read(MOST_BYTES).decode(errors="replace")
        if other := mistaken(str(path), text, "trace"):
            raise other
    raise FileFormatError(
        f"{path} is no trace of a known format",
        f"record one: contend record -o trace -- mpiexec -n 4 ./my_app; or, where it is one, name "
        f"its format: {', '.join(READERS.names())}",
    )


def _unmodelled(trace: Trace) -> list[str]:
    """Return a sentence that names such calls and the first of them, or nothing."""
    numbers = [at for at, name in enumerate(trace.calls) if _MOVES_DATA.fullmatch(name)]
    rows = np.flatnonzero((trace.kind == OpKind.TIME) & np.isin(trace.call, numbers))
    if not rows.size:
        return []
    counts = np.bincount(trace.call[rows])
    names = ", ".join(f"{trace.calls[at]} ({counts[at]})" for at in np.flatnonzero(counts))
    return [
        f"{names}: the data of these calls are not replayed, only the time that they took; the "
        f"first is of {trace.place(int(rows[0]))}"
    ]


def _strange_times(trace: Trace) -> list[str]:
    """Return a sentence on times between calls and one on times in them that no program has."""
    is_time = ~(trace.is_computation & trace.counts_operations)
    sentences = _sentence(trace, is_time & (trace.seconds > LONGEST), trace.seconds, "or before it")
    if trace.start.size:
        taken = trace.end - trace.start
        sentences += _sentence(trace, ~((taken >= 0) & (taken <= LONGEST)), taken, "in the call")
    return sentences


def _sentence(trace: Trace, strange: NDArray[np.bool_], times: Floats, where: str) -> list[str]:
    rows = np.flatnonzero(strange)
    if not rows.size:
        return []
    row = int(rows[0])
    more = f", the first of {rows.size}" if rows.size > 1 else ""
    return [f"{trace.place(row)}: {times[row]:g} s pass {where}{more}: the trace may be damaged"]
