"""The table of operations: what it refuses, how it is made, how large it can be."""

from dataclasses import replace

import numpy as np
import pytest
from goal_schedules import from_goal
from networks import random_plogp

from contend.base.errors import InvalidInputError
from contend.schedules import COLLECTIVES, Kind, algorithms, choosable, in_groups
from contend.schedules.delivery import DeliveryError, check_delivery
from contend.schedules.groups import halves
from contend.schedules.timing.evaluate import finish_times, seconds


def chain(n=3, m=8):
    return algorithms("bcast").get("chain").build(n, m)


def changed(name, index, value):
    column = getattr(chain(), name).copy()
    column[index] = value
    return {name: column}


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        (changed("peer", 0, 3), "peer is not among the 3 ranks; count ranks from 0"),
        (changed("rank", 0, 2), "not sorted by rank"),
        (changed("peer", 0, 0), "sends to itself"),
        (changed("peer", 0, 2), "not received there"),
        (changed("bytes", 0, -1), "negative number of bytes"),
        (changed("bytes", 0, 9), "operation 0 moves 9 bytes, its blocks have 8"),
        (changed("bytes", 0, 9) | {"blocks": None, "block_offsets": None}, "another size"),
        (changed("kind", 0, Kind.RECEIVE), "1 sends for 3 receives"),
        (changed("requires", 0, 0), "requires one of another rank"),
        (changed("requires", 0, 7), "use 0 to 3"),
        (changed("requires_offsets", 4, 9), "offsets of requires"),
        (changed("blocks", 0, 1), "use 0 to 0"),
        ({"kind": np.zeros(3, dtype=np.int8)}, "differ in length"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(fields, complaint):
    with pytest.raises(InvalidInputError, match=complaint):
        replace(chain(), **fields)


def test_a_send_and_its_receive_are_partners_in_order():
    schedule = algorithms("bcast").get("segmented_chain").build(3, 100, segment=7)
    partner = schedule.partner
    assert (partner[partner] == np.arange(partner.size)).all()
    assert (schedule.blocks == schedule.blocks[partner]).all()  # type: ignore[index]
    assert (schedule.kind[partner[schedule.is_send]] == Kind.RECEIVE).all()


def test_a_rank_sends_one_message_at_a_time_and_receives_one_at_a_time():
    plogp = random_plogp(3)
    gap, latency = float(plogp.gap_at(8)), float(plogp.latency)
    lines = ["num_ranks 3", "rank 0 {", "l1: recv 8b from 1", "l2: recv 8b from 2", "}"]
    lines += [f"rank {r} {{\nl1: send 8b to 0\n}}" for r in (1, 2)]
    times = finish_times(from_goal("\n".join(lines)), plogp)
    assert times == pytest.approx([latency + gap, latency + 2 * gap, gap, gap])


def test_ranks_that_wait_for_each_other_are_named():
    text = "num_ranks 2\n" + "\n".join(
        f"rank {r} {{\nl1: recv 8b from {1 - r}\nl2: send 8b to {1 - r}\nl2 requires l1\n}}"
        for r in (0, 1)
    )
    with pytest.raises(InvalidInputError, match="never ends: operation 0 of rank 0"):
        seconds(from_goal(text), random_plogp(0))


def test_what_is_not_delivered_is_named():
    with pytest.raises(DeliveryError, match="rank 0 sends block 0 to 1 before it has it"):
        check_delivery(chain(), COLLECTIVES["bcast"], root=1)
    with pytest.raises(InvalidInputError, match="aggregated schedule names no blocks"):
        schedule = algorithms("bcast").get("chain").build(3, 8, with_blocks=False)
        check_delivery(schedule, COLLECTIVES["bcast"])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (("bcast", "chain", 0), "n is 0; give n >= 1"),
        (("bcast", "chain", 4, 8, 4), "rank 4 cannot be the root .*; choose from 0 to 3"),
        (("alltoall", "ring", 4, 8, 1), "leave the root out"),
        (("alltoall", "ring", 4, -8), "negative number of bytes"),
        (("alltoall", "pairwise", 12), "power-of-two number of ranks, got 12; try 'ring'"),
        (("alltoallv", "direct", 4, 8), r"shape \(\) for 4 ranks; give a matrix"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(call, complaint):
    collective, name, n, m, root = (*call, *(8, 0)[len(call) - 3 :])
    with pytest.raises(InvalidInputError, match=complaint):
        algorithms(collective).get(name).build(n, m, root)


def test_options_and_names_that_are_unknown_list_those_there_are():
    with pytest.raises(InvalidInputError, match="no option 'segment'; its options: none"):
        algorithms("bcast").get("chain").build(4, 8, segment=2)
    with pytest.raises(
        InvalidInputError,
        match=r"named 'bast'; did you mean 'bcast'\? choose from",
    ):
        algorithms("bast")
    with pytest.raises(InvalidInputError, match="radix 1"):
        algorithms("bcast").get("knomial").build(4, 8, degree=1)


def test_the_aggregated_bruck_of_many_ranks_takes_little_memory():
    schedule = algorithms("alltoall").get("bruck").build(2048, 10, with_blocks=False)
    assert int(schedule.bytes[schedule.is_send].sum()) == 2048 * 11 * 1024 * 10


def test_a_schedule_of_many_ranks_is_made_at_once():
    schedule = algorithms("bcast").get("binomial").build(2**18, 1000, with_blocks=False)
    assert schedule.kind.size == 2 * (2**18 - 1)


TOO_MANY = "where 4194304 are the most; (take fewer ranks or larger segments|try 'binomial')"


@pytest.mark.parametrize("collective", [name for name in COLLECTIVES if name != "alltoallv"])
def test_a_table_that_would_exhaust_memory_is_refused(collective):
    for algorithm in choosable(collective, halves):
        with pytest.raises(InvalidInputError, match=TOO_MANY):
            algorithm.build(1 << 23, 64, with_blocks=False)


@pytest.mark.parametrize(
    ("collective", "name"),
    [
        *(("alltoall", name) for name in algorithms("alltoall").names()),
        ("allgather", "neighbour_exchange"),
        ("allgather", "ring"),
        ("allreduce", "ring"),
        ("allreduce", "segmented_ring"),
        ("bcast", "scatter_ring_allgather"),
        ("reduce_scatter", "pairwise"),
        ("reduce_scatter", "ring"),
    ],
)
def test_messages_in_the_square_of_the_ranks_are_refused(collective, name):
    with pytest.raises(InvalidInputError, match=TOO_MANY):
        in_groups(algorithms(collective).get(name), halves).build(1 << 15, 64, with_blocks=False)


def test_a_chain_of_single_bytes_is_refused():
    with pytest.raises(InvalidInputError, match="7340032 messages or blocks"):
        algorithms("bcast").get("segmented_chain").build(8, 1 << 20, segment=1)
