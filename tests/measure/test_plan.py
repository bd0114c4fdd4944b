from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.measure.build import Program
from contend.measure.plan import Launch, plan, worst_intervals

PAIR = Program("pingpong", Path("p"), "pingpong", ("half_round_trip",), 2, 2)
TRAIN = Program("plogp", Path("p"), "plogp", ("round_trip", "send_overhead"), 2, 2)
EXCHANGE = Program("alltoall_rotated", Path("a"), "alltoall", ("rotated",), 2, None)
NONE_MORE = Program("two_proc", Path("a"), "alltoall", ("two_proc",), 2, 4)


def points(launches: list[Launch]) -> Counter:
    return Counter(point for launch in launches for point in launch.points())


@given(
    counts=st.sets(st.integers(2, 64), min_size=1),
    sizes=st.sets(st.integers(0, 2**20), min_size=1, max_size=20),
    launches=st.integers(1, 4),
    seed=st.integers(0, 100),
)
def test_every_point_is_planned_exactly_once_per_launch(counts, sizes, launches, seed):
    found = points(plan([PAIR, EXCHANGE], sorted(counts), sorted(sizes), launches, seed))
    expected = {
        ("alltoall", "rotated", n, m, number)
        for n in counts
        for m in sizes
        for number in range(launches)
    } | {("pingpong", "half_round_trip", 2, m, number) for m in sizes for number in range(launches)}
    assert found == Counter(expected)


def test_the_order_is_shuffled_and_repeats_with_the_seed():
    arguments = ([PAIR, EXCHANGE], [2, 3, 4, 5], list(range(1, 12)), 3)
    first, again, other = plan(*arguments, 1), plan(*arguments, 1), plan(*arguments, 2)
    assert first == again
    assert first != other
    assert any(list(launch.sizes) != sorted(launch.sizes) for launch in first)


def test_plogp_gets_the_empty_message_and_two_processes():
    (launch,) = plan([TRAIN], [4, 8], [64], 1, 1)
    assert launch.n == 2
    assert sorted(launch.sizes) == [0, 64]


def test_sizes_for_single_messages_are_added_for_these_alone():
    launches = plan([PAIR, TRAIN, EXCHANGE], [4], [64], 1, 1, message_sizes=(1, 64))
    found = {launch.program.experiment: sorted(launch.sizes) for launch in launches}
    assert found == {"pingpong": [1, 64], "plogp": [0, 1, 64], "alltoall": [64]}


def test_an_experiment_is_not_planned_beyond_its_processes():
    assert {launch.n for launch in plan([NONE_MORE], [2, 4, 8], [1], 1, 1)} == {2, 4}


def test_what_is_done_is_left_out_and_a_half_done_size_is_not():
    launch = Launch(TRAIN, 2, 0, (0, 64, 128))
    done = Launch(TRAIN, 2, 0, (64,)).points()
    half = {("plogp", "round_trip", 2, 128, 0)}
    assert launch.without(done | half).sizes == (0, 128)


@pytest.mark.parametrize(("counts", "sizes"), [([], [1]), ([1, 4], [1]), ([4], [])])
def test_a_plan_without_processes_or_sizes_is_refused(counts, sizes):
    with pytest.raises(InvalidInputError):
        plan([EXCHANGE], counts, sizes, 1, 1)


def test_the_interval_beside_a_kink_is_refined_first():
    sizes = [1, 10, 100, 1000, 10000, 100000]
    times = [1e-6, 1e-6, 1e-6, 1e-6, 9e-5, 9e-4]  # a protocol switch above 1000 bytes
    assert worst_intervals(sizes, times, 1)[0] in (316, 3162)


@given(
    st.lists(st.integers(0, 10**6), min_size=2, max_size=12, unique=True).map(sorted),
    st.integers(0, 6),
)
def test_new_sizes_lie_between_old_ones(sizes, count):
    found = worst_intervals(sizes, [1e-6 * (1 + size) for size in sizes], count)
    assert len(found) <= count
    assert not set(found) & set(sizes)
    assert all(sizes[0] < size < sizes[-1] for size in found)


def test_a_straight_line_still_gets_its_share_of_new_sizes():
    sizes = [0, 100, 10000, 1000000]
    assert len(worst_intervals(sizes, [1.0 + size for size in sizes], 3)) == 3
