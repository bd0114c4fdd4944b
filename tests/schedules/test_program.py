"""Compiled ranks run on pretended memory, where a send ends no sooner than its receive is posted.

What a real MPI library would forgive is an error here: a place read or written while a message to
or from it is under way, an input that is changed.
"""

from __future__ import annotations

import numpy as np
import pytest
from catalogue import every_algorithm, served, size, variants

from contend.schedules import COLLECTIVES, Kind, algorithms
from contend.schedules.program import Do, compile_ranks

M = 24


def ranges(slot, is_read):
    """Places that the message of a slot is read from or written to."""
    if slot.kind == Kind.REDUCE:
        return [(slot.scratch, slot.scratch + slot.bytes)]
    return [
        (start, start + length)
        for source, to, length in slot.extents
        for start in [source if is_read else to]
    ]


class Rank:
    """Memory of a rank and how far it is."""

    def __init__(self, program):
        self.program = program
        bytes_in_all = program.input_bytes + program.output_bytes + program.scratch_bytes
        self.memory = np.full(bytes_in_all, 255, dtype=np.uint8)
        self.next = 0
        self.open: dict[int, bool] = {}  # slots begun and not waited for; whether matched

    def require_unused(self, where, is_read):
        for other in self.open:
            slot = self.program.slots[other]
            if is_read and slot.kind == Kind.SEND:
                continue
            for start, end in ranges(slot, slot.kind == Kind.SEND):
                assert all(end <= low or high <= start for low, high in where)


class World:
    """All ranks; messages by source, destination and tag."""

    def __init__(self, programs):
        self.ranks = [Rank(program) for program in programs]
        self.waiting: dict[tuple[int, int, int, bool], tuple[int, int]] = {}

    def run(self):
        while any([self.advance(number) for number in range(len(self.ranks))]):
            pass
        for rank in self.ranks:
            assert rank.next == len(rank.program.instructions), "ranks wait for each other"

    def advance(self, number):
        """Whether the rank did anything."""
        rank, start = self.ranks[number], self.ranks[number].next
        while rank.next < len(rank.program.instructions):
            what, index = rank.program.instructions[rank.next]
            if not self.do(number, what, index):
                break
            rank.next += 1
        return rank.next > start

    def do(self, number, what, index):
        rank = self.ranks[number]
        if what == Do.BEGIN:
            self.begin(number, index)
        elif what == Do.WAIT:
            if not rank.open.get(index, True):
                return False
            rank.open.pop(index, None)
        elif what == Do.COMBINE:
            self.combine(rank, rank.program.slots[index])
        elif not all(rank.open.values()):
            return False
        return True

    def begin(self, number, index):
        rank = self.ranks[number]
        slot = rank.program.slots[index]
        is_send = slot.kind == Kind.SEND
        if slot.kind == Kind.COPY:
            for source, to, length in slot.extents:
                rank.require_unused([(source, source + length)], is_read=True)
                rank.require_unused([(to, to + length)], is_read=False)
                rank.memory[to : to + length] = rank.memory[source : source + length]
            return
        rank.require_unused(ranges(slot, is_send), is_send)
        rank.open[index] = False
        ends = (number, slot.peer) if is_send else (slot.peer, number)
        other = self.waiting.pop((*ends, slot.tag, not is_send), None)
        if other is None:
            self.waiting[(*ends, slot.tag, is_send)] = (number, index)
        else:
            self.match(*((number, index), other) if is_send else (other, (number, index)))

    def match(self, send, receive):
        (src, i), (dst, j) = send, receive
        source, target = self.ranks[src], self.ranks[dst]
        sent = [source.memory[a:b] for a, b in ranges(source.program.slots[i], True)]
        data, at = np.concatenate([np.empty(0, np.uint8), *sent]), 0
        for a, b in ranges(target.program.slots[j], False):
            target.memory[a:b] = data[at : at + b - a]
            at += b - a
        assert at == data.size
        source.open[i] = target.open[j] = True

    @staticmethod
    def combine(rank, slot):
        at = slot.scratch
        for source, to, length in slot.extents:
            rank.require_unused([(source, source + length), (at, at + length)], is_read=True)
            rank.require_unused([(to, to + length)], is_read=False)
            added = rank.memory[source : source + length] + rank.memory[at : at + length]
            rank.memory[to : to + length] = added
            at += length


