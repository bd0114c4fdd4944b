"""Records of one rank as rows: a record is one row, but for calls of several parts.

Those of MPI_Sendrecv are a receive and a send with requests, and a wait for both, so that all that
follows knows of messages and waits alone. Those of calls that make a communicator are the
operations by which ranks agree on it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import FileFormatError
from contend.programs.traces.kinds import NONE, OpKind
from contend.programs.traces.recording import calls, meetings
from contend.programs.traces.recording.files import RankFile
from contend.programs.traces.recording.shapes import ranges

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

# Flags of mpi/interpose/record/record.h.
FAILED, ANY_SOURCE, ANY_TAG, SENDS, RECEIVES, COLLECTS = 1, 2, 4, 8, 16, 32
UNSUCCESSFUL = 256
# Peers of mpi/interpose/record/record.h that are no ranks.
NO_PEER, NOT_RECEIVED = -1, -4
_PSEUDO = ("flush", "clock", "communicator")
_OWN_REQUESTS = 1 << 30  # numbers from here on are given here


@dataclass
class Ends:
    """What waits have found, (n_ends,) each: the row of the wait, and of what it tells."""

    wait: Ints
    request: Ints
    source: Ints
    tag: Ints
    bytes: Ints


@dataclass
class Rows:
    """Rows of one rank, (n_rows,) each; `peer` as the record says it, of its communicator."""

    file: RankFile
    number: NDArray[np.uint16]  # of the call, among file.kinds
    kind: NDArray[np.int8]
    flags: Ints
    comm: Ints
    peer: Ints
    tag: Ints
    bytes: Ints
    received: Ints
    request: Ints
    first: Ints  # where its words begin
    words: Ints  # how many it has
    takes_time: Bools  # of itself, as it is not modelled
    computed: NDArray[np.float64]  # s, before it
    start: Ints  # ns, of the common clock
    end: Ints
    ends: Ends

    def named(self, *names: str) -> Bools:
        kinds = self.file.kinds
        return np.isin(self.number, [kinds.index(name) for name in names if name in kinds])

    def is_kind(self, *kinds: OpKind) -> Bools:
        return np.isin(self.kind, kinds)

    def leave_out(self, rows: Ints | Bools) -> None:
        """A message to nobody, or one that was cancelled, takes no time and has no request."""
        self.kind[rows] = OpKind.TIME
        self.takes_time[rows] = False
        self.request[rows] = NONE

    def only_time(self, rows: Ints | Bools) -> None:
        """What cannot be modelled takes its time."""
        self.takes_time[rows] |= self.kind[rows] != OpKind.TIME
        self.kind[rows] = OpKind.TIME

    def error(self, problem: str) -> FileFormatError:
        return FileFormatError(f"{self.file.path}: {problem}", "record again")


def rows_of(file: RankFile, library: str = "") -> Rows:
    pseudo = [file.kinds.index(name) for name in _PSEUDO if name in file.kinds]
    places = np.flatnonzero(~np.isin(file.records["kind"], pseudo))
    numbers = [file.kinds.index(name) for name in calls.PAIRS if name in file.kinds]
    records = file.records[places]
    is_pair = np.isin(records["kind"], numbers) & (records["flags"] & FAILED == 0)
    is_pair &= records["words"] == calls.WORDS_OF_HALF
    agreements = _agreements(file, library)
    lengths = np.array([len(agreements.get(name, "1")) for name in file.kinds], np.int64)
    is_whole = (records["flags"] & FAILED == 0) & (records["comm"] >= 0)
    counts = np.where(is_pair, 3, np.where(is_whole, lengths[records["kind"]], 1))
    part = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = _of_places(file, np.repeat(places, counts))
    _set_times(rows, places, counts, part)
    _set_agreements(rows, agreements, part, np.repeat(counts, counts))
    part[~np.repeat(is_pair, counts)] = -1
    _set_started(rows)
    rows.kind[rows.flags & FAILED != 0] = OpKind.TIME
    is_poll = rows.flags & UNSUCCESSFUL != 0
    rows.kind[is_poll] = OpKind.TIME
    # Bytes of polls are the ns within them; what is made persistent moves when it is started.
    rows.end[is_poll] = np.minimum(rows.end, rows.start + rows.bytes)[is_poll]
    rows.bytes[is_poll | rows.named(*(name for name in file.kinds if name.endswith("_init")))] = 0
    rows.takes_time = (rows.kind == OpKind.TIME) & ~is_poll & ~rows.named(*calls.UNTIMED)
    _set_pairs(rows, part)
    rows.ends = _join(rows.ends, _ends_of_waits(rows, part))
    return rows


def _agreements(file: RankFile, library: str) -> dict[str, tuple[meetings.Step, ...]]:
    """Return the operations of each kind of call of several that makes a communicator."""
    every = {name: meetings.steps(name, library) for name in file.kinds if name in meetings.CALLS}
    return {name: steps for name, steps in every.items() if len(steps) > 1 or steps[0][1]}


def _set_agreements(
    rows: Rows, agreements: dict[str, tuple[meetings.Step, ...]], part: Ints, counts: Ints
) -> None:
    """Operation, root and bytes of each part of a call that makes a communicator."""
    for name, steps in agreements.items():
        is_whole = rows.named(name) & (counts == len(steps))
        for number, (kind, size) in enumerate(steps):
            at = is_whole & (part == number)
            rows.kind[at], rows.peer[at], rows.bytes[at], rows.received[at] = kind, 0, size, size


def _of_places(file: RankFile, at: Ints) -> Rows:
    records = file.records[at]
    table = np.array([calls.KINDS.get(name, OpKind.TIME) for name in file.kinds], np.int8)
    wide = {
        name: records[name].astype(np.int64)
        for name in ("flags", "comm", "peer", "tag", "bytes", "received", "request", "words")
    }
    wide["request"][wide["request"] == 0] = NONE
    none = np.zeros(0, np.int64)
    rows = Rows(
        file=file, number=records["kind"],
        kind=table[records["kind"]] if table.size else np.zeros(0, np.int8), first=file.first[at],
        takes_time=np.zeros(at.size, bool), computed=np.zeros(at.size), start=none, end=none,
        ends=Ends(none, none, none, none, none), **wide,
    )  # fmt: skip
    if rows.request.size and rows.request.max() >= _OWN_REQUESTS:
        raise rows.error(f"more than {_OWN_REQUESTS} requests")
    return rows


def _set_times(rows: Rows, places: Ints, counts: Ints, part: Ints) -> None:
    """Time since the end of the call before it, without what writing the trace took."""
    start, end = (rows.file.records[name].astype(np.int64) for name in ("start", "end"))
    passing = rows.file.is_kind("clock") | rows.file.is_kind("communicator")  # noted within calls
    begins, ends = start[~passing], np.maximum.accumulate(end[~passing])
    # What is held may be written within a call, whose record follows.
    written = np.flatnonzero(rows.file.is_kind("flush")[~passing][:-1])
    for row in written[::-1]:  # the last first, as several may follow each other
        begins[row] = min(begins[row], begins[row + 1])
    gaps = np.zeros(start.size)
    gaps[np.flatnonzero(~passing)[1:]] = np.maximum(begins[1:] - ends[:-1], 0)
    until = np.repeat(np.cumsum(gaps)[places], counts)
    rows.computed = np.diff(until, prepend=until[:1]) / 1e9
    shown = _common_times(rows.file)
    rows.start, rows.end = (np.repeat(time[places], counts) for time in shown)
    is_last = part == np.repeat(counts, counts) - 1
    rows.end[~is_last] = rows.start[~is_last]


def _common_times(file: RankFile) -> tuple[Ints, Ints]:
    """Start and end of each record by the clock that all ranks share, ns, (n_records,) each.

    A rank finds at MPI_Init, and again at MPI_Finalize, by how much the common clock shows more
    than its own. Between the two the difference changes at a steady rate, as quartz clocks run
    straight over some seconds and nearly so over hours; of a program that was killed, the first one
    stands.
    """
    clocks = file.records[file.is_kind("clock")]
    times = tuple(file.records[name].astype(np.int64) for name in ("start", "end"))
    if clocks.size == 0:
        return times[0], times[1]
    base = int(clocks["start"][0])
    at, offsets = clocks["start"].astype(np.int64) - base, clocks["bytes"].astype(np.float64)
    shown = [
        time + np.rint(np.interp((time - base).astype(np.float64), at, offsets)).astype(np.int64)
        for time in times
    ]
    return shown[0], shown[1]


def _set_started(rows: Rows) -> None:
    at = np.flatnonzero(rows.named("Start", "Startall") & (rows.request != NONE))
    made_by = rows.received[at]
    names = [name.removesuffix("_init") for name in rows.file.kinds]
    if made_by.size and not 0 <= made_by.min() <= made_by.max() < len(names):
        raise rows.error("a request was made by a kind without a name")
    messages = {**calls.SENDS, **calls.RECEIVES}  # counts of collectives are not kept
    table = np.array([messages.get(name, OpKind.TIME) for name in names], np.int8)
    rows.kind[at] = table[made_by]


def _set_pairs(rows: Rows, part: Ints) -> None:
    receives, sends, waits = (np.flatnonzero(part == i) for i in range(3))
    words = [rows.file.words[rows.first[receives] + i] for i in range(calls.WORDS_OF_HALF)]
    rows.kind[receives], rows.kind[sends], rows.kind[waits] = (
        OpKind.RECEIVE, OpKind.SEND, OpKind.WAIT,
    )  # fmt: skip
    rows.peer[receives], rows.tag[receives], rows.bytes[receives] = words
    rows.request[receives] = _OWN_REQUESTS + 2 * np.arange(receives.size)
    rows.request[sends] = rows.request[receives] + 1
    rows.flags[receives] |= RECEIVES
    rows.flags[sends] |= SENDS
    rows.takes_time[part >= 0] = False
    for half in (receives, sends):
        ends = Ends(waits, rows.request[half], rows.peer[half], rows.tag[half], rows.bytes[half])
        rows.ends = _join(rows.ends, ends)


def _ends_of_waits(rows: Rows, part: Ints) -> Ends:
    waits = np.flatnonzero((rows.kind == OpKind.WAIT) & (part < 0))
    counts = rows.words[waits] // calls.WORDS_OF_END
    at = ranges(rows.first[waits], counts, calls.WORDS_OF_END)
    return Ends(
        np.repeat(waits, counts), *(rows.file.words[at + i] for i in range(calls.WORDS_OF_END))
    )


def _join(first: Ends, other: Ends) -> Ends:
    return Ends(*(np.concatenate(pair) for pair in zip(vars(first).values(), vars(other).values(),
                                                       strict=True)))  # fmt: skip
