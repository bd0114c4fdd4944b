"""OTF2 archives that are written: read back they are the same trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from contend.errors import InvalidInputError
from contend.replay import Line, replay
from contend.traces.builder import TraceBuilder
from contend.traces.kinds import ROOTED, OpKind
from contend.traces.matching import match
from contend.traces.reader import read_trace
from contend.traces.trace import Trace
from contend.traces.writer import WRITERS

pytest.importorskip("otf2")


def timed(builder: TraceBuilder) -> Trace:
    """Calls of 10 us, one after the other, at whole nanoseconds; parts of a call are points."""
    trace = builder.trace()
    start, end = np.zeros(len(trace)), np.zeros(len(trace))
    for rank in range(trace.ranks):
        now = 0.0
        for row in range(int(trace.first[rank]), int(trace.first[rank + 1])):
            now += float(trace.seconds[row])
            start[row] = end[row] = now
            is_half = trace.calls[trace.call[row]] == "MPI_Sendrecv"
            if not (is_half and trace.kind[row] != OpKind.WAIT):
                now = end[row] = now + 1e-5
    return replace(trace, start=start, end=end)


def program(ranks: int = 4) -> Trace:
    """Messages of all kinds, collectives that block and that do not, a communicator of some."""
    builder = TraceBuilder(ranks)
    some = builder.communicator([2, 0])
    for rank in range(ranks):
        own = builder.rank(rank)
        before, after = (rank - 1) % ranks, (rank + 1) % ranks
        own.compute(1e-3 * (rank + 1))
        own.add(OpKind.RECEIVE, "MPI_Irecv", peer=before, tag=3, bytes=100, request=0)
        own.add(OpKind.SEND, "MPI_Isend", peer=after, tag=3, bytes=100, request=1)
        own.compute(2e-3)
        own.add(OpKind.WAIT, "MPI_Waitall", list=[0, 1])
        own.add(OpKind.RECEIVE, "MPI_Sendrecv", peer=after, tag=1, bytes=7, request=0)
        own.add(OpKind.SEND, "MPI_Sendrecv", peer=before, tag=1, bytes=7, request=1)
        own.add(OpKind.WAIT, "MPI_Sendrecv", list=[0, 1])
        for kind in (OpKind.BCAST, OpKind.REDUCE, OpKind.GATHER, OpKind.SCATTER,
                     OpKind.ALLREDUCE, OpKind.ALLGATHER, OpKind.ALLTOALL, OpKind.BARRIER,
                     OpKind.EXSCAN, OpKind.SCAN):  # fmt: skip
            size = 0 if kind == OpKind.BARRIER else 48
            peer = 1 if kind in ROOTED else -1
            own.add(kind, f"MPI_{kind.name.capitalize()}", peer=peer, bytes=size)
        own.add(OpKind.BCAST, "MPI_Ibcast", peer=3, bytes=40, request=0)
        own.add(OpKind.WAIT, "MPI_Wait", list=[0])
    for rank in (0, 2):
        builder.rank(rank).add(OpKind.ALLREDUCE, "MPI_Allreduce", bytes=16, comm=some)
    builder.rank(0).add(OpKind.SYNC_SEND, "MPI_Ssend", peer=2, bytes=5, comm=some)
    builder.rank(2).add(OpKind.RECEIVE, "MPI_Recv", peer=0, bytes=5, comm=some)
    return timed(builder)


def back(trace: Trace, folder: Path) -> Trace:
    WRITERS.get("otf2").write(trace, folder / "archive")
    return read_trace(folder / "archive")


def rows(trace: Trace) -> list[tuple[object, ...]]:
    """What each operation says, with communicators by their ranks and requests by their waits."""
    found = []
    for row in range(len(trace)):
        kind = OpKind(int(trace.kind[row]))
        has_peer = kind in ROOTED or not kind.is_collective
        found.append(
            (
                trace.rank_of(row), trace.calls[trace.call[row]], kind,
                int(trace.peer[row]) if has_peer else None, int(trace.tag[row]),
                int(trace.bytes[row]),
                None if kind is OpKind.WAIT
                else tuple(trace.communicators[trace.comm[row]].tolist()),
                len(trace.list_of(row)), bool(trace.request[row] >= 0),
            )
        )  # fmt: skip
    return found


def test_what_is_written_is_read_as_the_same_operations_at_the_same_times(tmp_path: Path) -> None:
    trace = program()
    found = back(trace, tmp_path)
    assert rows(found) == rows(trace)
    origin = trace.start.min()
    assert found.start == pytest.approx(trace.start - origin, abs=2e-9)
    assert found.end == pytest.approx(trace.end - origin, abs=2e-9)
    later = np.setdiff1d(np.arange(len(trace)), trace.first)  # nothing is before the first call
    assert found.seconds[later] == pytest.approx(trace.seconds[later], abs=2e-9)
    one, other = match(trace), match(found)
    assert one.sends.tolist() == other.sends.tolist()
    assert one.receives.tolist() == other.receives.tolist()


def test_a_replay_of_what_was_written_takes_as_long(tmp_path: Path) -> None:
    builder = TraceBuilder(3)
    for rank in range(3):  # begins with calls, since an archive has no time before the first one
        builder.rank(rank).add(OpKind.BARRIER, "MPI_Barrier")
        builder.rank(rank).compute(1e-3 * rank)
        builder.rank(rank).add(OpKind.ALLTOALL, "MPI_Alltoall", bytes=1000)
    trace, net = timed(builder), Line(1e-5, 1e8)
    assert replay(back(trace, tmp_path), net).seconds == pytest.approx(replay(trace, net).seconds)


def test_bytes_for_single_ranks_are_summed_up(tmp_path: Path) -> None:
    builder = TraceBuilder(2)
    for rank in range(2):
        builder.rank(rank).add(OpKind.ALLTOALLV, "MPI_Alltoallv", list=[10, 30])
    assert back(timed(builder), tmp_path).bytes.tolist() == [40, 40]


def test_a_receive_that_nothing_came_for_is_left_out(tmp_path: Path) -> None:
    builder = TraceBuilder(1)
    builder.rank(0).add(OpKind.RECEIVE, "MPI_Irecv", peer=-1, bytes=8, request=0)
    builder.rank(0).add(OpKind.WAIT, "MPI_Wait", list=[0])
    assert set(back(timed(builder), tmp_path).kind.tolist()) <= {OpKind.TIME, OpKind.WAIT}


def test_what_is_there_is_not_overwritten_and_no_times_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="is there already"):
        WRITERS.get("otf2").write(program(), tmp_path)
    with pytest.raises(InvalidInputError, match="without times"):
        WRITERS.get("otf2").write(replace(program(), start=np.zeros(0), end=np.zeros(0)),
                                  tmp_path / "new")  # fmt: skip
    assert not (tmp_path / "new").exists()
