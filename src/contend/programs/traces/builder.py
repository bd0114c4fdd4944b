"""Traces built operation by operation, as readers of text find them."""

from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np

from contend.base.errors import FileFormatError
from contend.programs.traces.kinds import ANY, COMPUTE, NONE, SUMMED, OpKind
from contend.programs.traces.trace import DTYPES, Trace

_CODES = {np.int8: "b", np.int16: "h", np.int32: "i", np.int64: "q", np.float64: "d"}


class RankBuilder:
    """The operations of one rank, appended in program order."""

    def __init__(self, rank: int, owner: "TraceBuilder") -> None:
        self.rank = rank
        self._owner = owner
        self._pending = 0.0  # seconds of computation that the next operation comes after
        self.columns: dict[str, array[Any]] = {
            name: array(_CODES[dtype]) for name, dtype in DTYPES.items()
        }
        self._free: list[int] = []
        self._requests = 0
        self._appends = [column.append for column in self.columns.values()]

    def compute(self, seconds: float) -> None:
        self._pending += seconds

    def spend(self, call: str, seconds: float = 0.0, line: int = NONE, bytes: int = 0) -> None:
        """Append a call that is no message: the time that it takes, the bytes that it moves."""
        self.finish()
        self._pending = seconds
        self.add(OpKind.TIME, call, line=line, bytes=bytes)

    def __len__(self) -> int:
        return len(self.columns["kind"])

    def add(
        self,
        kind: OpKind,
        call: str,
        *,
        peer: int = ANY,
        tag: int = 0,
        bytes: int = 0,
        comm: int = 0,
        request: int = NONE,
        list: list[int] | None = None,
        line: int = NONE,
    ) -> None:
        """Append an operation; the fields are those of `Trace`."""
        if list is not None and kind in SUMMED:
            bytes = sum(list)
        row = (
            int(kind), self._owner.call(call), peer, tag, bytes, comm, request,
            NONE if list is None else self._owner.new_list(list), self._pending, line,
        )  # fmt: skip
        self._pending = 0.0
        for append, value in zip(self._appends, row, strict=True):
            try:
                append(value)
            except OverflowError:
                raise self._too_large([*DTYPES][row.index(value)], value, f", {call}") from None

    def amend(self, row: int, **columns: int) -> None:
        """Change columns of the operation `row` of the rank, as a wait tells of its receive."""
        for name, value in columns.items():
            try:
                self.columns[name][row] = value
            except OverflowError:
                raise self._too_large(name, value) from None

    def _too_large(self, name: str, value: float, call: str = "") -> FileFormatError:
        problem = f"rank {self.rank}{call}: {name} {value} is too large"
        return FileFormatError(problem, "correct the trace")

    def request(self) -> int:
        if self._free:
            return self._free.pop()
        self._requests += 1
        return self._requests - 1

    def release(self, requests: Iterable[int]) -> None:
        self._free += requests

    def leave_out(self, row: int) -> None:
        """Make a message that never ended, or was cancelled, none."""
        self.amend(row, kind=OpKind.TIME, request=NONE)

    def finish(self) -> None:
        """Computation after the last call becomes an operation of its own."""
        if self._pending:
            self.add(OpKind.TIME, COMPUTE)


class TraceBuilder:
    """A trace in the making; `rank(r)` is where the operations of a rank go.

    >>> builder = TraceBuilder(ranks=2)
    >>> builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=8)
    >>> builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=8)
    >>> len(builder.trace())
    2
    """

    def __init__(self, ranks: int, files: tuple[str, ...] = ()) -> None:
        self.files = files
        self.cut: tuple[str, ...] = ()
        self.doubts: list[str] = []
        self.counts_operations = False
        self.library = ""
        self._calls: dict[str, int] = {}
        self._communicators = [np.arange(ranks, dtype=np.int64)]
        self._list_offsets = array("q", [0])
        self._list_values = array("q")
        self._ranks = [RankBuilder(rank, self) for rank in range(ranks)]

    def rank(self, rank: int) -> RankBuilder:
        return self._ranks[rank]

    def call(self, name: str) -> int:
        return self._calls.setdefault(name, len(self._calls))

    def new_list(self, values: list[int]) -> int:
        self._list_values.extend(values)
        self._list_offsets.append(len(self._list_values))
        return len(self._list_offsets) - 2

    def communicator(self, members: list[int]) -> int:
        self._communicators.append(np.array(members, dtype=np.int64))
        return len(self._communicators) - 1

    def trace(self) -> Trace:
        for rank in self._ranks:
            rank.finish()
        columns: dict[str, Any] = {
            name: np.concatenate(
                [np.frombuffer(rank.columns[name], dtype=dtype) for rank in self._ranks]
            )
            for name, dtype in DTYPES.items()
        }
        sizes = [len(rank.columns["kind"]) for rank in self._ranks]
        return Trace(
            ranks=len(self._ranks), first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            calls=tuple(self._calls) or ("none",), communicators=tuple(self._communicators),
            list_offsets=np.frombuffer(self._list_offsets, dtype=np.int64),
            list_values=np.frombuffer(self._list_values, dtype=np.int64), files=self.files,
            cut=self.cut, doubts=tuple(self.doubts), counts_operations=self.counts_operations,
            library=self.library, **columns,
        )  # fmt: skip
