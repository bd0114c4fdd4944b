"""Schedules whose messages share ports, against closed forms and against one message at a time."""

import numpy as np
import pytest

from contend.models.prediction.catalogue import shared_ports
from contend.schedules import COLLECTIVES, algorithms, choosable
from contend.schedules.groups import halves
from contend.schedules.timing import evaluate
from contend.simulate.flows.schedule_ends import message_ends, seconds
from support.networks import parameters

GAP, LATENCY = 3e-3, 7e-5


def uniform(latency=LATENCY):
    """A network on which every message has the gap GAP."""
    return parameters(latency, (0.0, 1e6), (GAP, GAP), (GAP, GAP), "kielmann")


def shared(collective, name, n, m=1000, **options):
    """Without a burst."""
    return seconds(algorithms(collective).get(name).build(n, m, **options), uniform(), burst=0.0)


def test_messages_to_several_ranks_arrive_together():
    schedule = algorithms("bcast").get("flat").build(5, 1000)
    assert message_ends(schedule, uniform(), 0.0) == pytest.approx([4 * GAP + LATENCY] * 4)


def test_the_bursts_of_messages_leave_in_order_and_the_rest_shares():
    schedule = algorithms("bcast").get("flat").build(4, 1000)
    one_by_one = [k * GAP + LATENCY for k in (1, 2, 3)]
    assert message_ends(schedule, uniform(), 1000.0) == pytest.approx(one_by_one)
    assert message_ends(schedule, uniform(), np.inf) == pytest.approx(one_by_one)
    first, _, last = message_ends(schedule, uniform(), 400.0)
    # a head is 0.4 GAP, shared with the tails of those before; the work of all stays 3 GAP
    assert last == pytest.approx(3 * GAP + LATENCY)
    assert GAP < first - LATENCY < 3 * GAP


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_down_a_binomial_tree_every_rank_waits_for_all_its_siblings(rounds):
    wanted = rounds * (rounds + 1) / 2 * GAP + rounds * LATENCY
    assert shared("bcast", "binomial", 2**rounds) == pytest.approx(wanted)


@pytest.mark.parametrize("burst", [0.0, 400.0, np.inf])
def test_bursts_to_a_busy_receiver_do_not_hold_back_those_to_others(burst):
    """In an all-to-all in order of rank all begin with rank 0, whose port takes its time.

    The last rank gets its first message after four others have left, and five in all.
    """
    schedule = algorithms("alltoall").get("direct").build(6, 1000)
    assert seconds(schedule, uniform(), burst=burst) < 9 * GAP + LATENCY * (1 + 1e-9)


def test_messages_of_a_pair_are_a_stream():
    wanted = 2 * (GAP + LATENCY) + 9 * GAP
    assert shared("bcast", "segmented_chain", 3, segment=100) == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["rotated", "ring", "direct"])
def test_an_exchange_of_equal_messages_takes_what_its_ports_need(name):
    steps = 6 if name == "ring" else 1  # latencies that are waited for
    assert shared("alltoall", name, 7) == pytest.approx(6 * GAP + steps * LATENCY)


EVERY = [
    one for name in COLLECTIVES if name != "alltoallv" for one in choosable(name, halves)
]  # sizes of alltoallv are a matrix


@pytest.mark.parametrize("burst", [0.0, 1000.0, np.inf])
@pytest.mark.parametrize("algorithm", EVERY, ids=lambda one: f"{one.collective}-{one.name}")
def test_no_port_carries_more_than_it_can(algorithm, burst):
    """Every schedule ends, and not before the busiest port and the longest chain allow."""
    n = 8
    schedule = algorithm.build(n, 4096, with_blocks=False)
    plogp = uniform(latency=0.0)
    found = seconds(schedule, plogp, burst=burst)
    sends = np.flatnonzero(schedule.is_send)
    busiest = max(np.bincount(ends[sends]).max() for ends in (schedule.rank, schedule.peer))
    assert found >= busiest * GAP * (1 - 1e-9)
    assert found <= sends.size * GAP * (1 + 1e-9)
    # one message at a time has the same work to do, in an order that can be better or worse
    assert 0.4 < found / evaluate.seconds(schedule, plogp) < 2.5


def test_no_message_takes_no_time():
    assert seconds(algorithms("bcast").get("flat").build(1, 8), uniform()) == 0.0


def test_an_interval_is_that_of_the_bounds_of_the_parameters():
    flat, net = algorithms("bcast").get("flat"), uniform()
    assert np.isnan(shared_ports(flat, net, 5, 1000)[0].low)
    update = {
        "gap": net.gap.model_copy(update={"low": (GAP / 2,) * 2, "high": (2 * GAP,) * 2}),
        "latency": net.latency.model_copy(update={"low": 0.0, "high": 2 * LATENCY}),
    }
    found, claim = shared_ports(flat, net.model_copy(update=update), 5, 1000)
    assert claim == "shared ports"
    ends = [float(one) for one in (found.low, found.seconds, found.high)]
    assert ends == pytest.approx([2 * GAP, 4 * GAP + LATENCY, 8 * GAP + 2 * LATENCY])
