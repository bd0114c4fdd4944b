"""Check of a schedule: every block reaches every rank that wants it, exactly once.

Idea: the schedule is run on pretended data, twice: once every rank sends as early as it may and
takes messages late, once the other way round. A schedule that leaves out something that it
requires is wrong in one of the two. A block counts the contributions in it, one of each rank where
the operation reduces; a receive replaces what the rank holds, a reduce adds to it.
Cost: a Python loop over the operations, for tests and for the authors of algorithms.
"""

from dataclasses import dataclass, field

import numpy as np

from contend.errors import InvalidInputError
from contend.schedules.collective import Collective
from contend.schedules.ragged import Ints
from contend.schedules.schedule import Kind, Schedule


class DeliveryError(InvalidInputError):
    """A schedule that does not do what its operation promises."""


def check_delivery(
    schedule: Schedule, collective: Collective, root: int = 0, may_repeat: bool = False
) -> None:
    """Raise an error unless the schedule does what the collective operation promises."""
    may_repeat = may_repeat or collective.may_repeat
    for receives_late in (True, False):
        run = _Run(schedule, collective, root)
        run.to_the_end(receives_late)
        run.check(may_repeat)


@dataclass
class _Run:
    schedule: Schedule
    collective: Collective
    root: int
    held: np.ndarray = field(init=False)  # (ranks, blocks, contributors), how often each is in it
    received: np.ndarray = field(init=False)  # (ranks, blocks), how often it came as a whole
    travelling: dict[int, tuple[Ints, np.ndarray]] = field(default_factory=dict)  # by receive

    def __post_init__(self) -> None:
        n, blocks = self.schedule.ranks, self.schedule.block_bytes.size
        start = self.collective.holds(n, self.root, blocks)
        if self.collective.reduces:
            self.held = (np.eye(n, dtype=np.int64)[:, None, :] * start[:, :, None]).copy()
        else:
            self.held = start[:, :, None].astype(np.int64)
        self.received = start.astype(np.int64) * (not self.collective.reduces)

    def to_the_end(self, receives_late: bool) -> None:
        """Run every operation, those of the preferred kind first."""
        schedule = self.schedule
        missing, successors = _waits(schedule)
        kinds = schedule.is_receive.tolist()
        ready: tuple[list[int], list[int]] = ([], [])
        for index, count in enumerate(missing):
            if not count:
                ready[kinds[index]].append(index)
        first, second = ready if receives_late else ready[::-1]
        left = len(missing)
        while first or second:
            index = first.pop() if first else second.pop()
            self._do(index)
            left -= 1
            for waiting in successors[index]:
                missing[waiting] -= 1
                if not missing[waiting]:
                    ready[kinds[waiting]].append(waiting)
        if left:
            raise DeliveryError(f"{left} operations wait for each other", "break the circle")

    def _do(self, index: int) -> None:
        schedule = self.schedule
        rank, kind = int(schedule.rank[index]), schedule.kind[index]
        blocks = schedule.blocks_of(index)
        if kind == Kind.SEND:
            data = self.held[rank, blocks]
            if not data.any(axis=1).all():
                absent = blocks[~data.any(axis=1)][0]
                raise DeliveryError(
                    f"rank {rank} sends block {absent} to {schedule.peer[index]} before it has it",
                    "let the send require the receive",
                )
            self.travelling[int(schedule.partner[index])] = blocks, data
        elif kind != Kind.COPY:
            sent, data = self.travelling.pop(index)
            if not np.array_equal(sent, blocks):
                raise DeliveryError(
                    f"rank {rank} expects other blocks than {schedule.peer[index]} sends",
                    "name the same on both sides",
                )
            if kind == Kind.REDUCE:
                self.held[rank, blocks] += data
            else:
                self.held[rank, blocks] = data
                self.received[rank, blocks] += 1

    def check(self, may_repeat: bool) -> None:
        """Raise an error unless the ranks hold what they want, and nothing came twice."""
        n, blocks = self.schedule.ranks, self.schedule.block_bytes.size
        wanted = self.collective.wants(n, self.root, blocks)
        wrong = wanted & (self.held != 1).any(axis=2)
        if wrong.any():
            rank, block = (int(part[0]) for part in np.nonzero(wrong))
            counts = self.held[rank, block].tolist()
            raise DeliveryError(
                f"rank {rank} wants block {block} with every contribution once, has {counts}",
                "see that each message is sent once, with what it should carry",
            )
        if not may_repeat and (self.received > 1).any():
            rank, block = (int(part[0]) for part in np.nonzero(self.received > 1))
            raise DeliveryError(f"block {block} comes to rank {rank} again", "send it once")


def _waits(schedule: Schedule) -> tuple[list[int], list[list[int]]]:
    """How much each operation waits for, and who waits for it."""
    missing = np.diff(schedule.requires_offsets).tolist()
    successors: list[list[int]] = [[] for _ in missing]
    for index in range(len(missing)):
        for required in schedule.required_by(index):
            successors[required].append(index)
    last_send = dict[int, int]()
    for index in np.flatnonzero(schedule.is_send).tolist():
        rank = int(schedule.rank[index])
        if rank in last_send:
            successors[last_send[rank]].append(index)
            missing[index] += 1
        last_send[rank] = index
        receive = int(schedule.partner[index])
        successors[index].append(receive)
        missing[receive] += 1
    return missing, successors
