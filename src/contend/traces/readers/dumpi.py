"""DUMPI in text form: a folder with what dumpi2ascii prints for each rank.

Source: SST DUMPI of Sandia National Laboratories, dumpi/bin/dumpi2ascii-defs.h and its callbacks.
Idea: all parameters of each call, with its times; receives as they matched where statuses were
recorded. Computation is the time between calls, from MPI_Init to MPI_Finalize. Who is in a
communicator follows from what all ranks say when they make it.
Restrictions: files are told apart by the last number in their names, which is the rank. Calls that
are no messages, those of MPI-3 and those between two groups take their time; requests of files are
not waited for. Clocks of different hosts are not compared, so the trace has no times of calls.
"""

import re
from pathlib import Path

from contend.errors import FileFormatError
from contend.traces.builder import TraceBuilder
from contend.traces.dumpi.actions import write_rank
from contend.traces.dumpi.communicators import communicators_of
from contend.traces.dumpi.text import looks_like_dumpi, read_calls
from contend.traces.reader import TraceReader
from contend.traces.trace import Trace

_BINARY = (".bin", ".meta")  # what dumpi2ascii reads


class DumpiReader(TraceReader):
    """Reader of DUMPI in text form."""

    name = "dumpi"
    title = "DUMPI as dumpi2ascii prints it: a folder with a file per rank"

    def recognises(self, path: Path) -> bool:
        """Whether calls are entered at the beginning of its first file."""
        files = _files(path)
        return bool(files) and looks_like_dumpi(files[0])

    def read(self, path: Path, speed: float | None) -> Trace:
        """The trace; computation was timed, whatever the speed."""
        files = _by_rank(path)
        texts = [read_calls(file) for file in files]
        builder = TraceBuilder(len(files), tuple(map(str, files)))
        try:
            comms = communicators_of(texts, builder)
            for rank, text in enumerate(texts):
                write_rank(text, rank, comms, builder.rank(rank))
            return builder.trace()
        except FileFormatError as error:
            if any(str(file) in error.message for file in files):
                raise
            raise FileFormatError(f"{path}: {error.message}", error.remedy) from None


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path] if path.is_file() else []
    found = (one for one in path.iterdir() if one.is_file() and one.suffix not in _BINARY)
    return sorted(one for one in found if _number(one) is not None)


def _number(path: Path) -> int | None:
    numbers = re.findall(r"\d+", path.name)
    return int(numbers[-1][:9]) if numbers else None


def _by_rank(path: Path) -> list[Path]:
    """The files of all ranks, in their order."""
    files = _files(path)
    if len(files) < 2:
        if not files:
            raise FileFormatError(f"{path} has no file of a rank", "name the folder with them")
        return files
    by_rank: dict[int, Path] = {}
    for file in files:
        rank = _number(file) or 0
        if rank in by_rank:
            raise FileFormatError(
                f"{file} and {by_rank[rank].name} are both of rank {rank}",
                "keep one trace in a folder; the last number of a name is the rank",
            )
        by_rank[rank] = file
    missing = next((rank for rank in range(len(files)) if rank not in by_rank), None)
    if missing is not None:
        raise FileFormatError(
            f"{path}: there is no file of rank {missing}",
            "print the traces of all ranks, named so that the last number is the rank",
        )
    return [by_rank[rank] for rank in range(len(files))]
