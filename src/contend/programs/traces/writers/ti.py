"""Time-independent traces of SMPI: a list of files, and a file of actions for each rank.

Source: SimGrid 3.32, `smpirun -replay`; Desprez, Markomanolis, Quinson, Suter 2011, "Assessing the
performance of MPI applications through time-independent trace replay", ICPP workshops.
Idea: computation is operations of a processor, here of one that makes 1e9 a second; with
`speed="1Gf"` hosts it takes the time that was recorded. Operations that a trace counts stay.
Restrictions: the format has no communicators and one request for each source, destination and tag,
so that tags are given anew, a number for each message of a pair, and collectives have to be of all
ranks. Those that do not block are written as if they did, at their beginning. A message of 0 bytes
has 1, since 0 stands for a size that is not known; probes are left out, and so are MPI_Scan and
MPI_Exscan, which SMPI 3.32 does not replay, so they are refused.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import InvalidInputError
from contend.base.wholefile import write_whole
from contend.programs.traces.kinds import NONE, OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.smpi_actions import COLLECTIVES, SPLIT
from contend.programs.traces.trace import Trace
from contend.programs.traces.writer import TraceWriter

OPERATIONS_PER_SECOND = 1e9
_SENDS = (OpKind.SEND, OpKind.SYNC_SEND)


class TimeIndependent(TraceWriter):
    name = "ti"
    title = "SMPI time-independent trace"

    def write(self, trace: Trace, path: Path) -> None:
        folder = path.with_name(f"{path.name}_files")
        folder.mkdir(parents=True, exist_ok=True)
        writing = _Writing(trace)
        names = []
        for rank in range(trace.ranks):
            file = folder / f"rank-{rank}.txt"
            write_whole(file, "".join(f"{rank} {line}\n" for line in writing.actions(rank)))
            names.append(f"{folder.name}/{file.name}\n")
        write_whole(path, "".join(names))


class _Writing:
    """What all ranks have to know of each other."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.is_computation = trace.is_computation
        self.tags = _tags(trace)
        world = np.arange(trace.ranks)
        self.is_world = [np.array_equal(np.sort(m), world) for m in trace.communicators]
        self.begun: dict[int, int] = {}  # request to row, of the rank that is written
        self.received = _received_counts(trace)

    def actions(self, rank: int) -> Iterator[str]:
        """Lines of a rank, without its number."""
        self.begun = {}
        yield "init"
        for row in range(int(self.trace.first[rank]), int(self.trace.first[rank + 1])):
            if (seconds := float(self.trace.seconds[row])) > 0:
                yield self._time(row, seconds)
            if self.trace.calls[self.trace.call[row]] == SPLIT:
                yield SPLIT
            kind = OpKind(int(self.trace.kind[row]))
            if kind in (*_SENDS, OpKind.RECEIVE):
                yield self._message(row, kind)
            elif kind is OpKind.WAIT:
                yield from self._wait(rank, row)
            elif kind.is_collective:
                yield from self._collective(row, kind)
        yield "finalize"

    def _time(self, row: int, seconds: float) -> str:
        if not self.trace.counts_operations:
            return f"compute {seconds * OPERATIONS_PER_SECOND:.0f}"
        word = "compute" if self.is_computation[row] else "sleep"
        return f"{word} {seconds:.17g}"

    def _message(self, row: int, kind: OpKind) -> str:
        word = "send" if kind in _SENDS else "recv"
        if (request := int(self.trace.request[row])) != NONE:
            self.begun[request] = row
            word = f"i{word}"
        size = max(int(self.trace.bytes[row]), 1)
        return f"{word} {self.trace.peer[row]} {self.tags[row]} {size}"

    def _wait(self, rank: int, row: int) -> Iterator[str]:
        for request in self.trace.list_of(row).tolist():
            begun = self.begun.pop(request, None)
            if begun is None:  # of a collective, which is over
                continue
            peer, tag = int(self.trace.peer[begun]), self.tags[begun]
            is_send = self.trace.kind[begun] in _SENDS
            yield f"wait {rank} {peer} {tag}" if is_send else f"wait {peer} {rank} {tag}"

    def _collective(self, row: int, kind: OpKind) -> Iterator[str]:
        trace = self.trace
        comm, size, root = (int(column[row]) for column in (trace.comm, trace.bytes, trace.peer))
        if len(trace.communicators[comm]) == 1:
            return
        if not self.is_world[comm]:
            raise InvalidInputError(
                f"{trace.place(row)}: a collective of {len(trace.communicators[comm])} of "
                f"{trace.ranks} ranks, which this format cannot say",
                "convert to another format, or replay the trace itself",
            )
        if kind in (OpKind.SCAN, OpKind.EXSCAN):
            raise InvalidInputError(
                f"{trace.place(row)}: this format has no such operation", "convert to another"
            )
        counts = self._in_world(row)
        if kind is not OpKind.ALLTOALLV:
            yield " ".join(map(str, _words(kind, trace.ranks, size, root, counts)))
            return
        received = self.received.get(row, np.zeros(trace.ranks, np.int64))
        numbers = [sum(counts), *counts, received.sum(), *received]
        yield " ".join(["alltoallv", *map(str, numbers)])

    def _in_world(self, row: int) -> list[int]:
        """The bytes for each rank of the world; 0 where the rank does not know them."""
        counts = np.zeros(self.trace.ranks, np.int64)
        if (counts_of := self.trace.list_of(row)).size:
            counts[self.trace.communicators[self.trace.comm[row]]] = counts_of
        return [int(count) for count in counts]


