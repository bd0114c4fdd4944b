"""OTF2 archives, as of Score-P: for Vampir, Scalasca, and all that reads the format.

Source: Eschweiler et al. 2011, as the reader of the same name; written by the Python package otf2.
Idea: a call is a region that is entered and left, with the events that Score-P has within it:
messages with the rank in their communicator, requests where they are made and where they end,
collectives with what a rank sends to all and receives from all.
Restrictions: bytes for single ranks, as of an alltoallv, are summed up; a receive that was never
matched has no event; probes have none; a kind of send is told by the name of its call alone.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from contend.errors import InvalidInputError, MissingToolError, StorageError
from contend.traces.kinds import ANY, COMPUTE, NONE, ROOTED, SUMMED, OpKind
from contend.traces.summary import is_part
from contend.traces.trace import Trace
from contend.traces.writer import TraceWriter

RESOLUTION = 1_000_000_000  # ticks per second
NO_ROOT = 2**32 - 1
_SENDS = (OpKind.SEND, OpKind.SYNC_SEND)
_Event = tuple[str, tuple[Any, ...]]  # name in otf2.events, and its fields after the time


class Otf2(TraceWriter):
    """Writer of OTF2 archives."""

    name = "otf2"
    title = "OTF2 archive, a folder with traces.otf2"

    def write(self, trace: Trace, path: Path) -> None:
        """Write the folder, which must not be there."""
        if trace.start.size == 0:
            raise InvalidInputError(
                "a trace without times cannot be an archive of events", "record the program"
            )
        if path.exists():
            raise InvalidInputError(f"{path} is there already", "name another folder")
        try:
            import otf2
        except ImportError as error:
            raise MissingToolError(
                f"OTF2 is written by the Python package otf2, which is missing: {error}",
                "pip install 'contend[otf2]', or Debian's python3-otf2",
            ) from None
        try:
            with tempfile.TemporaryDirectory(dir=path.resolve().parent) as folder:
                made = Path(folder) / "archive"
                _Writing(otf2, trace).write(made)
                made.rename(path)
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error}", "name another place") from None


class _Writing:
    """What the definitions and the events of all ranks need."""

    def __init__(self, library: Any, trace: Trace) -> None:
        self.library = library
        self.trace = trace
        self.is_part = is_part(trace)
        self.place = [
            {int(rank): at for at, rank in enumerate(members)} for members in trace.communicators
        ]
        self.comms: list[Any] = []
        self.made: dict[int, tuple[int, int]] = {}  # of a request: its row and its id
        self.ids = 0

    def write(self, folder: Path) -> None:
        """The whole archive."""
        from otf2.enums import LocationType

        with self.library.writer.open(str(folder), timer_resolution=RESOLUTION) as file:
            definitions = file.definitions
            node = definitions.system_tree_node("all ranks")
            locations = []
            for rank in range(self.trace.ranks):
                group = definitions.location_group(f"MPI Rank {rank}", system_tree_parent=node)
                locations.append(
                    definitions.location("Master thread", LocationType.CPU_THREAD, group=group)
                )
            self._define_communicators(definitions, locations)
            regions = [definitions.region(_region(name)) for name in self.trace.calls]
            for rank, location in enumerate(locations):
                self._write_rank(rank, file.event_writer_from_location(location), regions)

    def _define_communicators(self, definitions: Any, locations: list[Any]) -> None:
        from otf2.enums import GroupType, Paradigm

        mpi = {"paradigm": Paradigm.MPI}
        definitions.group("", group_type=GroupType.COMM_LOCATIONS, members=locations, **mpi)
        for number, members in enumerate(self.trace.communicators):
            name = "MPI_COMM_WORLD" if number == 0 else f"communicator {number}"
            group = definitions.group(
                name,
                group_type=GroupType.COMM_GROUP,
                members=[locations[rank] for rank in members],
                **mpi,
            )
            self.comms.append(definitions.comm(name, group))

    def _write_rank(self, rank: int, writer: Any, regions: list[Any]) -> None:
        trace, events = self.trace, self.library.events
        self.made, self.ids = {}, 0
        start, end = (
            np.rint(time * RESOLUTION).astype(np.int64) for time in (trace.start, trace.end)
        )
        left = 0
        first = row = int(trace.first[rank])
        while row < trace.first[rank + 1]:
            if self.is_part[row]:
                row += 1
                continue
            if trace.calls[trace.call[row]] != COMPUTE:  # which is between calls
                # Calls of threads may overlap, regions may not.
                begin = max(int(start[row]), left)
                left = max(int(end[row]), begin)
                region = regions[trace.call[row]]
                writer.enter(begin, region)
                for name, fields in self._events(range(first, row + 1)):
                    at = begin if name.endswith(("Begin", "Request", "Isend", "MpiSend")) else left
                    writer.write(getattr(events, name)(at, *fields))
                writer.leave(left, region)
            row += 1
            first = row

    def _events(self, rows: range) -> Iterator[_Event]:
        """Of the rows of one call: what begins first, as times do not fall."""
        wait = rows[-1]
        kind = self.trace.kind
        pair = list(rows[:-1]) if kind[wait] == OpKind.WAIT else []
        if pair:  # a sendrecv: both of its halves end within it
            halves = sorted(pair, key=lambda row: kind[row] not in _SENDS)
            for row in halves:
                is_send = kind[row] in _SENDS
                yield ("MpiSend" if is_send else "MpiRecv"), self._message(row)
            return
        for row in rows:
            yield from self._event(row)

    def _event(self, row: int) -> Iterator[_Event]:
        trace, kind = self.trace, OpKind(int(self.trace.kind[row]))
        if kind is OpKind.WAIT:
            for request in trace.list_of(row).tolist():
                if (made := self.made.pop(request, None)) is not None:
                    yield from self._ended(*made)
            return
        if kind not in (*_SENDS, OpKind.RECEIVE) and not kind.is_collective:
            return
        if trace.request[row] == NONE:
            if kind.is_collective:
                yield "MpiCollectiveBegin", ()
                yield "MpiCollectiveEnd", self._collective(row, kind)
            elif trace.peer[row] != ANY:
                yield ("MpiSend" if kind in _SENDS else "MpiRecv"), self._message(row)
            return
        self.ids += 1
        self.made[int(trace.request[row])] = row, self.ids
        if kind in _SENDS:
            yield "MpiIsend", (*self._message(row), self.ids)
        elif kind is OpKind.RECEIVE:
            yield "MpiIrecvRequest", (self.ids,)
        else:
            yield "NonBlockingCollectiveRequest", (self.ids,)

    def _ended(self, row: int, number: int) -> Iterator[_Event]:
        kind = OpKind(int(self.trace.kind[row]))
        if kind in _SENDS:
            yield "MpiIsendComplete", (number,)
        elif kind.is_collective:
            yield "NonBlockingCollectiveComplete", (*self._collective(row, kind), number)
        elif self.trace.peer[row] != ANY:
            yield "MpiIrecv", (*self._message(row), number)
        else:
            yield "MpiRequestCancelled", (number,)

    def _message(self, row: int) -> tuple[Any, ...]:
        trace = self.trace
        comm = int(trace.comm[row])
        place = self.place[comm].get(int(trace.peer[row]))
        if place is None:
            raise InvalidInputError(
                f"{trace.place(row)}: its peer is not in the communicator, which this format "
                "cannot say",
                "convert to another format",
            )
        return place, self.comms[comm], max(int(trace.tag[row]), 0), int(trace.bytes[row])

    def _collective(self, row: int, kind: OpKind) -> tuple[Any, ...]:
        """Operation, communicator, root, and what the rank sends to all and receives from all."""
        from otf2.enums import CollectiveOp

        trace = self.trace
        comm, size = int(trace.comm[row]), int(trace.bytes[row])
        n = len(trace.communicators[comm])
        total = size if kind in SUMMED else int(trace.list_of(row).sum()) or n * size
        is_root = kind in ROOTED and trace.rank_of(row) == trace.peer[row]
        root = self.place[comm].get(int(trace.peer[row]), 0) if kind in ROOTED else NO_ROOT
        sent, received = {
            OpKind.BARRIER: (0, 0),
            OpKind.BCAST: (n * size * is_root, size),
            OpKind.REDUCE: (size, n * size * is_root),
            OpKind.GATHER: (size, n * size * is_root),
            OpKind.GATHERV: (size, total * is_root),
            OpKind.SCATTER: (n * size * is_root, size),
            OpKind.SCATTERV: (total * is_root, size),
            OpKind.ALLGATHERV: (n * size, total),
            OpKind.EXSCAN: ((n - 1) * size, (n - 1) * size),
        }.get(kind, (total, total))
        return getattr(CollectiveOp, kind.name), self.comms[comm], root, sent, received


def _region(name: str) -> str:
    """Calls of MPI have the names of the standard."""
    return name if name.startswith("MPI_") else f"MPI_{name[:1].upper()}{name[1:]}"
