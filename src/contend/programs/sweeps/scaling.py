"""A recorded program as it would be on another number of ranks, where its trace tells that.

A program whose ranks all make the same collective calls on all ranks, and nothing but compute
between them, is the same program on any number; what it moves depends on what is kept:

| | weak: as much for each rank | strong: as much in all |
|---|---|---|
| computation of a rank | as it was | x n/n' |
| block of gather, scatter, allgather | as it was | x n/n' |
| block of alltoall, for each pair | x n/n' | x (n/n')^2 |
| block of reduce_scatter | x n/n' | x n/n' |
| bcast, reduce, allreduce, scan | as it was | as it was |

Rank r of n' computes as long as rank floor(r n/n') of n did.
Restrictions: whom messages from one rank to another would go to is not known, nor what a root
other than 0 would be, nor sizes that differ by rank: such traces are refused.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from contend.base.errors import InvalidInputError
from contend.programs.sweeps.case import Scaling
from contend.programs.traces.kinds import LISTED, ROOTED, SUMMED, OpKind
from contend.programs.traces.trace import Trace
from contend.schedules.ragged_rows import Ints

_PAIRS = (OpKind.ALLTOALL, OpKind.ALLTOALLV)
_BLOCKS = (
    OpKind.GATHER, OpKind.GATHERV, OpKind.SCATTER, OpKind.SCATTERV, OpKind.ALLGATHER,
    OpKind.ALLGATHERV,
)  # fmt: skip
_REMEDY = "sweep without other numbers of ranks, or over a pattern: pattern:stencil-2d:64KiB:10"


def scaled(trace: Trace, ranks: int, scaling: Scaling) -> Trace:
    """The program on another number of ranks; InvalidInputError says why it cannot be known."""
    if ranks == trace.ranks:
        return trace
    _require_known(trace)
    count = int(trace.first[1])
    factor = trace.ranks / ranks
    bytes_by = np.array([_factor(OpKind(kind), factor, scaling) for kind in trace.kind[:count]])
    like = np.arange(ranks) * trace.ranks // ranks  # whose computation a rank has
    rows = (trace.first[like][:, None] + np.arange(count)).ravel()
    seconds = trace.seconds[rows]
    if scaling == "strong":
        seconds = np.where(trace.is_computation[rows], seconds * factor, seconds)
    offsets, values, numbers = _lists(trace, count, ranks, bytes_by)
    repeated: dict[str, Any] = {
        name: np.tile(getattr(trace, name)[:count], ranks)
        for name in ("kind", "call", "peer", "tag", "request", "line")
    }
    is_sum = np.isin(trace.kind[:count], list(SUMMED))
    blocks = np.where(is_sum, bytes_by * ranks / trace.ranks, bytes_by)
    new_bytes = np.ceil(trace.bytes[:count] * blocks - 1e-9).astype(np.int64)
    return replace(
        trace,
        ranks=ranks,
        first=np.arange(ranks + 1, dtype=np.int64) * count,
        **repeated,
        comm=np.zeros(count * ranks, dtype=np.int32),  # the only one is that of all
        bytes=np.tile(new_bytes, ranks),
        seconds=seconds,
        list=np.tile(numbers, ranks),
        list_offsets=offsets,
        list_values=values,
        communicators=(np.arange(ranks, dtype=np.int64),),
        start=np.zeros(0),
        end=np.zeros(0),
        files=trace.files[:1],
    )


def _factor(kind: OpKind, factor: float, scaling: Scaling) -> float:
    if kind in _PAIRS:
        return factor if scaling == "weak" else factor**2
    if kind == OpKind.REDUCE_SCATTER:
        return factor
    return factor if kind in _BLOCKS and scaling == "strong" else 1.0


def _lists(trace: Trace, count: int, ranks: int, by: np.ndarray) -> tuple[Ints, Ints, np.ndarray]:
    """Offsets and values of the lists of one rank, which all share, and the list of each row."""
    lists: list[np.ndarray] = []
    numbers = np.full(count, -1, dtype=np.int32)
    for row in np.flatnonzero(trace.list[:count] >= 0).tolist():
        numbers[row] = len(lists)
        entries = trace.list_of(row)
        if trace.kind[row] != OpKind.WAIT:
            entries = np.full(
                ranks, np.ceil(entries.max(initial=0) * by[row] - 1e-9), dtype=np.int64
            )
        lists.append(entries.astype(np.int64))
    ends = np.cumsum([0, *(entries.size for entries in lists)]).astype(np.int64)
    return ends, np.concatenate([np.zeros(0, dtype=np.int64), *lists]), numbers


def _require_known(trace: Trace) -> None:
    if trace.requires_offsets.size:
        raise _unknown("its operations require each other, so whom they are for is not known")
    kind, comm = trace.kind, trace.comm
    is_collective = kind >= OpKind.BARRIER
    is_of_all = np.array([communicator.size == trace.ranks and (np.diff(communicator) == 1).all()
                          for communicator in trace.communicators])  # fmt: skip
    for wrong, why in (
        (~is_collective & (kind != OpKind.TIME) & (kind != OpKind.WAIT),
         "is a message from one rank to another"),
        (is_collective & ~is_of_all[comm], "is of some ranks only"),
        (is_collective & (comm != comm[is_collective.argmax()]),
         "is on another communicator of all ranks than calls before it"),
        (np.isin(kind, list(ROOTED)) & (trace.peer != 0), "has the root {}, not 0"),
    ):  # fmt: skip
        if wrong.any():
            op = int(wrong.argmax())
            raise _unknown(f"{trace.place(op)} {why.format(trace.peer[op])}")
    _require_alike(trace)


def _require_alike(trace: Trace) -> None:
    counts = np.diff(trace.first)
    if (counts != counts[0]).any():
        other = int(np.flatnonzero(counts != counts[0])[0])
        raise _unknown(f"rank 0 has {counts[0]} operations and rank {other} has {counts[other]}")
    count = int(counts[0])
    for name in ("kind", "call", "bytes", "request"):
        table = getattr(trace, name).reshape(trace.ranks, count)
        if name == "bytes":  # of rooted calls that others have no bytes for, and of lists
            listed = np.isin(trace.kind[:count], list(LISTED))
            table = np.where(listed, 0, table)
        if (differs := table != table[:1]).any():
            rank, row = np.argwhere(differs)[0]
            op = int(trace.first[rank]) + int(row)
            raise _unknown(f"{trace.place(op)} differs from rank 0 in its {name}")
    for op in np.flatnonzero(trace.list >= 0).tolist():
        row = op - int(trace.first[trace.rank_of(op)])
        mine, its = trace.list_of(op), trace.list_of(row)
        is_wait = trace.kind[op] == OpKind.WAIT
        if is_wait and not np.array_equal(mine, its):
            raise _unknown(f"{trace.place(op)} differs from rank 0 in what it waits for")
        if not is_wait and (mine.size == 0 or (mine != mine[0]).any() or mine[0] != its.max()):
            raise _unknown(f"{trace.place(op)} has sizes that differ by rank")


def _unknown(why: str) -> InvalidInputError:
    return InvalidInputError(
        f"what the program would do on other numbers of ranks is not known: {why}", _REMEDY
    )