def content(block, length, rank, reduces):
    return (np.arange(length) * 7 + block * 31 + reduces * rank * 11).astype(np.uint8)


def cases(algorithm):
    for n in served(algorithm, range(1, 10)):
        for root in {0, n // 2} if algorithm.defines.has_root else {0}:
            for options in variants(algorithm):
                yield n, root, options


@every_algorithm
def test_every_rank_gets_what_it_wants_and_may_run_again(algorithm):
    reduces = algorithm.defines.reduces
    for n, root, options in cases(algorithm):
        schedule = algorithm.build(n, size(algorithm, n, M), root, **options)
        world = World(compile_ranks(schedule, algorithm.defines, root))
        for number, rank in enumerate(world.ranks):
            for block, at, length in rank.program.held:
                rank.memory[at : at + length] = content(block, length, number, reduces)
        inputs = [rank.memory[: rank.program.input_bytes].copy() for rank in world.ranks]
        world.run()
        assert not world.waiting
        for rank, before in zip(world.ranks, inputs, strict=True):
            assert (rank.memory[: rank.program.input_bytes] == before).all()
            for block, at, length in rank.program.wanted:
                parts = [content(block, length, r, reduces) for r in range(n if reduces else 1)]
                expected = np.sum(parts, axis=0, dtype=np.uint8)
                assert (rank.memory[at : at + length] == expected).all()


@every_algorithm
def test_memory_is_that_of_the_blocks_of_a_rank(algorithm):
    n = served(algorithm, range(8, 0, -1))[0]
    schedule = algorithm.build(n, size(algorithm, n, 4096))
    for rank, program in enumerate(compile_ranks(schedule, algorithm.defines)):
        mine = np.flatnonzero(schedule.rank == rank)
        blocks = {b for i in mine for b in schedule.blocks_of(i).tolist()}
        blocks |= {block for block, _, _ in program.held + program.wanted}
        own = int(schedule.block_bytes[sorted(blocks)].sum())
        rounding = 3 * 64
        assert program.input_bytes + program.output_bytes <= 2 * own + rounding
        largest = int(schedule.bytes[mine].max(initial=0))
        assert program.scratch_bytes <= max(2 * own, largest)


def test_a_direct_exchange_is_posted_sent_copied_and_waited_for():
    schedule = algorithms("alltoall").get("rotated").build(4, 100)
    program = compile_ranks(schedule, COLLECTIVES["alltoall"])[1]
    assert [(slot.kind, slot.peer) for slot in program.slots] == [
        (Kind.RECEIVE, 0), (Kind.RECEIVE, 3), (Kind.RECEIVE, 2),
        (Kind.SEND, 2), (Kind.SEND, 3), (Kind.SEND, 0), (Kind.COPY, 0),
    ]  # fmt: skip
    begun = [(Do.BEGIN, index) for index in range(7)]
    assert program.instructions == [*begun, (Do.WAIT_ALL, 0)]


def test_a_ring_receives_before_it_is_asked_for():
    schedule = algorithms("allgather").get("ring").build(5, 100)
    program = compile_ranks(schedule, COLLECTIVES["allgather"])[0]
    assert all(slot.kind == Kind.RECEIVE for slot in program.slots[:4])


@pytest.mark.parametrize("n", [2, 3])
def test_messages_between_two_ranks_are_told_apart(n):
    schedule = algorithms("bcast").get("segmented_chain").build(n, 24, segment=5)
    program = compile_ranks(schedule, COLLECTIVES["bcast"])[0]
    assert [slot.tag for slot in program.slots] == [0, 1, 2, 3, 4]
