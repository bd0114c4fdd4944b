"""What every rank does in a collective operation: a table of operations.

Source: the dependency table is that of GOAL: Hoefler, Siebert, Lumsdaine, "Group Operation
Assembly Language", ICPP 2009.
Idea: an operation is a send, a receive, a receive that combines what arrives with what the rank
holds (reduce), or a local copy. Operations stand by rank and, within a rank, in program order. A
rank starts its sends in the order of the table, and takes what it receives in the order of the
table; what else has to wait says so in `requires`. The k-th send from a to b belongs to the k-th
receive of b from a, as in MPI, so receives can be posted at the beginning.
Restrictions: an operation requires operations of its own rank only.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from contend import _core
from contend.base.errors import InvalidInputError
from contend.schedules.ragged_rows import Ints


class Kind(IntEnum):
    SEND = 0
    RECEIVE = 1
    REDUCE = 2  # receives, then combines with the block that the rank holds
    COPY = 3  # local; its peer is the rank itself


@dataclass(frozen=True, eq=False)
class Schedule:
    """Operations (n_ops,), by rank and program order; checked when made.

    `blocks` is None in the aggregated view, which says how many bytes move but not which.
    """

    ranks: int
    kind: NDArray[np.int8]
    rank: Ints
    peer: Ints
    bytes: Ints
    requires_offsets: Ints  # (n_ops + 1,)
    requires: Ints  # indices of operations
    block_bytes: Ints  # (n_blocks,)
    block_offsets: Ints | None = None  # (n_ops + 1,)
    blocks: Ints | None = None

    def __post_init__(self) -> None:
        self._check_operations()
        self._check_rows("requires", self.requires_offsets, self.requires, self.kind.size)
        if self.requires.size and (self.rank[self.requires] != self.rank[self._waiting]).any():
            _refuse("an operation requires one of another rank", "let it require a receive")
        if self.block_offsets is not None and self.blocks is not None:
            self._check_rows("blocks", self.block_offsets, self.blocks, self.block_bytes.size)
            total = np.concatenate([[0], np.cumsum(self.block_bytes[self.blocks])])
            carried = total[self.block_offsets[1:]] - total[self.block_offsets[:-1]]
            if (carried != self.bytes).any():
                index = int(np.flatnonzero(carried != self.bytes)[0])
                _refuse(f"operation {index} moves {self.bytes[index]} bytes, its blocks have "
                        f"{carried[index]}", "let its bytes be those of its blocks")  # fmt: skip
        _ = self.partner

    def _check_operations(self) -> None:
        columns = (self.rank, self.peer, self.bytes)
        if any(column.shape != self.kind.shape for column in columns):
            _refuse("the columns of the table differ in length", "give one entry per operation")
        for name, column in (("rank", self.rank), ("peer", self.peer)):
            if column.size and not 0 <= column.min() <= column.max() < self.ranks:
                _refuse(f"a {name} is not among the {self.ranks} ranks", "count ranks from 0")
        if (self.bytes < 0).any():
            _refuse("an operation moves a negative number of bytes", "give sizes from 0")
        if (np.diff(self.rank) < 0).any():
            _refuse("the operations are not sorted by rank", "sort them, stable, by rank")
        if ((self.rank == self.peer) != (self.kind == Kind.COPY)).any():
            _refuse("a rank sends to itself, or copies from another", "use a copy, or a message")

    def _check_rows(self, name: str, offsets: Ints, values: Ints, limit: int) -> None:
        is_sound = offsets.shape == (self.kind.size + 1,) and not (np.diff(offsets) < 0).any()
        if not (is_sound and offsets[0] == 0 and offsets[-1] == values.size):
            _refuse(f"the offsets of {name} do not cut its values into rows", "make them with CSR")
        if values.size and not 0 <= values.min() <= values.max() < limit:
            _refuse(f"{name} names an entry that is not there", f"use 0 to {limit - 1}")

    @property
    def _waiting(self) -> Ints:
        """The operation that has each entry of `requires`."""
        return np.repeat(np.arange(self.kind.size), np.diff(self.requires_offsets))

    @property
    def is_send(self) -> NDArray[np.bool_]:
        return np.asarray(self.kind == Kind.SEND)

    @property
    def is_receive(self) -> NDArray[np.bool_]:
        """Which operations receive a message, combined or not."""
        return np.asarray((self.kind == Kind.RECEIVE) | (self.kind == Kind.REDUCE))

    @cached_property
    def partner(self) -> Ints:
        """The receive of every send and the send of every receive, -1 for a copy; (n_ops,)."""
        sends, receives = np.flatnonzero(self.is_send), np.flatnonzero(self.is_receive)
        sends = sends[np.lexsort((self.peer[sends], self.rank[sends]))]
        receives = receives[np.lexsort((self.rank[receives], self.peer[receives]))]
        if sends.size != receives.size:
            _refuse(f"{sends.size} sends for {receives.size} receives", "give each its partner")
        if (self.rank[sends] != self.peer[receives]).any() or (
            self.peer[sends] != self.rank[receives]
        ).any():
            _refuse("a message is sent that is not received there", "give each send its receive")
        if (self.bytes[sends] != self.bytes[receives]).any():
            _refuse("a receive expects another size than is sent", "let both sizes be the same")
        partner = np.full(self.kind.size, -1, dtype=np.int64)
        partner[sends], partner[receives] = receives, sends
        return partner

    @cached_property
    def order(self) -> _core.ScheduleOrder:
        """The operations, each after what it waits for; an error if the schedule never ends."""
        return _core.ScheduleOrder(
            kind=np.ascontiguousarray(self.kind, dtype=np.int8),
            rank=np.ascontiguousarray(self.rank, dtype=np.int64),
            partner=self.partner,
            offsets=np.ascontiguousarray(self.requires_offsets, dtype=np.int64),
            required=np.ascontiguousarray(self.requires, dtype=np.int64),
        )

    def required_by(self, operation: int) -> list[int]:
        start, end = self.requires_offsets[operation : operation + 2]
        return [int(operation) for operation in self.requires[start:end]]

    def blocks_of(self, operation: int) -> Ints:
        if self.block_offsets is None or self.blocks is None:
            raise InvalidInputError("an aggregated schedule names no blocks", "build it with them")
        start, end = self.block_offsets[operation : operation + 2]
        return self.blocks[start:end]


def _refuse(message: str, remedy: str) -> None:
    raise InvalidInputError(message, remedy)
