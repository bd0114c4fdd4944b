"""Exchanges whose messages share links: closed forms, bounds, queues by brute force."""

import heapq

import numpy as np
import pytest

from contend.alltoall.plan.choice import bound
from contend.alltoall.plan.link_queues import Crossing, predict
from contend.models.prediction.two_clusters import two_cluster_time
from contend.schedules import algorithms
from contend.schedules.algorithm import in_groups
from contend.schedules.groups import given
from contend.schedules.pointtopoint import hockney
from contend.schedules.timing.evaluate import finish_times, seconds
from contend.schedules.timing.levels import Levels, crosses
from support.links import Truth

M = 4096
ENDLESS = Truth(bandwidth=1e15, buffer=np.inf)
DEEP = Truth(buffer=np.inf)
NAMES = ("lg_balanced", "leaders", "paced", "lg_pipelined", "throttled_pairwise", "rotated")


def halves(n1, n2):
    return (0,) * n1 + (1,) * n2


def built(name, groups, m=M, **options):
    algorithm = in_groups(algorithms("alltoall").get(name), given(groups))
    return algorithm.build(len(groups), m, **options)


@pytest.mark.parametrize("name", NAMES)
def test_a_link_without_end_is_the_time_by_levels(links, name):
    groups, known = (0, 1, 2, 0, 1, 1), links(ENDLESS, 3)
    schedule = built(name, groups)
    found = predict(schedule, groups, known)
    assert found.seconds == pytest.approx(
        seconds(schedule, Levels(groups, known.inside, known.between))
    )
    assert not found.is_lossy


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n1", "n2"), [(4, 4), (3, 7), (1, 6)])
def test_nothing_is_faster_than_the_bytes_that_cross(links, name, n1, n2):
    groups, known = halves(n1, n2), links(DEEP)
    for m in (64, 4096, 262144):
        found = predict(built(name, groups), groups, known, m)
        assert found.seconds >= bound(groups, known, m * M) * (1 - 1e-9)


@pytest.mark.parametrize(("n1", "n2"), [(4, 4), (8, 8), (12, 12)])
def test_lg_is_its_local_phase_and_then_all_that_crosses(links, n1, n2):
    """The packed messages begin together, so that the link is never idle from then on."""
    groups, known = halves(n1, n2), links(DEEP)
    schedule = built("lg", groups)
    local = finish_times(schedule, Levels(groups, known.inside, known.between))[
        schedule.is_send & (np.array(groups)[schedule.rank] == np.array(groups)[schedule.peer])
    ].max()
    whole = local + DEEP.near + DEEP.latency + n1 * n2 * M / DEEP.bandwidth
    assert predict(schedule, groups, known).seconds == pytest.approx(whole, rel=0.02)


@pytest.mark.parametrize(("n1", "n2"), [(4, 4), (8, 8), (4, 16)])
def test_equation_6_is_that_with_the_bytes_of_a_round(links, n1, n2):
    """Of a round it has n m bytes, where n1 n2 m cross in all: the ratio is known."""
    groups, known, m = halves(n1, n2), links(DEEP), 10**6
    schedule = built("lg", groups, m)
    inside = ~crosses(schedule, groups)
    ends = finish_times(schedule, Levels(groups, known.inside, known.between))
    local = float(ends[inside].max())
    line = hockney.given(DEEP.latency, 1 / DEEP.bandwidth)
    paper = two_cluster_time((local, local), n1, n2, m, line)
    share = n1 * n2 / (paper.rounds * (n1 + n2))
    found = predict(schedule, groups, known).seconds
    assert found == pytest.approx(local + share * paper.backbone, rel=0.07)


@pytest.mark.parametrize("seed", range(4))
def test_queues_are_those_of_one_message_at_a_time(links, seed):
    """All sends of the rotated exchange are known beforehand: the queue by a heap."""
    rng = np.random.default_rng(seed)
    groups = tuple([*rng.integers(0, 2, 7).tolist(), 0, 1])
    truth = Truth(bandwidth=float(rng.uniform(2e6, 2e7)), buffer=np.inf)
    known, schedule = links(truth), built("rotated", groups)
    ends = finish_times(schedule, Levels(groups, known.inside, known.between))
    gap, service = M / truth.rate, M / truth.bandwidth
    waits = 0.0
    for source in (0, 1):
        queue = [
            (ends[op] - gap, ends[op])
            for op in np.flatnonzero(schedule.is_send)
            if groups[schedule.rank[op]] == source != groups[schedule.peer[op]]
        ]
        heapq.heapify(queue)
        free = 0.0
        while queue:
            start, end = heapq.heappop(queue)
            free = max(free, start) + service
            waits = max(waits, free - end)
    assert predict(schedule, groups, known).waiting == pytest.approx(waits * truth.bandwidth)


