"""Several programs as one trace: jobs that run at the same time and know nothing of each other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import InvalidInputError
from contend.programs.traces.kinds import ANY, NONE
from contend.programs.traces.trace import DTYPES, Ints, Trace

_LISTS = (("requires_offsets", "requires"), ("begun_offsets", "begun"))


def joined(traces: Sequence[Trace]) -> Trace:
    """All ranks of the first, then those of the second, and so on, each on its communicators.

    Raise InvalidInputError where some are graphs, whose operations require each other, and others
    are not.
    """
    if len(traces) == 1:
        return traces[0]
    if len({trace.requires_offsets.size > 0 for trace in traces}) > 1:
        raise InvalidInputError(
            "some of the traces are schedules, as GOAL has them, and others programs",
            "replay schedules with schedules, and programs with programs",
        )
    calls = tuple(dict.fromkeys(name for trace in traces for name in trace.calls))
    ranks = _before([trace.ranks for trace in traces])
    rows = _before([len(trace) for trace in traces])
    comms = _before([len(trace.communicators) for trace in traces])
    lists = _before([max(trace.list_offsets.size - 1, 0) for trace in traces])
    values = _before([trace.list_values.size for trace in traces])
    numbers = [np.array([calls.index(name) for name in trace.calls]) for trace in traces]
    moved = [
        {
            "call": numbers[k][trace.call],
            "peer": _moved(trace.peer, ranks[k], ANY),
            "comm": trace.comm + comms[k],
            "list": _moved(trace.list, lists[k], NONE),
        }
        for k, trace in enumerate(traces)
    ]
    columns: dict[str, Any] = {
        name: np.concatenate(
            [
                columns.get(name, getattr(trace, name))
                for columns, trace in zip(moved, traces, strict=True)
            ]
        ).astype(dtype)
        for name, dtype in DTYPES.items()
    }
    is_timed = all(trace.start.size == len(trace) for trace in traces)
    times: dict[str, Any] = {
        name: np.concatenate([getattr(trace, name) for trace in traces])
        for name in ("start", "end")
    }
    asked = [trace.asked if trace.asked.size else np.zeros(len(trace), np.int8) for trace in traces]
    graph: dict[str, Any] = {}
    for offsets, required in _LISTS if traces[0].requires_offsets.size else ():
        graph |= _stacked(traces, offsets, required, rows)
    return Trace(
        ranks=int(sum(trace.ranks for trace in traces)),
        first=_offsets([trace.first for trace in traces], rows),
        calls=calls,
        communicators=tuple(
            members + ranks[k] for k, trace in enumerate(traces) for members in trace.communicators
        ),
        list_offsets=_offsets([trace.list_offsets for trace in traces], values),
        list_values=np.concatenate([trace.list_values for trace in traces]),
        asked=np.concatenate(asked) if any(trace.asked.size for trace in traces) else asked[0][:0],
        cpu=np.concatenate([trace.cpu for trace in traces]),
        files=tuple(name for trace in traces for name in _per_rank(trace.files, trace.ranks)),
        doubts=tuple(dict.fromkeys(doubt for trace in traces for doubt in trace.doubts)),
        counts_operations=any(trace.counts_operations for trace in traces),
        cut=tuple(why for trace in traces for why in trace.cut or ("",) * trace.ranks)
        if any(trace.is_cut for trace in traces)
        else (),
        library=traces[0].library if len({trace.library for trace in traces}) == 1 else "",
        **columns,
        **(times if is_timed else {}),
        **graph,
    )


def _before(counts: Sequence[int]) -> list[int]:
    """What those before each have together."""
    return [0, *np.cumsum(counts).tolist()]


def _moved(column: NDArray[np.generic], by: int, none: int) -> NDArray[np.generic]:
    return np.where(column == none, column, column + by)


def _offsets(parts: Sequence[Ints], before: Sequence[int]) -> Ints:
    """Offsets of all, of which each begins where the one before ends; none where all are empty."""
    given = [(part, begin) for part, begin in zip(parts, before, strict=False) if part.size]
    ends = [part[1:] + begin for part, begin in given]
    return np.concatenate([np.zeros(min(len(given), 1), dtype=np.int64), *ends]).astype(np.int64)


def _stacked(
    traces: Sequence[Trace], offsets: str, required: str, rows: Sequence[int]
) -> dict[str, Ints]:
    """Rows that operations require, of all traces; a trace may have none."""
    counts = [
        np.diff(table)
        if (table := getattr(trace, offsets)).size
        else np.zeros(len(trace), np.int64)
        for trace in traces
    ]
    if not any(getattr(trace, offsets).size for trace in traces):
        return {}
    return {
        offsets: np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64),
        required: np.concatenate(
            [getattr(trace, required) + begin for trace, begin in zip(traces, rows, strict=False)]
        ).astype(np.int64),
    }


def _per_rank(files: tuple[str, ...], ranks: int) -> tuple[str, ...]:
    return files if len(files) == ranks else (files or ("",)) * ranks
