"""A schedule that was broken on purpose is caught."""

from dataclasses import replace

import numpy as np
import pytest
from catalogue import M, every_algorithm, variants

from contend.base.errors import InvalidInputError
from contend.schedules import Kind
from contend.schedules.delivery import check_delivery


def without(schedule, gone):
    """The schedule without some operations, and without what required them."""
    keep = [i for i in range(schedule.kind.size) if i not in gone]
    return rewired(schedule, keep)


def rewired(schedule, order):
    """The operations of `order`, in that order, sorted by rank."""
    order = sorted(order, key=lambda i: int(schedule.rank[i]))
    place = {old: new for new, old in reversed(list(enumerate(order)))}
    requires = [[place[r] for r in schedule.required_by(i) if r in place] for i in order]
    blocks = [schedule.blocks_of(i).tolist() for i in order]
    return replace(
        schedule,
        **{name: getattr(schedule, name)[order] for name in ("kind", "rank", "peer", "bytes")},
        requires_offsets=np.cumsum([0, *map(len, requires)]),
        requires=flat(requires),
        block_offsets=np.cumsum([0, *map(len, blocks)]),
        blocks=flat(blocks),
    )


def flat(rows):
    return np.array([one for row in rows for one in row], dtype=np.int64)


def pair(schedule, index):
    return {index, int(schedule.partner[index])}


def a_message_lost(schedule, send):
    return without(schedule, pair(schedule, send))


def a_message_sent_twice(schedule, send):
    everything = [*range(schedule.kind.size), *pair(schedule, send)]
    return rewired(schedule, everything)


def another_block(schedule, send):
    """The first block of a message taken for another one, at both ends."""
    assert schedule.blocks is not None
    assert schedule.block_offsets is not None
    blocks = schedule.blocks.copy()
    carried = set(schedule.blocks_of(send).tolist())
    other = next(b for b in range(schedule.block_bytes.size) if b not in carried)
    for index in pair(schedule, send):
        blocks[schedule.block_offsets[index]] = other
    return replace(schedule, blocks=blocks)


def a_dependency_reversed(schedule, send):
    """A send that requires something no longer does; what it required requires it."""
    requires = [schedule.required_by(i) for i in range(schedule.kind.size)]
    for required in requires[send]:
        requires[required] = [*requires[required], send]
    requires[send] = []
    return replace(
        schedule, requires_offsets=np.cumsum([0, *map(len, requires)]), requires=flat(requires)
    )


MUTATIONS = (a_message_lost, a_message_sent_twice, another_block, a_dependency_reversed)


def breakable(schedule, send, mutate):
    carried = schedule.blocks_of(send).size
    if mutate is another_block:
        return 0 < carried < schedule.block_bytes.size
    if mutate is a_dependency_reversed:
        own = set(schedule.blocks_of(send).tolist())
        return any(own & set(schedule.blocks_of(i).tolist()) for i in schedule.required_by(send))
    return carried > 0


def is_redundant(algorithm):
    """Whether ranks get blocks again, so that a message more or less may change nothing."""
    return algorithm.repeats or algorithm.defines.may_repeat


@every_algorithm
@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda one: one.__name__)
def test_a_broken_schedule_is_caught(algorithm, mutate):
    """Every message of the schedule in turn, as far as it can be broken that way."""
    options = next(iter(variants(algorithm)))
    amount = np.full((8, 8), M) if algorithm.collective == "alltoallv" else M
    schedule = algorithm.build(8, amount, **options)
    check_delivery(schedule, algorithm.defines, 0, algorithm.repeats)
    sends = np.flatnonzero(schedule.kind == Kind.SEND).tolist()
    sends = [send for send in sends if breakable(schedule, send, mutate)]
    caught = 0
    for send in sends:
        try:
            broken = mutate(schedule, send)
            check_delivery(broken, algorithm.defines, 0, algorithm.repeats)
        except InvalidInputError:
            caught += 1
            continue
        if not is_redundant(algorithm):
            pytest.fail(f"{mutate.__name__} of operation {send} is not caught")
    assert caught or not sends or mutate is a_message_sent_twice