def _words(kind: OpKind, n: int, size: int, root: int, counts: list[int]) -> list[object]:
    """Name and arguments of a collective action; those that are not named are the size again."""
    action, layout = next(entry for entry in COLLECTIVES.items() if entry[1].kind == kind)
    args = [size] * (layout.least[0] + layout.least[1] * n)
    if layout.counts is not None:
        args[layout.counts[0] : layout.counts[0] + n] = counts
    if layout.operations is not None:
        args[layout.operations[0] + layout.operations[1] * n] = 0
    return [action, *args, *([root] if layout.root else [])]


def _tags(trace: Trace) -> NDArray[np.int64]:
    """A number for each message of a pair of ranks, for both of its rows."""
    matches = match(trace)
    lost = matches.lost_receives
    if lost.size:
        raise InvalidInputError(
            f"{trace.place(int(lost[0]))}: nothing is sent for this receive, or it does not know "
            f"from whom",
            "this format needs traces whose messages are known, and whole ones",
        )
    tags = np.zeros(len(trace), np.int64)
    pair = trace.rank * trace.ranks + trace.peer
    sends = np.sort(np.concatenate([matches.sends, matches.lost_sends]))
    order = sends[np.argsort(pair[sends], kind="stable")]
    _, begins, sizes = np.unique(pair[order], return_index=True, return_counts=True)
    tags[order] = np.arange(order.size) - np.repeat(begins, sizes)
    tags[matches.receives] = tags[matches.sends]
    return tags


def _received_counts(trace: Trace) -> dict[int, NDArray[np.int64]]:
    """Return for each all-to-all of different sizes the bytes from each rank of the world."""
    rank = trace.rank
    calls: dict[tuple[int, int], list[int]] = {}
    seen: dict[tuple[int, int], int] = {}
    for row in np.flatnonzero(trace.kind == OpKind.ALLTOALLV).tolist():
        key = (int(rank[row]), comm := int(trace.comm[row]))
        seen[key] = seen.get(key, -1) + 1
        calls.setdefault((comm, seen[key]), []).append(row)
    counts = {row: np.zeros(trace.ranks, np.int64) for rows in calls.values() for row in rows}
    for (comm, _), rows in calls.items():
        members = trace.communicators[comm]
        place = np.empty(trace.ranks, np.int64)
        place[members] = np.arange(members.size)
        for sender in rows:
            sent = trace.list_of(sender)
            for receiver in rows:
                if sent.size:
                    counts[receiver][rank[sender]] = sent[place[rank[receiver]]]
    return counts
