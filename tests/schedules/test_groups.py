"""Algorithms that look at groups of ranks: delivery, what crosses between groups, closed forms."""

import itertools
from math import gcd

import numpy as np
import pytest
from catalogue import VALUES, variants
from networks import random_plogp

from contend.base.errors import InvalidInputError
from contend.schedules import algorithms, in_groups
from contend.schedules.delivery import check_delivery
from contend.schedules.groups import Layout, given, groups_text, halves, parse_groups
from contend.schedules.timing.evaluate import seconds

GROUPED = [
    one
    for collective in ("alltoall", "alltoallv")
    for one in algorithms(collective).all()
    if one.needs_groups
]
every_grouped = pytest.mark.parametrize(
    "algorithm", GROUPED, ids=lambda one: f"{one.collective}-{one.name}"
)
M = 12


def in_order(*sizes):
    return tuple(np.repeat(np.arange(len(sizes)), sizes).tolist())


def interleaved(*sizes):
    """Groups take turns as long as they have ranks."""
    turns = [(place, group) for group, size in enumerate(sizes) for place in range(size)]
    return tuple(group for _, group in sorted(turns))


def shuffled(seed, *sizes):
    return tuple(np.random.default_rng(seed).permutation(in_order(*sizes)).tolist())


TWO = [(n1, n - n1) for n in range(2, 13) for n1 in range(1, n)]
THREE = [(a, b, n - a - b) for n in range(3, 10) for a in range(1, n - 1) for b in range(1, n - a)]
MORE = [(1, 1, 1, 1), (4, 4, 4, 4), (1, 2, 3, 4, 5), (7,)]


def placements():
    """All sizes, in order, interleaved and at random."""
    for sizes in (*TWO, *THREE, *MORE):
        yield from {in_order(*sizes), interleaved(*sizes), shuffled(len(sizes), *sizes)}


def some_placements():
    """Every seventh of them."""
    return itertools.islice(placements(), 0, None, 7)


def built(algorithm, groups, m=M, **options):
    """The schedule, of random sizes if they may differ; None where the groups are refused."""
    n, placed = len(groups), algorithm.grouped(given(groups))
    if placed.restriction(n) is not None:
        return None
    amount = np.random.default_rng(n).integers(0, 2 * m, (n, n))
    return placed.build(n, amount if algorithm.collective == "alltoallv" else m, **options)


def crossing(schedule, groups):
    """The sends that go from one group to another."""
    group = np.array(groups)
    sends = np.flatnonzero(schedule.is_send)
    return sends[group[schedule.rank[sends]] != group[schedule.peer[sends]]]


def across(schedule, groups, source, target):
    """Messages from one group to another."""
    group, sends = np.array(groups), crossing(schedule, groups)
    ends = (group[schedule.rank[sends]], group[schedule.peer[sends]])
    return int(((ends[0] == source) & (ends[1] == target)).sum())


@every_grouped
def test_every_block_is_delivered_once_whatever_the_groups(algorithm):
    served = 0
    for index, options in enumerate(variants(algorithm)):
        for groups in placements() if index == 0 else some_placements():
            if schedule := built(algorithm, groups, **options):
                check_delivery(schedule, algorithm.defines)
                served += 1
    assert served > 30


