"""What one rank does, compiled from a schedule for `mpi/execute`: slots, and an order for them.

Source: as GOAL is compiled for execution: Hoefler, Siebert, Lumsdaine, ICPP 2009.
Idea: a rank's memory is its input (the blocks it holds, never written), its output (the blocks it
wants or passes on) and scratch for what it will combine. The operations are walked in program
order. Receives come first unless their place is still in use; a send stands where all that it
requires has been waited for; the rest is waited for at the end. The first combination takes one
operand from the input, so that a run leaves the input as it was and can be repeated.
Cost: a Python loop over the operations of the rank.
Restrictions: a message has less than 2 GiB; scratch is reused, at twice what the rank holds.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.collective import Collective
from contend.schedules.ragged_rows import Ints
from contend.schedules.schedule import Kind, Schedule

INT_MAX = 2**31 - 1  # what MPI counts with
TAGS = 32768  # MPI guarantees so many
_LINE = 64  # bytes; areas begin on cache lines
_IN_PLACE = ("bcast",)  # a buffer is input and output, as in MPI


class Do(IntEnum):
    BEGIN = 0  # post the receive, start the send, make the copy
    WAIT = 1
    COMBINE = 2
    WAIT_ALL = 3


Extent = tuple[int, int, int]  # from, to, bytes; a place counts from the beginning of the memory


@dataclass
class Slot:
    """An operation of the rank with its places; `scratch` is where a value to combine lands."""

    kind: Kind
    peer: int
    tag: int
    bytes: int
    scratch: int = 0
    extents: list[Extent] = field(default_factory=list)


@dataclass
class RankProgram:
    """What a rank does. `held` and `wanted` are blocks with place and bytes."""

    input_bytes: int
    output_bytes: int
    scratch_bytes: int
    slots: list[Slot]
    instructions: list[tuple[Do, int]]
    held: list[tuple[int, int, int]]
    wanted: list[tuple[int, int, int]]


def compile_ranks(schedule: Schedule, collective: Collective, root: int = 0) -> list[RankProgram]:
    n, blocks = schedule.ranks, schedule.block_bytes.size
    holds, wants = collective.holds(n, root, blocks), collective.wants(n, root, blocks)
    if schedule.bytes.max(initial=0) > INT_MAX:
        raise InvalidInputError("a message of 2 GiB or more", "give a smaller size or segments")
    tags = _tags(schedule).tolist()
    first = np.searchsorted(schedule.rank, np.arange(n + 1)).tolist()
    return [
        _Compiler(
            schedule,
            collective,
            range(first[rank], first[rank + 1]),
            np.flatnonzero(holds[rank]).tolist(),
            np.flatnonzero(wants[rank]).tolist(),
            tags,
        ).compile()
        for rank in range(n)
    ]


def _tags(schedule: Schedule) -> Ints:
    """The number of each message among those from its source to its destination."""
    tags = np.zeros(schedule.kind.size, dtype=np.int64)
    sends = np.flatnonzero(schedule.is_send)
    sends = sends[np.lexsort((schedule.peer[sends], schedule.rank[sends]))]
    pair = schedule.rank[sends] * schedule.ranks + schedule.peer[sends]
    tags[sends] = np.arange(sends.size) - np.searchsorted(pair, pair)
    tags[schedule.partner[sends]] = tags[sends]
    return tags % TAGS


class _Compiler:
    """One rank. Blocks are named by number, operations by their index in the schedule."""

    def __init__(
        self,
        schedule: Schedule,
        collective: Collective,
        operations: range,
        held: list[int],
        wanted: list[int],
        tags: list[int],
    ) -> None:
        self.schedule, self.operations = schedule, operations
        self.sizes: list[int] = schedule.block_bytes.tolist()
        self.kind = {i: Kind(schedule.kind[i]) for i in operations}
        self.blocks = {
            i: [b for b in schedule.blocks_of(i).tolist() if self.sizes[b]] for i in operations
        }
        self.tags = tags
        self.held, self.wanted = held, wanted
        self._lay_out(collective.name in _IN_PLACE)
        self.location = dict(self.input)  # of each block, as the instructions so far leave it
        self.slots: list[Slot] = []
        self.slot: dict[int, int] = {}  # of the operations begun
        self.instructions: list[tuple[Do, int]] = []
        self.finished: set[int] = set()
        self.under_way: set[int] = set()  # operations being begun, to find circles

    def _lay_out(self, is_in_place: bool) -> None:
        """Places of the blocks, and of what is to be combined."""
        held, wanted = set(self.held), set(self.wanted)
        came = {
            b
            for i in self.operations
            for b in self.blocks[i]
            if self.kind[i] != Kind.SEND or b not in held
        }
        self.input, self.input_bytes = self._places(self.held, 0)
        outside = [b for b in [*self.wanted, *sorted(came - wanted)] if b not in held]
        inside = [b for b in [*self.wanted, *sorted(came - wanted)] if b in held]
        fresh = sorted(outside + ([] if is_in_place else inside))
        self.output, end = self._places(fresh, self.input_bytes)
        if is_in_place:
            self.output.update((b, self.input[b]) for b in inside)
        self.output_bytes = end - self.input_bytes
        self.scratch_bytes = 0
        self._share_scratch()
        self._find_users(is_in_place)

    def _places(self, blocks: Iterable[int], start: int) -> tuple[dict[int, int], int]:
        """Where each block is, one after the other, and a round end."""
        places = {}
        for block in blocks:
            places[block] = start
            start += self.sizes[block]
        return places, -(-start // _LINE) * _LINE

    def _share_scratch(self) -> None:
        """Give each reduction its scratch, in turn, where a message lies in one piece."""
        self.scratch: dict[int, int] = {}
        self.before: dict[int, list[int]] = {}  # what has to be over when a receive is posted
        sizes = {
            i: int(self.schedule.bytes[i]) for i in self.operations if self.kind[i] == Kind.REDUCE
        }
        room = min(2 * sum(self.sizes[b] for b in self.held), sum(sizes.values()))
        room = max([room, *sizes.values()])
        base, at = self.input_bytes + self.output_bytes, 0
        living: deque[tuple[int, int, int]] = deque()  # operation, from, to; oldest first
        for i, size in sizes.items():
            self.before[i] = []
            if at + size > room:
                while living and living[0][1] >= at:
                    self.before[i].append(living.popleft()[0])
                at = 0
            while living and living[0][1] < at + size and at < living[0][2]:
                self.before[i].append(living.popleft()[0])
            self.scratch[i] = base + at
            living.append((i, at, at + size))
            at += size
        self.scratch_bytes = room

    def _find_users(self, is_in_place: bool) -> None:
        """Which earlier operations use the places that a receive or a combination writes to."""
        self.readers: dict[int, list[int]] = {}  # what has to be over when a value is combined
        users: dict[int, list[int]] = defaultdict(list)
        for i in self.operations:
            if self.kind[i] == Kind.SEND:
                for b in self.blocks[i]:
                    if b in self.output and (users[b] or b not in self.input or is_in_place):
                        users[b].append(i)
            elif self.kind[i] != Kind.COPY:
                earlier = sorted({j for b in self.blocks[i] for j in users[b]})
                (self.readers if i in self.scratch else self.before)[i] = earlier
                users.update((b, [i]) for b in self.blocks[i])

    def compile(self) -> RankProgram:
        for i in self.operations:
            if self._is_free(i):
                self._begin(i)
        for i in self.operations:
            if self.kind[i] != Kind.COPY:
                self._begin(i)
        self._copy_own()
        for i in self.operations:
            if self.kind[i] == Kind.REDUCE:
                self._finish(i)
        self.instructions.append((Do.WAIT_ALL, 0))
        return RankProgram(
            self.input_bytes, self.output_bytes, self.scratch_bytes, self.slots, self.instructions,
            held=[(b, self.input[b], self.sizes[b]) for b in self.held],
            wanted=[(b, self.output[b], self.sizes[b]) for b in self.wanted],
        )  # fmt: skip

    def _is_free(self, i: int) -> bool:
        """Whether it is a receive that can be posted at once."""
        if self.kind[i] == Kind.REDUCE:
            return not self.before[i]
        return self.kind[i] == Kind.RECEIVE and not (self.before[i] or self.schedule.required_by(i))

    def _begin(self, i: int) -> None:
        """Begin an operation, after what has to be over before."""
        if i in self.slot:
            return
        if i in self.under_way:
            raise InvalidInputError(f"operation {i} waits for itself", "break the circle")
        self.under_way.add(i)
        required = [] if self.kind[i] == Kind.REDUCE else self.schedule.required_by(i)
        for j in [*self.before.get(i, []), *required]:
            self._finish(j)
        self.slot[i] = len(self.slots)
        self.slots.append(self._slot(i))
        self.instructions.append((Do.BEGIN, self.slot[i]))

    def _slot(self, i: int) -> Slot:
        peer, size = int(self.schedule.peer[i]), int(self.schedule.bytes[i])
        slot = Slot(self.kind[i], peer, self.tags[i], size, self.scratch.get(i, 0))
        if self.kind[i] != Kind.REDUCE:
            slot.extents = self._extents(self.blocks[i])
        return slot

    def _extents(self, blocks: Iterable[int]) -> list[Extent]:
        """Where the blocks are and where their new values go, neighbours joined."""
        extents: list[Extent] = []
        for block in blocks:
            to = self.output.get(block, self.input.get(block, 0))
            here, size = self.location.get(block, to), self.sizes[block]
            if extents:
                before, then, length = extents[-1]
                if (before + length, then + length) == (here, to):
                    extents[-1] = (before, then, length + size)
                    continue
            extents.append((here, to, size))
        return extents

    def _finish(self, i: int) -> None:
        """Wait for an operation and, if it combines, do that."""
        if i in self.finished or self.kind[i] == Kind.COPY:
            return
        self._begin(i)
        if self.kind[i] == Kind.REDUCE:
            for j in self.schedule.required_by(i):
                self._begin(j)
            for j in self.readers[i]:
                self._finish(j)
        self.finished.add(i)
        self.instructions.append((Do.WAIT, self.slot[i]))
        if self.kind[i] == Kind.REDUCE:
            self.slots[self.slot[i]].extents = self._extents(self.blocks[i])
            self.instructions.append((Do.COMBINE, self.slot[i]))
        if self.kind[i] != Kind.SEND:
            self.location.update((b, self.output[b]) for b in self.blocks[i])

    def _copy_own(self) -> None:
        """Copy what the rank has and wants, and nobody sends it."""
        came = {b for i in self.operations if self.kind[i] != Kind.SEND for b in self.blocks[i]}
        blocks = [
            b
            for b in self.wanted
            if b in self.input and b not in came and self.output[b] != self.input[b]
        ]
        if extents := self._extents(blocks):
            copy = Slot(Kind.COPY, 0, 0, sum(size for _, _, size in extents), extents=extents)
            self.instructions.append((Do.BEGIN, len(self.slots)))
            self.slots.append(copy)
