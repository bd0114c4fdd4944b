"""DUMPI in text form: a folder with what dumpi2ascii prints for each rank.

Source: SST DUMPI of Sandia National Laboratories, dumpi/bin/dumpi2ascii-defs.h and its callbacks.
Idea: all parameters of each call, with its times; receives as they matched where statuses were
recorded. Computation is the time between calls, from MPI_Init to MPI_Finalize. Who is in a
communicator follows from what all ranks say when they make it.
Restrictions: files differ by the last number in their names, which is the rank. Calls that
are no messages, those of MPI-3 and those between two groups take their time; requests of files are
not waited for. Clocks of different hosts are not compared, so the trace has no times of calls.
"""

import re
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

from contend.base.errors import FileFormatError
from contend.base.textfile import read_text
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.dumpi.communicators import WORLD, Communicators
from contend.programs.traces.dumpi.rank import ALL_RANKS, INIT, Rank
from contend.programs.traces.dumpi.text import RankText, read_calls
from contend.programs.traces.endings import cut_of
from contend.programs.traces.kinds import ANY, OpKind
from contend.programs.traces.reader import TraceReader, TraceWarning
from contend.programs.traces.trace import Trace

_BINARY = (".bin", ".meta")  # what dumpi2ascii reads
_HEAD = 20_000  # characters that tell whether it is such a trace


class DumpiReader(TraceReader):
    name = "dumpi"
    title = "DUMPI as dumpi2ascii prints it: a folder with a file per rank"

    def recognises(self, path: Path) -> bool:
        """Whether calls are entered at the beginning of its first file."""
        try:
            file = next(iter(_files(path)), None)
            head = read_text(file, _HEAD, errors="replace") if file else ""
        except FileFormatError:
            return False
        return " entering at walltime " in head

    def read(self, path: Path, speed: float | None) -> Trace:
        files = _by_rank(path)
        texts = [read_calls(file) for file in files]
        _check_size(texts)
        builder = TraceBuilder(len(files), tuple(map(str, files)))
        builder.cut = _cut(texts)
        try:
            comms = Communicators(builder, len(files))
            ranks = [Rank(text, comms, builder.rank(number)) for number, text in enumerate(texts)]
            comms.follow([rank.walk() for rank in ranks])
            trace = builder.trace()
        except FileFormatError as error:
            if any(str(file) in error.message for file in files):
                raise
            raise FileFormatError(f"{path}: {error.message}", error.remedy) from None
        _warn(ranks)
        return replace(trace, doubts=_doubts(trace, ranks))


def _check_size(texts: list[RankText]) -> None:
    """Refuse files of some ranks only, or of several programs."""
    sizes = (call for text in texts for call in text.calls if call.name == "MPI_Comm_size")
    for call in sizes:
        is_of_world = call.has("comm") and call.number("comm") == WORLD
        if is_of_world and call.has("size") and (size := call.number("size")) != len(texts):
            raise call.error(
                f"says {size} ranks, and {len(texts)} have a file", f"{ALL_RANKS}, and of no others"
            )


def _warn(ranks: list[Rank]) -> None:
    for of, problem in (
        ("of_strangers", "is on a communicator whose ranks are not known, as between two groups: "
                         "such messages are left out"),
        ("backward", "begins before the call before it has ended: no time is counted between them"),
    ):  # fmt: skip
        if first := _first(ranks, of):
            warnings.warn(f"{first} {problem}", TraceWarning, stacklevel=4)


def _doubts(trace: Trace, ranks: list[Rank]) -> tuple[str, ...]:
    """Return a sentence on receives that may be from MPI_PROC_NULL.

    DUMPI prints MPI_ANY_SOURCE as -1, and MPI_PROC_NULL as the number that the library gives it,
    which is -1 in MPICH and -2 in Open MPI.
    """
    is_receive = np.isin(trace.kind, (OpKind.RECEIVE, OpKind.PROBE))
    open_ones = np.flatnonzero(is_receive & (trace.peer == ANY))
    first = _first(ranks, "sends_to_null")
    if not first or not open_ones.size:
        return ()
    return (
        f"{first} sends to -1, which is MPI_PROC_NULL of MPICH. Receives from -1 without a status "
        "may be from MPI_PROC_NULL too, and are taken for receives from any source; the first is "
        f"of {trace.place(int(open_ones[0]))}",
    )


def _first(ranks: list[Rank], of: str) -> str:
    """Return the place of the first such call of all ranks, or nothing."""
    calls = ((me.rank, call) for me in ranks if (call := getattr(me, of)) is not None)
    places = (f"rank {rank}, {call.name}, {call.path} line {call.line}" for rank, call in calls)
    return next(places, "")


def _cut(texts: list[RankText]) -> tuple[str, ...]:
    names = [{call.name for call in text.calls} for text in texts]
    has_init = ({*INIT} & each for each in names)
    return cut_of(has_init, ("MPI_Finalize" in each for each in names))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path] if path.is_file() else []
    files = (file for file in path.iterdir() if file.is_file() and file.suffix not in _BINARY)
    return sorted(file for file in files if _numbers(file))


def _numbers(path: Path) -> list[str]:
    return re.findall(r"\d+", path.name)


def _by_rank(path: Path) -> list[Path]:
    files = _files(path)
    if not files:
        raise FileFormatError(f"{path} has no file of a rank", "name the folder with them")
    if len(files) == 1:
        return files
    by_rank: dict[int, Path] = {}
    for file in files:
        rank = int(_numbers(file)[-1][:9])
        if rank in by_rank:
            raise FileFormatError(
                f"{file} and {by_rank[rank].name} are both of rank {rank}",
                "keep one trace in a folder; the last number of a name is the rank",
            )
        by_rank[rank] = file
    for rank in range(len(files)):
        if rank not in by_rank:
            raise FileFormatError(
                f"{path}: there is no file of rank {rank}",
                "print the traces of all ranks, named so that the last number is the rank",
            )
    return [by_rank[rank] for rank in range(len(files))]