@every_grouped
def test_each_block_crosses_once_and_none_in_vain(algorithm):
    for options in variants(algorithm):
        for groups in some_placements():
            if schedule := built(algorithm, groups, **options):
                n, group = len(groups), np.array(groups)
                k = schedule.block_bytes.size // (n * n)
                sends = crossing(schedule, groups)
                crossed = [b for send in sends for b in schedule.blocks_of(int(send)).tolist()]
                block = np.arange(k * n * n)
                has_to = np.flatnonzero(group[block // (n * k)] != group[block % n])
                assert sorted(crossed) == has_to.tolist()


@every_grouped
def test_a_rank_sends_and_receives_at_most_one_message_per_step(algorithm):
    """What the closed forms rest on; what is spaced keeps no step with others."""
    for options in variants(algorithm):
        for groups in some_placements():
            n, placed = len(groups), algorithm.grouped(given(groups))
            if placed.restriction(n) is None:
                made = placed.messages(placed.call(n, placed.uniform(n, M), options))
                for end in (made.src,) if placed.is_spaced else (made.src, made.dst):
                    assert np.unique(made.step * n + end).size == end.size


@every_grouped
def test_closed_forms_are_what_they_claim_for_any_groups(algorithm):
    for seed, groups in enumerate(some_placements()):
        n, placed = len(groups), algorithm.grouped(given(groups))
        plogp = random_plogp(seed, is_growing=seed % 2 == 1)
        for options in variants(algorithm):
            schedule = built(algorithm, groups, m=17, **options)
            if schedule is None:
                continue
            amount: object = 17
            if algorithm.collective == "alltoallv":
                amount = np.random.default_rng(n).integers(0, 34, (n, n))
            true, closed = seconds(schedule, plogp), placed.seconds(plogp, n, amount, **options)
            where = f"{groups}, {options}: {float(closed)}, is {true}"
            if placed.claim(placed.call(n, amount, options)) == "exact":
                assert float(closed) == pytest.approx(true, rel=1e-9), where
            else:
                assert float(closed) >= true * (1 - 1e-9), where


@pytest.mark.parametrize("collective", ["alltoall", "alltoallv"])
@pytest.mark.parametrize(("n1", "n2"), TWO)
def test_lg_sends_twice_the_larger_group_over_the_slow_link(collective, n1, n2):
    for groups in (in_order(n1, n2), interleaved(n1, n2), shuffled(3, n1, n2)):
        schedule = built(algorithms(collective).get("lg"), groups)
        assert (schedule is None) == (max(n1, n2) % min(n1, n2) != 0)
        if schedule:
            assert crossing(schedule, groups).size == 2 * max(n1, n2)


@pytest.mark.parametrize("collective", ["alltoall", "alltoallv"])
@pytest.mark.parametrize("sizes", [*TWO, *THREE, *MORE])
def test_partial_groups_need_the_smaller_size_less_the_common_divisor(collective, sizes):
    groups = shuffled(4, *sizes)
    schedule = built(algorithms(collective).get("lg_balanced"), groups)
    assert schedule is not None
    for i, first in enumerate(sizes):
        for j, second in enumerate(sizes[:i]):
            small, large = sorted((first, second))
            back_and_forth = across(schedule, groups, i, j) + across(schedule, groups, j, i)
            assert back_and_forth == 2 * large + small - gcd(small, large)


@pytest.mark.parametrize("sizes", [*TWO, *THREE, *MORE])
def test_carriers_of_lg_balanced_carry_as_much_as_each_other(sizes):
    groups = in_order(*sizes)
    schedule = built(algorithms("alltoall").get("lg_balanced"), groups)
    assert schedule is not None
    group, sends = np.array(groups), crossing(schedule, groups)
    for source, own in enumerate(sizes):
        for target, other in enumerate(sizes):
            if source != target and own >= other:
                those = sends[
                    (group[schedule.rank[sends]] == source)
                    & (group[schedule.peer[sends]] == target)
                ]
                carried = np.bincount(schedule.rank[those], schedule.bytes[those])
                assert (carried[group[: carried.size] == source] == other * M).all()


@pytest.mark.parametrize(("n1", "n2"), [pair for pair in TWO if max(pair) % min(pair) == 0])
def test_lg_balanced_is_lg_where_no_group_is_partial(n1, n2):
    pair = [
        built(algorithms("alltoall").get(name), in_order(n1, n2)) for name in ("lg", "lg_balanced")
    ]
    for part in ("kind", "rank", "peer", "bytes", "requires", "blocks"):
        assert (getattr(pair[0], part) == getattr(pair[1], part)).all()


def test_lg_goes_the_way_of_the_paper():
    """Three ranks and six: the loops of algorithm 1, with i + s n1 for its misprint."""
    n1, n2 = 3, 6
    schedule = built(algorithms("alltoall").get("lg"), in_order(n1, n2))
    assert schedule is not None
    wanted: dict[tuple[int, int, bool], set[int]] = {}
    held: dict[int, set[tuple[int, int]]] = {i: set() for i in range(n1 + n2)}
    for i in range(n1 + n2):
        for j in range(n1 + n2):
            from_first = j if j < n1 else j % n1
            from_second = j if j >= n1 else i // n1 * n1 + j
            to = from_first if i < n1 else from_second
            held[to].add((i, j))
            if to != i:
                wanted.setdefault((i, to, False), set()).add(i * (n1 + n2) + j)
    for s in range(1, n2 // n1 + 1):
        for i in range(n1):
            for src, dst in ((i, i + s * n1), (i + s * n1, i)):
                bound = {a * (n1 + n2) + b for a, b in held[src] if b == dst and a != dst}
                wanted[src, dst, True] = bound
    found = {}
    for k in np.flatnonzero(schedule.is_send).tolist():
        src, dst = int(schedule.rank[k]), int(schedule.peer[k])
        found[src, dst, (src < n1) != (dst < n1)] = set(schedule.blocks_of(k).tolist())
    assert found == wanted


@pytest.mark.parametrize("sizes", [(4, 4), (3, 3, 3), (2, 7), (1, 5), (2, 3, 4)])
@pytest.mark.parametrize("leaders", VALUES["leaders"])
def test_each_leader_gets_a_message_from_each_other_group(sizes, leaders):
    groups = interleaved(*sizes)
    schedule = built(algorithms("alltoall").get("leaders"), groups, leaders=leaders)
    assert schedule is not None
    wanted = (len(sizes) - 1) * sum(min(leaders, size) for size in sizes)
    assert crossing(schedule, groups).size == wanted


@pytest.mark.parametrize("sizes", [(4, 4), (3, 3, 3), (2, 7), (1, 5), (2, 3, 4), (2,) * 5])
def test_node_aware_sends_one_message_from_each_node_to_each_other(sizes):
    groups = interleaved(*sizes)
    schedule = built(algorithms("alltoall").get("node_aware"), groups)
    assert schedule is not None
    for i in range(len(sizes)):
        for j in range(len(sizes)):
            assert across(schedule, groups, i, j) == (i != j)


@pytest.mark.parametrize("window", [1, 2, 3, 7])
@pytest.mark.parametrize("sizes", [(4, 4), (3, 3, 3), (2, 7), (1, 5), (2, 3, 4)])
def test_a_paced_rank_has_its_window_of_messages_under_way_at_most(sizes, window):
    """The k-th message between groups waits for all that came up to the turn of the (k-w)-th."""
    groups = in_order(*sizes)
    placed = algorithms("alltoall").get("paced").grouped(given(groups))
    made = placed.messages(placed.call(len(groups), M, {"window": window}))
    group = np.array(groups)
    assert made.after is not None
    crosses = group[made.src] != group[made.dst]
    assert (made.after[~crosses] == -1).all()
    for rank in range(len(groups)):
        own = np.flatnonzero(crosses & (made.src == rank))
        own = own[np.argsort(made.step[own])]
        assert (made.after[own[:window]] == -1).all()
        assert (
            made.after[own[window:]] == made.step[own[: -window or None]][: own.size - window]
        ).all()


@pytest.mark.parametrize("n", [2, 5, 8])
def test_throttled_pairwise_lies_between_ring_and_rotated(n):
    def table(name, **options):
        return algorithms("alltoall").get(name).build(n, M, **options)

    for name, window in (("ring", 1), ("rotated", n - 1)):
        one, other = table("throttled_pairwise", window=window), table(name)
        for part in ("kind", "rank", "peer", "requires", "requires_offsets"):
            assert (getattr(one, part) == getattr(other, part)).all()


@every_grouped
def test_without_groups_the_error_says_how_to_name_them(algorithm):
    with pytest.raises(InvalidInputError, match=r"needs groups of ranks.*--with groups=0-3/4-7"):
        algorithm.build(8, algorithm.uniform(8, M))
    with pytest.raises(InvalidInputError, match=r"groups of 4 ranks in all, got 8"):
        algorithm.grouped(given(halves(4))).build(8, algorithm.uniform(8, M))


def test_lg_names_the_remedy_for_groups_that_it_cannot_serve():
    lg = algorithms("alltoall").get("lg")
    with pytest.raises(InvalidInputError, match="got 10 ranks as 3 and 7; try 'lg_balanced'"):
        lg.grouped(given(in_order(3, 7))).build(10, M)
    with pytest.raises(InvalidInputError, match="needs two groups, got 6 ranks in 3; try 'lg_ba"):
        lg.grouped(given(in_order(2, 2, 2))).build(6, M)


def test_other_algorithms_do_not_look_at_groups():
    with pytest.raises(InvalidInputError, match="rotated does not look at groups; leave them out"):
        algorithms("alltoall").get("rotated").grouped(halves)
    assert in_groups(algorithms("alltoall").get("rotated"), halves).build(4, M).ranks == 4


@pytest.mark.parametrize("groups", [(0,), (0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 2, 2, 1), (2, 0, 1)])
def test_groups_are_read_as_they_are_written(groups):
    again = parse_groups(groups_text(groups))
    assert (Layout(again).group == Layout(groups).group).all()


@pytest.mark.parametrize("text", ["", "0-2/4-5", "0-2/2-3", "1-2/3", "0-1//2", "0/1/1"])
def test_groups_that_leave_out_or_repeat_a_rank_are_refused(text):
    with pytest.raises(InvalidInputError, match="every rank from 0 on in one group"):
        parse_groups(text)
