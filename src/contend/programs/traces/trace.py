"""A trace in memory: what each rank did, in one table for all.

Idea: a row per operation, by rank and, within a rank, in program order. Lists, which few operations
have, stand apart: the requests that a wait is for, the bytes for each rank of a collective of
different sizes. Ranks are those of MPI_COMM_WORLD everywhere, roots and peers too.

    kind      what it does: traces/kinds.py
    call      its name in the program, an index of `calls`
    peer      destination of a send, source of a receive or probe (ANY: not asked for), root
    tag       of a message (ANY: not asked for)
    bytes     of a message; of a collective what MPI's counts say: the message of a bcast, the
              vector of a reduce, allreduce, scan, one block of gather, scatter, allgather,
              alltoall; where ranks have counts of their own what the rank gives to a gatherv or
              allgatherv, gets from a scatterv, and the sum of its counts of an alltoallv or
              reduce_scatter
    comm      an index of `communicators`
    request   what a non-blocking operation makes, NONE where it blocks; free again after its wait
    list      an index of the lists, NONE where there is none
    seconds   of computation between the operation before and this one; of a TIME operation the
              time that it takes, which is computation if its call is named "compute". Where
              `counts_operations`, computation is operations of a processor, and no seconds
    line      of the file that it was read from, NONE where it has none
    start     when the call began and ended, seconds of a clock that all ranks share; empty
    end       arrays where the trace knows no times

A call of several parts (sendrecv: a receive and a send with requests, and a wait) is several rows
of the same name. A message to MPI_PROC_NULL is no row, or a TIME row of 0 seconds.

    asked     what a receive or probe left open whose peer and tag are those that it met, of
              ANY_SOURCE and ANY_TAG; empty where that is not known

    connected pairs of ranks that had a connection when the program began, lower * ranks + higher,
              rising

    cut       (ranks,) why the record of a rank ends before the program does, "" where it does not;
              empty where all are whole

Where `requires` has rows, operations do not wait for those before them in their rank but for those
that they require, as in GOAL.
"""

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import FileFormatError
from contend.programs.traces.kinds import ANY, ANY_SOURCE, ANY_TAG, COMPUTE, LISTED, NONE, OpKind

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Narrow = NDArray[np.int32]

DTYPES: dict[str, type[np.generic]] = {
    "kind": np.int8,
    "call": np.int16,
    "peer": np.int32,
    "tag": np.int32,
    "bytes": np.int64,
    "comm": np.int32,
    "request": np.int32,
    "list": np.int32,
    "seconds": np.float64,
    "line": np.int32,
}


def _no_ints() -> Ints:
    return np.zeros(0, dtype=np.int64)


def _no_times() -> Floats:
    return np.zeros(0)


