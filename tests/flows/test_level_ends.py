"""Schedules whose messages between groups share links, against closed forms and shared ports."""

import numpy as np
import pytest

from contend.schedules import COLLECTIVES, algorithms, choosable
from contend.schedules.groups import halves, nodes_of
from contend.schedules.timing import evaluate
from contend.schedules.timing.levels import Levels
from contend.simulate.flows.schedule_ends import max_min, seconds
from support.networks import parameters

RATE, LATENCY, M = 1e6, 1e-4, 30_000  # of a rank's port, bytes per second


def network(rate=RATE, latency=LATENCY):
    """A network on which a message of m bytes keeps a port busy for m / rate."""
    sizes = (0.0, 1e7)
    gap = [size / rate for size in sizes]
    return parameters(latency, sizes, gap, gap, "kielmann")


NET = network()
EVERY = [
    one for name in COLLECTIVES if name != "alltoallv" for one in choosable(name, halves)
]  # sizes of alltoallv are a matrix


def took(schedule, groups, bandwidth, inside=NET, between=NET, burst=0.0):
    return seconds(schedule, Levels(groups, inside, between, bandwidth), burst=burst)


@pytest.mark.parametrize("algorithm", EVERY, ids=lambda one: f"{one.collective}-{one.name}")
def test_links_that_hold_everything_change_nothing(algorithm):
    n = next(n for n in (6, 8) if algorithm.restriction(n) is None)
    schedule = algorithm.build(n, 0 if algorithm.collective == "barrier" else M)
    for burst in (0.0, 14480.0):
        wanted = seconds(schedule, NET, burst=burst)
        assert took(schedule, nodes_of(2)(n), 100 * RATE, burst=burst) == pytest.approx(wanted)


@pytest.mark.parametrize("algorithm", EVERY, ids=lambda one: f"{one.collective}-{one.name}")
@pytest.mark.parametrize("bandwidth", [0.1 * RATE, RATE, 3 * RATE])
def test_no_schedule_is_faster_than_the_bytes_that_cross(algorithm, bandwidth):
    n = next(n for n in (6, 8) if algorithm.restriction(n) is None)
    groups = nodes_of(2)(n)
    schedule = algorithm.build(n, 0 if algorithm.collective == "barrier" else M)
    sends = np.flatnonzero(schedule.is_send)
    src, dst = (np.array(groups)[ends[sends]] for ends in (schedule.rank, schedule.peer))
    crossing = np.where(src != dst, schedule.bytes[sends], 0)
    most = max(crossing[side == one].sum() for side in (src, dst) for one in set(groups))
    found = took(schedule, groups, bandwidth)
    if len(set(schedule.bytes[sends].tolist())) == 1:
        assert found >= most / bandwidth * (1 - 1e-9)
    assert found >= seconds(schedule, NET, burst=0.0) * (1 - 1e-9)


@pytest.mark.parametrize("per_node", [1, 2, 4])
@pytest.mark.parametrize("name", ["rotated", "direct"])
def test_processes_of_a_node_share_its_card_in_a_total_exchange(per_node, name):
    """Each of P processes sends m to all n - P others over the card, of a port's rate."""
    n = 4 * per_node
    fast = network(rate=1e12)
    found = took(algorithms("alltoall").get(name).build(n, M), nodes_of(per_node)(n), RATE, fast)
    wanted = per_node * (n - per_node) * M / RATE + LATENCY
    assert found == pytest.approx(wanted, rel=1e-6)


def test_messages_within_a_group_have_parameters_of_their_own():
    pair = algorithms("bcast").get("flat").build(2, M)
    near, far = network(rate=10 * RATE, latency=1e-6), NET
    inside = took(pair, (0, 0), RATE, near, far)
    across = took(pair, (0, 1), RATE, near, far)
    assert inside == pytest.approx(M / (10 * RATE) + 1e-6)
    assert across == pytest.approx(M / RATE + LATENCY)


def test_groups_may_be_any_numbers_and_interleaved():
    schedule = algorithms("alltoall").get("rotated").build(6, M)
    one, other = (took(schedule, groups, RATE) for groups in ((0, 1) * 3, (7, 2) * 3))
    assert one == pytest.approx(other)
    assert one == pytest.approx(3 * 3 * M / RATE + LATENCY)


def test_one_rank_alone_sends_nothing():
    assert took(algorithms("bcast").get("flat").build(1, M), (0,), RATE) == 0.0


def test_what_shares_is_said_by_the_argument():
    flat = algorithms("bcast").get("flat").build(4, 10**6)
    twice = seconds(flat, NET, lambda flows: 2 * max_min(flows))
    assert twice == pytest.approx(2 * seconds(flat, NET, "ports"))
    assert seconds(flat, NET, "none") == evaluate.seconds(flat, NET)