def test_a_full_buffer_costs_one_timeout(links):
    groups, schedule = halves(8, 8), built("rotated", halves(8, 8))
    deep, shallow = links(DEEP), links(Truth(buffer=24576))
    kept, lost = (predict(schedule, groups, known) for known in (deep, shallow))
    assert (kept.is_lossy, lost.is_lossy) == (False, True)
    assert lost.seconds == pytest.approx(kept.seconds + Truth().timeout)
    # Of eight ranks one more begins to send over the link with each turn, which takes two messages.
    assert kept.waiting == pytest.approx((sum(range(7)) + sum(range(6))) * M, rel=0.06)


@pytest.mark.parametrize("groups", [2, 4])
def test_what_is_spaced_takes_the_rate_of_the_link_and_does_not_queue(links, groups):
    """To all groups at once, local messages in between; the first of all ranks come together."""
    placed, known = tuple(np.repeat(range(groups), 8).tolist()), links(Truth(buffer=24576), groups)
    schedule = built("spaced", placed, segment=1024)
    spaced, free = (predict(schedule, placed, known, is_spaced=it_is) for it_is in (True, False))
    assert spaced.waiting < min(8 * 1024, free.waiting / 2)
    on_the_way = 1.03 * (4 * (1024 + 50 + 100)) / (1 + 100 / 1448)
    carried = 8 * 8 * on_the_way / Truth().bandwidth + Truth().latency
    assert 0.97 * carried < spaced.seconds < 1.12 * carried


def test_a_synchronous_send_waits_for_its_answer(links):
    groups, known = halves(4, 4), links(ENDLESS)
    schedule = built("paced", groups, 8, window=1)
    plain, answered = (
        predict(schedule, groups, known, window=window).seconds for window in (None, 1)
    )
    turns = 4
    assert plain == pytest.approx(turns * ENDLESS.latency, rel=0.02)
    assert answered == pytest.approx(2 * turns * ENDLESS.latency, rel=0.02)


@pytest.mark.parametrize(("window", "round_trips"), [(1, 3), (2, 2)])
def test_packed_messages_in_a_window_wait_for_round_trips(links, window, round_trips):
    """Four groups of two: a rank sends three packed messages out of its group."""
    groups, known = tuple(np.repeat(range(4), 2).tolist()), links(ENDLESS, 4)
    schedule = built("lg_balanced", groups, 8)
    plain = predict(schedule, groups, known).seconds
    found = predict(schedule, groups, known, window=window).seconds
    assert plain == pytest.approx(ENDLESS.latency + ENDLESS.near, rel=0.02)
    assert found == pytest.approx(2 * round_trips * ENDLESS.latency + ENDLESS.near, rel=0.02)


def test_a_window_that_holds_all_messages_waits_for_none(links):
    groups, known = tuple(np.repeat(range(4), 2).tolist()), links(ENDLESS, 4)
    schedule = built("lg_balanced", groups, 8)
    plain = predict(schedule, groups, known).seconds
    assert predict(schedule, groups, known, window=3).seconds == plain


@pytest.mark.parametrize("window", [1, 2, 3, 4])
def test_only_ranks_with_more_than_the_window_wait_for_answers(links, window):
    """Of a rank that sends three messages out of its group, to three that send one each."""
    groups, known = halves(1, 3), links(ENDLESS)
    schedule = built("direct", groups, 8)
    crossing = Crossing.of(schedule, groups)
    is_answered = crossing.answered(schedule, window)
    lonely = schedule.rank[crossing.sends] == 0
    assert is_answered.tolist() == (lonely & (window < 3)).tolist()
    found = predict(schedule, groups, known, window=window).seconds
    ways = 2 * -(-3 // window) if window < 3 else 1
    assert found == pytest.approx(ways * ENDLESS.latency, rel=0.02)


def test_a_window_keeps_packed_messages_out_of_a_buffer(links):
    groups = tuple(np.repeat(range(4), 4).tolist())
    known, schedule = links(Truth(buffer=np.inf), 4), built("lg_balanced", groups)
    waiting = [predict(schedule, groups, known, window=one).waiting for one in (1, 2, None)]
    assert waiting[0] <= waiting[1] <= waiting[2]


def test_queues_of_a_long_chain_are_found_to_the_end(links):
    """Of many turns each of which waits for the one before, as in the ring exchange."""
    groups, known = halves(96, 96), links(DEEP)
    found = predict(built("ring", groups, 16384), groups, known)
    assert found.seconds == pytest.approx(bound(groups, known, 16384), rel=0.05)
