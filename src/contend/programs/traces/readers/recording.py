"""Traces of `contend record`: a folder with a title and a file of each rank (docs/traces.md)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import FileFormatError
from contend.programs.traces.kinds import NONE
from contend.programs.traces.reader import TraceReader
from contend.programs.traces.recording.communicators import Communicators
from contend.programs.traces.recording.files import (
    TITLE,
    UNKNOWN,
    is_folder,
    rank_file,
    read_rank,
    read_title,
)
from contend.programs.traces.recording.operations import Operations, operations_of
from contend.programs.traces.recording.rows import Ints, rows_of
from contend.programs.traces.trace import DTYPES, Trace


class Recorded(TraceReader):
    name = "recorded"
    title = "contend record"

    def recognises(self, path: Path) -> bool:
        return is_folder(path)

    def read(self, path: Path, speed: float | None) -> Trace:
        title = read_title(path)
        ranks = title.ranks
        if not rank_file(path, max(ranks - 1, 0)).is_file():  # before room is made for all of them
            raise FileFormatError(
                f"{path / TITLE} says {ranks} ranks, of which there is no "
                f"{rank_file(path, max(ranks - 1, 0)).name}",
                "copy the trace with all files of its folder",
            )
        communicators = Communicators(ranks)
        calls: dict[str, int] = {}
        parts, cut = [], []
        for rank in range(ranks):
            file = read_rank(path, rank, title)
            cut.append(file.cut)
            operations = operations_of(rows_of(file, title.library), communicators.of(file))
            names = np.unique(operations.call)
            table = np.zeros(len(file.kinds), np.int64)
            table[names] = [
                calls.setdefault(f"MPI_{file.kinds[name]}", len(calls)) for name in names
            ]
            parts.append((operations, table[operations.call]))
        trace = _joined(ranks, parts, tuple(calls) or ("none",), communicators)
        library = "" if title.library == UNKNOWN else title.library
        return replace(trace, cut=tuple(cut), library=library, connected=_connected(ranks))


def _connected(ranks: int) -> Ints:
    """Pairs between which the recorder sent messages: the tree of mpi/interpose/offsets.c.

    >>> _connected(4).tolist()  # 0-1, 0-2, 2-3
    [1, 2, 11]
    """
    below = np.arange(1, ranks, dtype=np.int64)
    return np.sort((below & (below - 1)) * ranks + below)


def _joined(
    ranks: int,
    parts: list[tuple[Operations, NDArray[np.int64]]],
    calls: tuple[str, ...],
    communicators: Communicators,
) -> Trace:
    """All ranks in one table, by seconds from the first call of all."""
    first = np.concatenate([[0], np.cumsum([call.size for _, call in parts])]).astype(np.int64)
    columns: dict[str, Any] = {
        name: np.concatenate([part.columns[name] for part, _ in parts]).astype(DTYPES[name])
        for name in DTYPES
        if name not in ("call", "list")
    }
    asked = [np.asarray(part.columns["asked"], dtype=np.int8) for part, _ in parts]
    at = np.concatenate(
        [part.list_rows + row for (part, _), row in zip(parts, first, strict=False)]
    )
    begins = np.flatnonzero(np.diff(at, prepend=-1))
    lists = np.full(int(first[-1]), NONE, np.int32)
    lists[at[begins]] = np.arange(begins.size)
    start, end = (
        np.concatenate([getattr(part, name) for part, _ in parts]) for name in ("start", "end")
    )
    origin = start.min(initial=np.iinfo(np.int64).max)
    return Trace(
        ranks=ranks, first=first,
        call=np.concatenate([call for _, call in parts]).astype(DTYPES["call"]), list=lists,
        list_offsets=np.append(begins, at.size).astype(np.int64),
        list_values=np.concatenate([part.list_values for part, _ in parts]), calls=calls,
        communicators=tuple(communicators.members), start=(start - origin) / 1e9,
        end=(end - origin) / 1e9, asked=np.concatenate(asked), **columns,
    )  # fmt: skip
