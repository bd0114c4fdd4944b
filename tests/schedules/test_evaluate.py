"""The core's evaluation of schedules against one that goes level by level in numpy."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from by_levels import finish_times as by_levels
from catalogue import every_algorithm, served, size, variants
from networks import random_plogp

from contend.base.errors import InvalidInputError
from contend.schedules import Kind, Schedule, algorithms
from contend.schedules.timing.evaluate import finish_times, seconds, seconds_over
from contend.schedules.timing.evaluation import evaluated, is_to_be_evaluated

COUNTS = (1, 2, 3, 5, 8, 13, 32, 33)


def assert_as_by_levels(schedule, seed):
    """The latency grows with the size for odd seeds."""
    plogp = random_plogp(seed, is_growing=seed % 2 == 1)
    wanted = by_levels(schedule, plogp)
    assert finish_times(schedule, plogp) == pytest.approx(wanted, rel=1e-12, abs=0)
    assert seconds(schedule, plogp) == pytest.approx(wanted.max(initial=0), rel=1e-12, abs=0)


@every_algorithm
def test_operations_are_done_when_they_are_level_by_level(algorithm):
    for n, options in itertools.product(served(algorithm, COUNTS), variants(algorithm)):
        for m in (0, 77):
            schedule = algorithm.build(n, size(algorithm, n, m), with_blocks=False, **options)
            assert_as_by_levels(schedule, seed=n + m)


@every_algorithm
def test_other_sizes_take_the_time_of_a_schedule_that_has_them(algorithm):
    schedule = algorithm.build(8, size(algorithm, 8), with_blocks=False)
    rng = np.random.default_rng(8)
    sizes = rng.integers(0, 2000, (5, schedule.kind.size))
    sends = schedule.is_send
    sizes[:, schedule.partner[sends]] = sizes[:, sends]
    plogp = random_plogp(8, is_growing=True)
    wanted = [by_levels(replace(schedule, bytes=row), plogp).max() for row in sizes]
    assert seconds_over(schedule, sizes, plogp) == pytest.approx(wanted, rel=1e-12, abs=0)


def test_more_sizes_than_are_held_at_a_time_take_the_time_of_each():
    schedule = algorithms("alltoall").get("ring").build(96, 1)
    plogp, m = random_plogp(1), np.arange(40)
    assert m.size * schedule.kind.size > 1 << 19
    times = seconds_over(schedule, np.outer(m, schedule.bytes), plogp)
    assert times == pytest.approx(algorithms("alltoall").get("ring").seconds(plogp, 96, m))


@every_algorithm
def test_calls_of_many_sizes_take_the_time_of_each_schedule(algorithm):
    """Sizes between which the number of segments changes, and stays."""
    plogps = [random_plogp(seed, is_growing=True) for seed in (1, 2)]
    for n in served(algorithm, (1, 7, 8)):
        amounts = [size(algorithm, n, m, seed=m) for m in (0, 3, 3, 24, 23, 30, 64, 61)]
        for options in variants(algorithm):
            calls = [algorithm.call(n, amount, options) for amount in amounts]
            schedules = [algorithm.build(n, amount, **options) for amount in amounts]
            wanted = [[by_levels(one, net).max(initial=0) for one in schedules] for net in plogps]
            assert evaluated(algorithm, plogps, calls) == pytest.approx(np.array(wanted), rel=1e-12)


def test_messages_that_differ_in_size_alone_are_told_from_others():
    chain = algorithms("bcast").get("segmented_chain")
    two, also_two, three = (chain.messages(chain.call(8, m, {"segment": 8})) for m in (9, 16, 17))
    assert two.differ_in_size_alone(also_two)
    assert not two.differ_in_size_alone(three)
    assert not two.differ_in_size_alone(replace(two, dst=two.dst[::-1]))
    assert not two.differ_in_size_alone(replace(two, after=two.step))
    assert not two.differ_in_size_alone(replace(two, combines=True))


def test_exact_closed_forms_and_large_schedules_are_not_evaluated():
    tree = algorithms("bcast").get("degree_tree")
    asked = [(8, 64, 8), (8, 60, 8), (8, 1 << 24, 7), (1000, 60, 8)]
    calls = [tree.call(n, m, {"segment": segment}) for n, m, segment in asked]
    assert [is_to_be_evaluated(tree, call) for call in calls] == [False, True, False, False]


def random_schedule(rng):
    """A few messages and copies in any order; now and then an operation requires a later one."""
    ranks, messages = int(rng.integers(2, 6)), int(rng.integers(1, 16))
    src = rng.integers(0, ranks, messages)
    dst = (src + rng.integers(1, ranks, messages)) % ranks
    alone = rng.integers(0, ranks, rng.integers(0, 4))
    rank = np.concatenate([src, dst, alone])
    kind = np.concatenate([0 * src, rng.integers(1, 3, messages), 0 * alone + Kind.COPY])
    peer = np.concatenate([dst, src, alone])
    order = np.lexsort((rng.permutation(rank.size), rank))
    rank, kind, peer = rank[order], kind[order].astype(np.int8), peer[order]
    reach = np.where(rng.random(rank.size) < 0.02, rank.size, np.arange(rank.size))
    needs = (rng.random((rank.size, rank.size)) < 0.2) & (rank[:, None] == rank)
    needs &= np.arange(rank.size) < reach[:, None]
    np.fill_diagonal(needs, val=False)
    schedule = Schedule(
        ranks=ranks, kind=kind, rank=rank, peer=peer, bytes=np.zeros_like(rank),
        requires_offsets=np.concatenate([[0], np.cumsum(needs.sum(axis=1))]),
        requires=np.nonzero(needs)[1], block_bytes=np.zeros(0, dtype=np.int64),
    )  # fmt: skip
    size = rng.integers(0, 2000, rank.size)
    size[schedule.partner[schedule.is_send]] = size[schedule.is_send]
    return replace(schedule, bytes=size)


def test_any_schedule_is_done_when_it_is_level_by_level_or_never():
    rng = np.random.default_rng(1962)
    ended = 0
    for seed in range(300):
        schedule = random_schedule(rng)
        try:
            by_levels(schedule, random_plogp(seed))
        except InvalidInputError:
            with pytest.raises(InvalidInputError, match="waits for itself by way of others"):
                seconds(schedule, random_plogp(seed))
        else:
            assert_as_by_levels(schedule, seed)
            ended += 1
    assert 50 < ended < 250


def test_an_operation_is_named_that_is_itself_part_of_the_circle():
    """Rank 0 waits for rank 1, whose two copies wait for each other."""
    schedule = Schedule(
        ranks=2,
        kind=np.array([Kind.RECEIVE, Kind.COPY, Kind.COPY, Kind.SEND], dtype=np.int8),
        rank=np.array([0, 1, 1, 1]),
        peer=np.array([1, 1, 1, 0]),
        bytes=np.array([8, 0, 0, 8]),
        requires_offsets=np.array([0, 0, 1, 2, 3]),
        requires=np.array([2, 1, 2]),
        block_bytes=np.array([8]),
    )
    with pytest.raises(InvalidInputError, match=r"operation 1 of rank 1 .*; break the circle"):
        seconds(schedule, random_plogp(0))


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 4, 1)])
def test_sizes_of_another_shape_are_refused(shape):
    schedule = algorithms("bcast").get("chain").build(3, 8)
    with pytest.raises(InvalidInputError, match=r"for 4 operations; give a row per case"):
        seconds_over(schedule, np.zeros(shape, dtype=np.int64), random_plogp(0))
