"""OTF2: events of Score-P and other tools, in binary files of each location and a title.

Source: Eschweiler et al., "Open Trace Format 2: The next generation of scalable trace formats and
support libraries", ParCo 2011; read by the Python package otf2 (an extra of this one).
Idea: a call of MPI is a region that is entered and left, and the messages in between say what it
did. A receive is posted where its request is made and gets source, tag and size where it ends.
Sizes of collectives are those that Score-P writes: what a rank sends to all ranks and receives from
all, itself included.
Restrictions: one process is one rank; events of other threads are not read. Of collectives with
counts of ranks the sum is known alone: each of the others gets as much. Calls without an event of
their own (files, windows) take their time, probes and tests none.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.errors import FileFormatError
from contend.programs.traces.archive import REMEDY, Archive, Event, read_archive
from contend.programs.traces.builder import RankBuilder, TraceBuilder
from contend.programs.traces.kinds import ANY, NONE, ROOTED, OpKind
from contend.programs.traces.reader import TraceReader
from contend.programs.traces.trace import Trace

_UNTIMED = ("MPI_Init", "MPI_Init_thread", "MPI_Finalize")
_POLLS = ("MPI_Test", "MPI_Probe", "MPI_Iprobe", "MPI_Mprobe", "MPI_Improbe")
_SYNCHRONOUS = ("MPI_Ssend", "MPI_Issend")
_SAME = {"ALLTOALLW": "ALLTOALLV", "REDUCE_SCATTER_BLOCK": "REDUCE_SCATTER"}


class Otf2Reader(TraceReader):
    name = "otf2"
    title = "OTF2 archive of Score-P: the file traces.otf2, or the folder with it"

    def recognises(self, path: Path) -> bool:
        return _anchor(path) is not None

    def read(self, path: Path, speed: float | None) -> Trace:
        anchor = _anchor(path) or path
        archive = read_archive(anchor)
        if not archive.events:
            raise FileFormatError(f"{anchor}: no process of MPI has a place in it", REMEDY)
        builder = TraceBuilder(len(archive.events), (str(anchor),))
        comms = _Communicators(archive, builder)
        states = [
            _State(builder.rank(rank), comms, archive.resolution)
            for rank in range(len(archive.events))
        ]
        try:
            for state, events in zip(states, archive.events, strict=True):
                state.take_all(events)
            trace = builder.trace()
        except FileFormatError as error:
            raise FileFormatError(f"{anchor}: {error.message}", error.remedy) from None
        start, end = (
            np.array([time for state in states for time in getattr(state, name)], dtype=np.int64)
            for name in ("start", "end")
        )
        origin = start.min(initial=np.iinfo(np.int64).max)
        return replace(
            trace,
            start=(start - origin) / archive.resolution,
            end=(end - origin) / archive.resolution,
        )


def _anchor(path: Path) -> Path | None:
    if path.is_dir():
        return next(iter(sorted(path.glob("*.otf2"))), None)
    return path if path.suffix == ".otf2" else None


class _Communicators:
    """Their indices in the trace and their members, by rank."""

    def __init__(self, archive: Archive, builder: TraceBuilder) -> None:
        self.builder = builder
        self.members = archive.communicators
        world = list(range(len(archive.events)))
        # The first one of all ranks is that of the world, others are copies of it.
        first = next((comm for comm, members in self.members.items() if members == world), None)
        self.indices: dict[tuple[int | None, int], int] = {(first, NONE): 0}

    def of(self, comm: Any, rank: int) -> tuple[int, list[int]]:
        if comm not in self.members:
            raise _WrongEventError("a communicator that is not one of MPI, or of two groups")
        group = self.members[comm]
        members = [rank] if group is None else group
        key = (comm, rank if group is None else NONE)
        if key not in self.indices:
            self.indices[key] = self.builder.communicator(members)
        return self.indices[key], members


class _WrongEventError(Exception):
    """What is wrong with an event."""


class _State:
    def __init__(self, builder: RankBuilder, comms: _Communicators, resolution: int) -> None:
        self.builder = builder
        self.comms = comms
        self.resolution = resolution
        self.start: list[int] = []  # ticks, of each operation
        self.end: list[int] = []
        self.call = ""  # that is under way
        self.depth = 0  # of calls of MPI within it
        self.entered = 0
        self.last_end: int | None = None  # the call before
        self.ops: list[tuple[str, tuple[Any, ...]]] = []
        self.posted: dict[int, tuple[int, int]] = {}  # of a request: its row and its number

    def take_all(self, events: list[Event]) -> None:
        first = next(
            (at for at, (name, _, fields) in enumerate(events) if _begins(name, fields)), 0
        )
        for number, (name, time, fields) in enumerate(events[first:], start=first + 1):
            try:
                self.take(name, time, fields)
            except _WrongEventError as error:
                raise FileFormatError(
                    f"rank {self.builder.rank}, event {number} of the rank, {name}: {error}", REMEDY
                ) from None
        self.builder.finish()  # where the trace ends within a call
        self._note(self.entered, self.entered, len(self.builder))
        for row, _ in self.posted.values():
            if self.builder.columns["peer"][row] == ANY:  # it never ended
                self.builder.leave_out(row)

    def take(self, name: str, time: int, fields: tuple[Any, ...]) -> None:
        if name in ("Enter", "Leave"):
            if str(fields[0]).startswith("MPI_"):
                (self._enter if name == "Enter" else self._leave)(str(fields[0]), time)
            return
        if not self.call:
            raise _WrongEventError("is not within a call of MPI")
        self.ops.append((name, fields))

    def _enter(self, call: str, time: int) -> None:
        self.depth += 1
        if self.depth > 1:
            return
        if self.last_end is not None:
            if time < self.last_end:
                raise _WrongEventError(f"{call} begins before the call before it ends")
            self.builder.compute((time - self.last_end) / self.resolution)
        self.call, self.entered = call, time

    def _leave(self, call: str, time: int) -> None:
        if self.depth == 0:
            raise _WrongEventError(f"{call} is left and was not entered")
        self.depth -= 1
        if self.depth:
            return
        if call != self.call or time < self.entered:
            raise _WrongEventError(f"{call} is left where {self.call} was entered")
        self._write(call, time)
        self.call, self.last_end, self.ops = "", time, []

    def _note(self, start: int, end: int, until: int) -> None:
        """Times of the rows that have none yet."""
        missing = until - len(self.start)
        self.start += [start] * missing
        self.end += [end] * missing

    def _write(self, call: str, time: int) -> None:
        """The operations of a call that is left."""
        is_pair = {"MpiSend", "MpiRecv"} <= {name for name, _ in self.ops}
        ended: list[int] = []
        before = len(self.builder)
        # A sendrecv posts its receive first, though its event comes last.
        order = sorted(self.ops, key=lambda op: op[0] == "MpiSend") if is_pair else self.ops
        for name, fields in order:
            if name in ("MpiSend", "MpiIsend", "MpiRecv"):
                self._message(name, call, fields, is_pair, ended)
            elif name in ("MpiIrecvRequest", "NonBlockingCollectiveRequest"):
                self.builder.add(OpKind.RECEIVE, call, request=self._open(fields[0]))
            elif name != "MpiCollectiveEnd":
                self._end(name, fields, ended)
            elif columns := self._collective(*fields):
                self.builder.add(call=call, **columns)
        if ended:
            self.builder.add(OpKind.WAIT, call, list=ended)
            self.builder.release(ended)
        elif len(self.builder) == before:
            is_timeless = call in _UNTIMED or call.startswith(_POLLS)
            taken = 0.0 if is_timeless else (time - self.entered) / self.resolution
            self.builder.spend(call, taken)
        # Computation before a call and its parts but the last are points of the timeline.
        self._note(self.entered, self.entered, len(self.builder) - 1)
        self._note(self.entered, time, len(self.builder))

    def _message(
        self, name: str, call: str, fields: tuple[Any, ...], is_pair: bool, ended: list[int]
    ) -> None:
        comm, members = self.comms.of(fields[0], self.builder.rank)
        request = NONE
        if name == "MpiIsend":
            request = self._open(fields[4])
        elif is_pair:
            request = self.builder.request()
            ended.append(request)
        kind = OpKind.SYNC_SEND if call in _SYNCHRONOUS else OpKind.SEND
        self.builder.add(
            OpKind.RECEIVE if name == "MpiRecv" else kind,
            call,
            peer=_member(members, fields[1]),
            tag=int(fields[2]),
            bytes=int(fields[3]),
            comm=comm,
            request=request,
        )

    def _end(self, name: str, fields: tuple[Any, ...], ended: list[int]) -> None:
        request = fields[-1]
        if request not in self.posted:
            raise _WrongEventError(f"request {request} ends and was not made")
        row, number = self.posted.pop(request)
        if name == "MpiRequestCancelled":
            self.builder.leave_out(row)
            self.builder.release([number])
            return
        if name == "MpiIrecv":
            comm, members = self.comms.of(fields[0], self.builder.rank)
            self.builder.amend(
                row,
                peer=_member(members, fields[1]),
                tag=int(fields[2]),
                bytes=int(fields[3]),
                comm=comm,
            )
        elif name == "NonBlockingCollectiveComplete":
            columns = self._collective(*fields[:-1])
            if not columns:
                self.builder.leave_out(row)
                return
            self.builder.amend(row, **columns)
        ended.append(number)

    def _collective(self, comm: Any, op: str, root: int, sent: int, got: int) -> dict[str, Any]:
        """Columns of a collective operation; none for what is none, as making a window."""
        if (kind := OpKind.__members__.get(_SAME.get(op, op))) is None or not kind.is_collective:
            return {}
        index, members = self.comms.of(comm, self.builder.rank)
        n = len(members)
        peer = _member(members, root if n > 1 else 0) if kind in ROOTED else ANY
        size = {
            "BCAST": got or sent // n,
            "REDUCE": sent or got // n,
            "GATHER": sent or got // max(n - 1, 1),  # nothing is sent by a root in place
            "GATHERV": sent,
            "SCATTER": got or sent // max(n - 1, 1),
            "SCATTERV": got,
            "EXSCAN": max(sent, got) // max(n - 1, 1),
            "ALLGATHERV": (sent or got) // n,
            "ALLTOALLV": sent,
            "ALLTOALLW": sent,
            "REDUCE_SCATTER": max(sent, got),
            "REDUCE_SCATTER_BLOCK": max(sent, got),
        }.get(op, max(sent, got) // n)
        return {"kind": kind, "peer": peer, "bytes": int(size), "comm": index}

    def _open(self, request: int) -> int:
        if request in self.posted:
            raise _WrongEventError(f"request {request} is made again before it ends")
        number = self.builder.request()
        self.posted[request] = (len(self.builder), number)
        return number


def _member(members: list[int], place: int) -> int:
    if not 0 <= place < len(members):
        raise _WrongEventError(f"rank {place} of a communicator of {len(members)}")
    return members[place]


def _begins(name: str, fields: tuple[Any, ...]) -> bool:
    return name == "Enter" and fields[0] in ("MPI_Init", "MPI_Init_thread")
