"""Check of a schedule: every block reaches every rank that wants it, exactly once.

Idea: the schedule is run on pretended data, twice: once every rank sends as early as it may and
takes messages late, once the other way round. A schedule that leaves out something that it
requires is wrong in one of the two. A block is the set of contributions in it, one of each rank
where the operation reduces; a receive replaces what the rank holds, a reduce adds to it.
Cost: a Python loop over the operations, for tests and for the authors of algorithms.
"""

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.collective import Collective
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


class _Run:
    """Ranks, and which contributions are in each block that they hold, a bit per contributor."""

    def __init__(self, schedule: Schedule, collective: Collective, root: int) -> None:
        n, blocks = schedule.ranks, schedule.block_bytes.size
        self.collective = collective
        self.wanted = collective.wants(n, root, blocks)
        self.complete = 2**n - 1 if collective.reduces else 1
        self.held: list[dict[int, int]] = [{} for _ in range(n)]  # by block
        for rank, block in np.argwhere(collective.holds(n, root, blocks)).tolist():
            self.held[rank][block] = 1 << rank if collective.reduces else 1
        self.came: list[dict[int, int]] = [  # how often a block came, not counting what is combined
            {} if collective.reduces else dict(blocks) for blocks in self.held
        ]
        self.kind, self.rank, self.peer, self.partner = (
            part.tolist()
            for part in (schedule.kind, schedule.rank, schedule.peer, schedule.partner)
        )
        self.blocks = [schedule.blocks_of(index).tolist() for index in range(len(self.kind))]
        self.missing, self.successors = _waits(schedule)
        self.is_receive = schedule.is_receive.tolist()
        self.travelling: dict[int, list[int]] = {}  # contributions, by receive

    def to_the_end(self, receives_late: bool) -> None:
        """Run every operation, those of the preferred kind first."""
        missing = self.missing
        ready: tuple[list[int], list[int]] = ([], [])  # what receives nothing, and the receives
        for index, count in enumerate(missing):
            if not count:
                ready[self.is_receive[index]].append(index)
        first, second = ready if receives_late else ready[::-1]
        waiting_operations = len(missing)
        while first or second:
            index = first.pop() if first else second.pop()
            self._do(index)
            waiting_operations -= 1
            for waiting in self.successors[index]:
                missing[waiting] -= 1
                if not missing[waiting]:
                    ready[self.is_receive[waiting]].append(waiting)
        if waiting_operations:
            raise DeliveryError(
                f"{waiting_operations} operations wait for each other", "break the circle"
            )

    def _do(self, index: int) -> None:
        kind, rank, blocks = self.kind[index], self.rank[index], self.blocks[index]
        if kind == Kind.SEND:
            self._send(index, rank, blocks)
        elif kind != Kind.COPY:
            if self.blocks[self.partner[index]] != blocks:
                raise DeliveryError(
                    f"rank {rank} expects other blocks than {self.peer[index]} sends",
                    "name the same on both sides",
                )
            take = self._combine if kind == Kind.REDUCE else self._replace
            for block, data in zip(blocks, self.travelling.pop(index), strict=True):
                take(rank, block, data)

    def _send(self, index: int, rank: int, blocks: list[int]) -> None:
        held = self.held[rank]
        for block in blocks:
            if block not in held:
                raise DeliveryError(
                    f"rank {rank} sends block {block} to {self.peer[index]} before it has it",
                    "let the send require the receive",
                )
        self.travelling[self.partner[index]] = [held[block] for block in blocks]

    def _combine(self, rank: int, block: int, data: int) -> None:
        contributions = self.held[rank].get(block, 0)
        if contributions & data:
            raise DeliveryError(
                f"rank {rank} combines block {block} with contributions that are in it",
                "see that each contribution comes once",
            )
        self.held[rank][block] = contributions | data

    def _replace(self, rank: int, block: int, data: int) -> None:
        self.held[rank][block] = data
        self.came[rank][block] = self.came[rank].get(block, 0) + 1

    def check(self, may_repeat: bool) -> None:
        """Raise an error unless the ranks hold what they want, and nothing came twice."""
        for rank, block in np.argwhere(self.wanted).tolist():
            has = self.held[rank].get(block, 0)
            if has != self.complete:
                raise DeliveryError(
                    f"rank {rank} wants block {block} in full and has {has.bit_count()} of "
                    f"{self.complete.bit_count()} contributions",
                    "see that each message is sent, with what it should carry",
                )
        for rank, counts in enumerate(self.came):
            for block, count in counts.items():
                if count > 1 and not may_repeat:
                    raise DeliveryError(f"block {block} comes to rank {rank} again", "send it once")


def _waits(schedule: Schedule) -> tuple[list[int], list[list[int]]]:
    """How much each operation waits for, and who waits for it."""
    missing: list[int] = np.diff(schedule.requires_offsets).tolist()
    successors: list[list[int]] = [[] for _ in missing]
    waiting = np.repeat(np.arange(len(missing)), missing).tolist()
    for index, required in zip(waiting, schedule.requires.tolist(), strict=True):
        successors[required].append(index)
    last_send = dict[int, int]()
    rank_of, partner = schedule.rank.tolist(), schedule.partner.tolist()
    for index in np.flatnonzero(schedule.is_send).tolist():
        rank = rank_of[index]
        if rank in last_send:
            successors[last_send[rank]].append(index)
            missing[index] += 1
        last_send[rank] = index
        receive = partner[index]
        successors[index].append(receive)
        missing[receive] += 1
    return missing, successors