def _nothing_asked() -> NDArray[np.int8]:
    return np.zeros(0, dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Trace:
    """Operations of all ranks, (n_ops,) each; checked when made."""

    ranks: int
    first: Ints  # (ranks + 1,) where the operations of each rank begin
    kind: NDArray[np.int8]
    call: NDArray[np.int16]
    peer: Narrow
    tag: Narrow
    bytes: Ints
    comm: Narrow
    request: Narrow
    list: Narrow
    seconds: Floats
    line: Narrow
    calls: tuple[str, ...]
    communicators: tuple[Ints, ...]  # ranks of the world, in the order of the communicator
    list_offsets: Ints = field(default_factory=_no_ints)  # (n_lists + 1,)
    list_values: Ints = field(default_factory=_no_ints)
    start: Floats = field(default_factory=_no_times)  # (n_ops,) or empty
    end: Floats = field(default_factory=_no_times)
    asked: NDArray[np.int8] = field(default_factory=_nothing_asked)  # (n_ops,) or empty
    requires_offsets: Ints = field(default_factory=_no_ints)  # (n_ops + 1,) or empty
    requires: Ints = field(default_factory=_no_ints)  # rows of the same rank
    begun_offsets: Ints = field(default_factory=_no_ints)  # (n_ops + 1,) or empty
    begun: Ints = field(default_factory=_no_ints)  # rows of the same rank
    cpu: Narrow = field(default_factory=lambda: np.zeros(0, dtype=np.int32))  # (n_ops,) or empty
    files: tuple[str, ...] = ()  # (ranks,) or one for all: where lines are from
    doubts: tuple[str, ...] = ()  # sentences on what it does not tell, though a replay needs it
    counts_operations: bool = False
    cut: tuple[str, ...] = ()  # (ranks,) or empty
    connected: Ints = field(default_factory=_no_ints)  # (n_pairs,)
    library: str = ""  # as MPI_Get_library_version gives it; empty where the trace does not name it

    def __post_init__(self) -> None:
        if len(self.cut) not in (0, self.ranks):
            raise _wrong(f"cut has {len(self.cut)} entries", "give one for each rank")
        self._check_shapes()
        self._check_values()
        self._check_lists()
        for name in ("requires", "begun"):
            if getattr(self, f"{name}_offsets").size:
                self._check_requirements(name)

    def __len__(self) -> int:
        return int(self.kind.size)

    @property
    def rank(self) -> Ints:
        return np.repeat(np.arange(self.ranks), np.diff(self.first))

    @property
    def is_computation(self) -> NDArray[np.bool_]:
        is_compute = np.array([name == COMPUTE for name in self.calls], dtype=bool)
        return np.asarray((self.kind != OpKind.TIME) | is_compute[self.call])

    def require_seconds(self) -> None:
        """Refuse computation that is counted in operations."""
        if not self.counts_operations:
            return
        counted = np.flatnonzero(self.is_computation & (self.seconds > 0))
        if counted.size:
            raise FileFormatError(
                f"{self.place(int(counted[0]))}: computation before it is counted in operations",
                "give their number per second, e.g. --speed 2.5e9",
            )

    @property
    def has_asked(self) -> bool:
        return bool(self.asked.any())

    @property
    def is_cut(self) -> bool:
        return any(self.cut)

    def as_asked(self) -> tuple[Narrow, Narrow]:
        """Peer and tag of each operation as the program asked for them, (n_ops,)."""
        if not self.asked.size:
            return self.peer, self.tag
        peer, tag = (
            np.where(self.asked & flag, np.int32(ANY), column).astype(np.int32)
            for flag, column in ((ANY_SOURCE, self.peer), (ANY_TAG, self.tag))
        )
        return peer, tag

    def rank_of(self, op: int) -> int:
        return int(np.searchsorted(self.first, op, side="right")) - 1

    def list_of(self, op: int) -> Ints:
        """The list of an operation; empty where it has none."""
        index = int(self.list[op])
        if index < 0:
            return self.list_values[:0]
        return self.list_values[self.list_offsets[index] : self.list_offsets[index + 1]]

    def place(self, op: int) -> str:
        """Where an operation stands, for errors.

        Rank, call and, where it is known, file and line.
        """
        rank = self.rank_of(op)
        text = f"rank {rank}, {self.calls[self.call[op]]}"
        if (line := int(self.line[op])) == NONE:
            return f"{text}, operation {op - int(self.first[rank]) + 1} of the rank"
        name = self.files[rank if len(self.files) > 1 else 0] if self.files else ""
        return f"{text}, {name} line {line}" if name else f"{text}, line {line}"

    def _check_shapes(self) -> None:
        count = int(self.kind.size)
        is_cut = self.first.shape == (self.ranks + 1,) and not (np.diff(self.first) < 0).any()
        if self.ranks < 1 or not is_cut or self.first[0] != 0 or self.first[-1] != count:
            raise _wrong("first does not cut the operations into ranks", "give (ranks + 1,) rows")
        for name in (*DTYPES, "start", "end", "asked"):
            column = getattr(self, name)
            is_left_out = name in ("start", "end", "asked") and column.size == 0
            if column.shape != (count,) and not is_left_out:
                raise _wrong(f"the column {name} has {column.size} of {count} entries",
                             "give one for each operation")  # fmt: skip

    def _check_values(self) -> None:
        is_wild = (self.kind == OpKind.RECEIVE) | (self.kind == OpKind.PROBE)
        is_peerless = (self.kind == OpKind.TIME) | (self.kind == OpKind.WAIT)
        least = np.where(is_wild | is_peerless | (self.kind >= OpKind.BARRIER), ANY, 0)
        self._require((self.peer >= least) & (self.peer < self.ranks), "peer", "a rank")
        self._require(np.isin(self.kind, list(OpKind)), "kind", "one of traces/kinds.py")
        self._require((self.call >= 0) & (self.call < len(self.calls)), "call", "one of the calls")
        self._require(self.bytes >= 0, "bytes", "a number from 0")
        self._require((self.comm >= 0) & (self.comm < len(self.communicators)), "comm",
                      "one of the communicators")  # fmt: skip
        self._require(np.isfinite(self.seconds) & (self.seconds >= 0), "seconds", "finite, from 0")
        self._require(self.list < max(self.list_offsets.size - 1, 0), "list", "one of the lists")
        for members in self.communicators:
            if members.size == 0 or not 0 <= members.min() <= members.max() < self.ranks:
                raise _wrong("a communicator names a rank that is not there", "count from 0")
            if np.unique(members).size != members.size:
                raise _wrong("a communicator names a rank twice", "name each once")

    def _check_lists(self) -> None:
        offsets = self.list_offsets
        if offsets.size and (
            offsets[0] != 0 or offsets[-1] != self.list_values.size or (np.diff(offsets) < 0).any()
        ):
            raise _wrong("list_offsets do not cut list_values", "make them with CSR")
        listed = np.isin(self.kind, [*LISTED, OpKind.WAIT]) & (self.list >= 0)
        if self.list_values.size and (self.list_values < 0).any():
            raise _wrong("a list has a negative number", "give requests and bytes from 0")
        rows = np.flatnonzero(listed & (self.kind != OpKind.WAIT))
        sizes = np.array([members.size for members in self.communicators])
        if rows.size:
            given = np.diff(offsets)[self.list[rows]]
            ranks = sizes[self.comm[rows]]
            if (given != ranks).any():
                first = int(np.flatnonzero(given != ranks)[0])
                raise FileFormatError(
                    f"{self.place(int(rows[first]))}: the call lists {given[first]} counts "
                    f"where its communicator has {ranks[first]} ranks",
                    "give the bytes for each of its ranks",
                )

    def _check_requirements(self, name: str) -> None:
        offsets, rows, count = getattr(self, f"{name}_offsets"), getattr(self, name), len(self)
        if offsets.shape != (count + 1,) or offsets[0] != 0 or offsets[-1] != rows.size:
            raise _wrong(f"{name}_offsets do not cut {name}", "make them with CSR")
        if (np.diff(offsets) < 0).any():
            raise _wrong(f"{name}_offsets fall", "make them with CSR")
        if rows.size == 0:
            return
        if not 0 <= rows.min() <= rows.max() < count:
            raise _wrong("an operation requires one that is not there", "name rows of its rank")
        rank = self.rank
        if (rank[np.repeat(np.arange(count), np.diff(offsets))] != rank[rows]).any():
            raise _wrong("an operation requires one of another rank", "name rows of its rank")

    def _require(self, is_right: NDArray[np.bool_], name: str, rule: str) -> None:
        if is_right.all():
            return
        op = int(np.flatnonzero(~is_right)[0])
        place = self.place(op) if 0 <= self.call[op] < len(self.calls) else f"operation {op}"
        raise FileFormatError(
            f"{place}: {name} is {getattr(self, name)[op]}, which has to be {rule}",
            "correct the trace",
        )


def _wrong(message: str, remedy: str) -> FileFormatError:
    return FileFormatError(f"the trace is not sound: {message}", remedy)


COLUMNS = tuple(field.name for field in fields(Trace))
