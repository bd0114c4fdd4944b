"""The exchanges of benchmarks/exchange_at_scale: closed forms of small networks, rules, bounds."""

from dataclasses import replace

import pytest
from benchmarks.exchange_at_scale.joined import Joined
from benchmarks.exchange_at_scale.libraries import mpich, open_mpi, tuned_2006
from benchmarks.exchange_at_scale.loss import Flight, first_overflow
from benchmarks.exchange_at_scale.pick import Pick
from benchmarks.exchange_at_scale.portfolio import BY_LINK, Member, seconds
from benchmarks.exchange_at_scale.results import Scenario, rows
from benchmarks.exchange_at_scale.tables import claims, overflows, times

HOST, BACKBONE, NEAR, FAR, OVERHEAD = 1e8, 1.5e8, 1e-4, 5e-3, 1e-5
M = 10_000


def network(*sizes, host=HOST, backbone=BACKBONE):
    return Joined(sizes, host, backbone, NEAR, FAR, OVERHEAD)


def test_a_message_takes_work_latency_and_its_bytes():
    found = seconds(network(1, 1), Pick("rotated"), M)
    assert found == pytest.approx(OVERHEAD + FAR + M / HOST)


def test_a_rank_works_on_one_send_after_the_other():
    found = seconds(network(2, 3, host=1e15, backbone=1e15), Pick("rotated"), M)
    assert found == pytest.approx(4 * OVERHEAD + FAR, rel=1e-6)


def test_a_round_of_the_ring_waits_for_the_one_before():
    found = seconds(network(5), Pick("ring"), M)
    assert found == pytest.approx(4 * (OVERHEAD + NEAR + M / HOST))


def test_lg_is_a_local_message_and_packed_ones_that_share_the_backbone():
    local = OVERHEAD + NEAR + 2 * M / HOST
    crossing = OVERHEAD + FAR + 2 * M / (BACKBONE / 2)
    assert seconds(network(2, 2), Pick("lg"), M) == pytest.approx(local + crossing)


def test_work_on_a_send_begins_when_what_it_waits_for_has_come():
    """Those of the larger group exchange two messages inside before the one that crosses."""
    found = seconds(network(1, 3, host=1e15, backbone=1e15), Pick("lg"), M)
    assert found == pytest.approx(2 * OVERHEAD + NEAR + OVERHEAD + FAR, rel=1e-6)


def test_what_is_spaced_begins_when_the_backbone_has_carried_what_its_group_sent():
    narrow = 3e6
    spacing = 1.03 * 3 * (M + 50 + 7 * 100) / ((1 + 100 / 1448) * narrow)
    found = seconds(network(3, 3, host=1e15, backbone=narrow), Pick("spaced"), M)
    assert found == pytest.approx(2 * spacing + OVERHEAD + FAR + 3 * M / narrow)


def test_ranks_of_a_larger_group_begin_with_different_ones_of_a_smaller():
    """Else the links of those are what takes time."""
    uneven, large = network(10, 20, backbone=5 * HOST), 2**20
    assert seconds(uneven, Pick("spaced"), large) < 1.1 * uneven.bound(large)


@pytest.mark.parametrize("sizes", [(3, 3), (2, 4), (3, 5), (2, 2, 3)])
@pytest.mark.parametrize(
    "pick",
    [
        Pick("lg_balanced"),
        Pick("lg_pipelined", "chunks", 4),
        Pick("leaders", "leaders", 2),
        Pick("node_aware"),
        Pick("paced", "window", 2),
        Pick("spaced"),
        Pick("throttled_pairwise", "window", 2),
        Pick("bruck"),
    ],
    ids=lambda pick: pick.name,
)
def test_no_exchange_is_faster_than_the_bound(sizes, pick):
    joined = network(*sizes)
    assert seconds(joined, pick, M) >= joined.bound(M)


@pytest.mark.parametrize("sizes", [(3, 3), (1, 3)])
def test_where_cards_are_the_limit_the_bound_is_what_a_rank_sends(sizes):
    """A rank has sent all that crosses before its last message, if that goes to a near one."""
    wide, large = network(*sizes, backbone=1e15), 2**24
    last = FAR if 1 in sizes else NEAR
    assert wide.bound(large) == pytest.approx((sum(sizes) - 1) * large / HOST + last, rel=1e-12)
    assert seconds(wide, Pick("spaced"), large) >= wide.bound(large)


def test_the_rules_of_the_libraries_change_where_they_say():
    assert [tuned_2006(60, m).name for m in (12, 13, 2184, 2185)] == [
        "bruck", "rotated", "rotated", "ring",
    ]  # fmt: skip
    assert [open_mpi(60, m).name for m in (511, 512, 2**24)] == ["bruck", "rotated", "rotated"]
    assert [open_mpi(256, m).name for m in (1023, 1024, 32768)] == ["bruck", "rotated", "ring"]
    assert [mpich(60, m).name for m in (256, 257, 32769)] == ["bruck", "throttled", "ring"]
    assert mpich(64, 32769).name == "pairwise"


def test_the_buffer_holds_what_the_backbone_does_not_take_at_once():
    joined = network(4, 4, backbone=HOST)  # takes a quarter of what four hosts send
    flight = Flight(messages=4, blocks=1)
    assert flight.queued(joined, 4, 1000) == pytest.approx(16_000 * 0.75)
    assert first_overflow(joined, flight, 12_000) == 1024
    assert first_overflow(joined, flight, 1e9) is None


def test_a_table_has_a_row_per_size_and_the_gain_of_the_best():
    from benchmarks.exchange_at_scale.portfolio import BALANCED, PACED

    joined = Joined((20, 20), HOST, BACKBONE, NEAR, FAR, OVERHEAD)
    small = Scenario("small", joined, (64, 2**20), (BALANCED, PACED))
    found = rows(small)
    assert found[0].best.seconds == min(one.seconds for one in found[0].members.values())
    assert found[0].libraries["Open MPI"].pick == Pick("bruck")
    assert len(times(found).splitlines()) == 4
    by_library = claims({"both": found}).splitlines()
    assert len(by_library) == 2 + 4
    assert by_library[0].startswith("|  | both | both: 8 times at | both: from 256 KiB |")
    assert overflows(small, found).splitlines()[-1].endswith("| no size |")


def test_windows_by_the_link_let_small_messages_go_at_once_in_any_order_of_the_ranks():
    """Of which a window of few waits for a way after the other."""
    blocked = Joined((6, 18), HOST, BACKBONE, NEAR, FAR, OVERHEAD)
    by_turns = replace(blocked, is_interleaved=True)
    assert by_turns.group.tolist() == [1, 0, 1, 1] * 6
    for joined in (blocked, by_turns):
        (at_once,) = Member("throttled_pairwise", "window", (BY_LINK,)).picks(joined, 1)
        assert at_once.value == 23
        linear = seconds(joined, Pick("rotated"), 1)
        assert seconds(joined, at_once, 1) == pytest.approx(linear)
        assert seconds(joined, Pick("throttled_pairwise", "window", 4), 1) > 4 * FAR > 3 * linear
    in_flight = 2 * FAR * BACKBONE * (1 + 100 / 1448) + 2**20
    assert blocked.window(8192) == int(in_flight / (18 * (8192 + 50 + 6 * 100)))
    assert blocked.window(2**24) == 1
