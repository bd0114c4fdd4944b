"""Messages in steps, from which the table of operations of a schedule is made.

Idea: an algorithm says who sends which blocks to whom and in which step; all of it as arrays, one
entry per message. A rank does what stands in lower steps first, and within a step it sends before
it receives. Steps order the messages of a rank, they do not synchronise ranks.
A message waits for what its source received in all steps up to `after`: by default in all earlier
steps; -1 lets it wait for nothing. As the sends of a rank follow each other, each of them lists
only what the one before has not waited for, or else the last that it has. A receive that combines
waits for the earlier sends of its rank, which need the value as it was.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.ragged_rows import Ints, ints, offsets_of, rows_of, runs
from contend.schedules.schedule import Kind, Schedule

MOST_MESSAGES = 1 << 22  # some seconds and about a gigabyte


def require_few(count: int) -> None:
    """Raise an error where a table of `count` messages, blocks or ranks would be too large."""
    if count > MOST_MESSAGES:
        raise InvalidInputError(
            f"a schedule of {count} messages or blocks, where {MOST_MESSAGES} are the most",
            "take fewer ranks or larger segments; closed forms have no such limit",
        )


@dataclass(frozen=True)
class Spans:
    """Message i carries `count[i]` blocks from `first[i]` on, counted modulo `of`."""

    first: Ints
    count: Ints
    of: int

    def bytes(self, block_bytes: Ints) -> Ints:
        total = np.concatenate([[0], np.cumsum(np.tile(block_bytes, 2))])
        first = self.first % self.of
        return ints(total[first + self.count] - total[first])

    def rows(self) -> tuple[Ints, Ints]:
        offsets, blocks = runs(self.first, self.count)
        return offsets, blocks % self.of


@dataclass(frozen=True)
class Chosen:
    """Message i carries `count[i]` blocks of equal size, which `list_blocks` names if asked."""

    count: Ints
    list_blocks: Callable[[], Ints]

    def bytes(self, block_bytes: Ints) -> Ints:
        return ints(self.count * block_bytes[0])

    def rows(self) -> tuple[Ints, Ints]:
        return offsets_of(self.count), self.list_blocks()


@dataclass(frozen=True)
class Listed:
    """Message i carries the blocks of row i."""

    offsets: Ints
    blocks: Ints

    def bytes(self, block_bytes: Ints) -> Ints:
        total = offsets_of(block_bytes[self.blocks])
        return ints(np.diff(total[self.offsets]))

    def rows(self) -> tuple[Ints, Ints]:
        return self.offsets, self.blocks


def one_block(block: Ints, of: int) -> Spans:
    block = ints(block)
    return Spans(block, np.ones_like(block), of)


@dataclass(frozen=True)
class Messages:
    """Messages (n_messages,) of `ranks` ranks."""

    ranks: int
    src: Ints
    dst: Ints
    step: Ints
    carries: Spans | Chosen | Listed
    block_bytes: Ints  # (n_blocks,)
    after: Ints | None = None  # None: all earlier steps
    combines: bool | np.ndarray = False  # whether the receiver combines

    def mirrored(self, combines: bool = False) -> "Messages":
        """The messages in reverse order and direction: a gather out of a scatter."""
        step = self.step.max(initial=0) - self.step
        return replace(self, src=self.dst, dst=self.src, step=step, combines=combines)

    def rooted(self, root: int) -> "Messages":
        """The messages with rank r renamed r + root."""
        return replace(self, src=(self.src + root) % self.ranks, dst=(self.dst + root) % self.ranks)

    def moved_blocks(self, by: int) -> "Messages":
        """The messages with block b renamed b + by, cyclically."""
        if not isinstance(self.carries, Spans):
            raise TypeError("only messages that carry spans can rename their blocks")
        first = (self.carries.first + by) % self.carries.of
        carries = replace(self.carries, first=first)
        return replace(self, carries=carries, block_bytes=np.roll(self.block_bytes, by))

    def segmented(self, block_bytes: Ints) -> "Messages":
        """The messages once per block, all of the first block before the second."""
        k, steps = block_bytes.size, int(self.step.max(initial=-1)) + 1
        require_few(k * self.src.size)
        block = np.repeat(np.arange(k), self.src.size)
        return replace(
            self,
            src=np.tile(self.src, k),
            dst=np.tile(self.dst, k),
            step=np.tile(self.step, k) + block * steps,
            carries=one_block(block, k),
            block_bytes=block_bytes,
        )

    def then(self, other: "Messages") -> "Messages":
        """These messages, then those of `other`, over the same blocks."""
        if not (isinstance(self.carries, Spans) and isinstance(other.carries, Spans)):
            raise TypeError("only messages that carry spans can follow each other")
        shift = int(self.step.max(initial=-1)) + 1
        pair = (self, other)
        return replace(
            self,
            src=np.concatenate([self.src, other.src]),
            dst=np.concatenate([self.dst, other.dst]),
            step=np.concatenate([self.step, other.step + shift]),
            carries=Spans(
                np.concatenate([self.carries.first, other.carries.first]),
                np.concatenate([self.carries.count, other.carries.count]),
                self.carries.of,
            ),
            after=np.concatenate([self._after(), other._after() + shift]),
            combines=np.concatenate([np.broadcast_to(p.combines, p.src.shape) for p in pair]),
        )

    def _after(self) -> Ints:
        return self.step - 1 if self.after is None else self.after

    @property
    def bytes(self) -> Ints:
        return self.carries.bytes(self.block_bytes)

    def differ_in_size_alone(self, other: "Messages") -> bool:
        """Whether the same ranks send to each other, in the same steps."""
        return self.ranks == other.ranks and all(
            np.array_equal(*pair)
            for pair in (
                (self.src, other.src),
                (self.dst, other.dst),
                (self.step, other.step),
                (self._after(), other._after()),
                (self.combines, other.combines),
            )
        )

    def schedule(self, with_blocks: bool = True) -> Schedule:
        """The table of operations; without blocks it is the aggregated view."""
        return self.table(with_blocks)[0]

    def table(self, with_blocks: bool = True) -> tuple[Schedule, Ints]:
        """The table of operations, and which message each of them sends or receives."""
        m = self.src.size
        message = np.tile(np.arange(m), 2)
        kind = np.repeat(ints([Kind.SEND, Kind.RECEIVE]), m)
        kind[m:] += np.broadcast_to(self.combines, (m,))
        rank = np.concatenate([self.src, self.dst])
        order = np.lexsort((message, kind != Kind.SEND, self.step[message], rank))
        place = np.empty_like(order)  # of operation i in the table
        place[order] = np.arange(2 * m)
        message = message[order]
        offsets, requires = self._requirements(place[:m], place[m:])
        rows = rows_of(*self.carries.rows(), message) if with_blocks else (None, None)
        schedule = Schedule(
            ranks=self.ranks,
            kind=kind[order].astype(np.int8),
            rank=rank[order],
            peer=np.concatenate([self.dst, self.src])[order],
            bytes=self.bytes[message],
            requires_offsets=offsets,
            requires=requires,
            block_bytes=self.block_bytes,
            block_offsets=rows[0],
            blocks=rows[1],
        )
        return schedule, message

    def _requirements(self, send_place: Ints, receive_place: Ints) -> tuple[Ints, Ints]:
        """Rows of what each operation requires, as places in the table."""
        sends, receives = np.argsort(send_place), np.argsort(receive_place)
        width = int(self.step.max(initial=0)) + 3
        sent = self.src[sends] * width + self.step[sends] + 1  # ascending
        received = self.dst[receives] * width + self.step[receives] + 1  # ascending
        row = np.zeros(2 * self.src.size, dtype=np.int64)  # length of each row, then its start
        first = np.zeros_like(row)
        # A send: the receives of its source that the sends before it have not waited for.
        base = np.searchsorted(received, self.src[sends] * width)
        bound = self.src[sends] * width + self._after()[sends] + 1
        until = np.maximum.accumulate(np.maximum(base, np.searchsorted(received, bound, "right")))
        before = np.concatenate([[0], until[:-1]]) if until.size else until
        start = np.maximum(base, before)
        start = np.where((start >= until) & (until > base), until - 1, start)
        row[send_place[sends]], first[send_place[sends]] = np.maximum(until - start, 0), start
        # A combining receive: the last send of its rank up to its step.
        combining = np.flatnonzero(np.broadcast_to(self.combines, self.src.shape))
        limit = self.dst[combining] * width + self.step[combining] + 1
        last = np.searchsorted(sent, limit, "right") - 1
        has_one = (last >= 0) & (sent[last] >= self.dst[combining] * width)
        row[receive_place[combining]] = has_one
        first[receive_place[combining]] = last + self.src.size
        offsets, at = runs(first, row)
        return offsets, np.concatenate([receive_place[receives], send_place[sends]])[at]
