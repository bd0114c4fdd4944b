"""What a replay says of links, of slow messages and of ranks that are late."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import random_trace

from contend.replay import Line, replay
from contend.replay.carriage import Carriage, place_ranks
from contend.topologies import topology_of
from contend.traces.builder import TraceBuilder
from contend.traces.kinds import OpKind

NET = Line(latency=1e-3, bandwidth=1e6)


def incast(senders=3, size=1_000_000):
    """Everybody sends to rank 0 at once."""
    builder = TraceBuilder(senders + 1)
    for rank in range(1, senders + 1):
        builder.rank(rank).add(OpKind.SEND, "send", peer=0, bytes=size)
        builder.rank(0).add(OpKind.RECEIVE, "recv", peer=rank, bytes=size)
    return builder.trace()


def watched(trace, model="maxmin", **given):
    return replay(trace, NET, model, is_recorded=True, has_traffic=True, **given)  # type: ignore[arg-type]


def carried(found):
    """Seconds of work that each link carried."""
    assert found.traffic is not None
    total = found.traffic.load.sum(axis=1) * found.traffic.bin
    return dict(zip(found.traffic.names, total.tolist(), strict=True))


def test_three_into_one_lose_twice_a_message_each_at_the_port_of_the_receiver():
    found = watched(incast())
    assert found.traffic is not None
    links = found.traffic.links(found.seconds)
    assert links.iloc[0]["link"] == "host 0 receives"
    assert links.iloc[0]["lost"] == pytest.approx(3 * 2.0)  # each of 1 s takes 3 s
    assert links.iloc[0]["share"] == pytest.approx(1.0)
    assert links.iloc[0]["busy"] == pytest.approx(3.0 / found.seconds)
    assert carried(found) == pytest.approx(
        {"host 0 receives": 3.0, **{f"host {rank} sends": 1.0 for rank in (1, 2, 3)}}
    )


def test_messages_under_way_are_their_times_over_the_run():
    found = watched(incast())
    assert found.traffic is not None
    traffic = found.traffic
    assert traffic.flight.sum() * traffic.bin == pytest.approx(3 * (3.0 + 1e-3))
    assert traffic.flight.max() == pytest.approx(3.0)
    assert sorted(traffic.src.tolist()) == [1, 2, 3]
    assert traffic.end - traffic.begin == pytest.approx([3.001] * 3)


@pytest.mark.parametrize("model", ["alone", "ports", "maxmin", "equal_share"])
@pytest.mark.parametrize("hosts", [None, 3])
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_links_carry_what_is_sent_over_them_whatever_the_model(model, hosts, seed):
    trace = random_trace(seed)
    host = place_ranks(trace.ranks, hosts)
    found = watched(
        trace, model, carriage=Carriage(hosts or trace.ranks, host, NET.bandwidth), baseline=model
    )
    sends = np.flatnonzero(np.isin(trace.kind, (OpKind.SEND, OpKind.SYNC_SEND)))
    expected: dict[str, float] = {}
    for row in sends.tolist():
        src, dst = int(host[trace.rank[row]]), int(host[trace.peer[row]])
        if src != dst and trace.bytes[row]:
            for name in (f"host {src} sends", f"host {dst} receives"):
                expected[name] = expected.get(name, 0.0) + trace.bytes[row] / NET.bandwidth
    assert carried(found) == pytest.approx(expected, rel=1e-9)
    assert found.traffic is not None
    assert found.traffic.load.max(initial=0.0) <= 1 + 1e-6 or model == "alone"
    if model == "alone":
        assert found.traffic.lost.sum() == pytest.approx(0.0, abs=1e-9)


def test_a_replay_that_is_watched_takes_as_long_as_one_that_is_not():
    trace = random_trace(5)
    assert watched(trace).rank_end.tolist() == replay(trace, NET).rank_end.tolist()


def test_the_links_of_a_tree_are_named_and_the_narrow_ones_lose_the_time():
    builder = TraceBuilder(4)  # two hosts to each switch, one link between these
    for rank in (0, 1):
        builder.rank(rank).add(OpKind.SEND, "send", peer=rank + 2, bytes=1_000_000)
        builder.rank(rank + 2).add(OpKind.RECEIVE, "recv", peer=rank, bytes=1_000_000)
    tree = topology_of("fat-tree:2x2x2", NET.bandwidth)
    carriage = Carriage(tree.hosts, np.arange(4), NET.bandwidth, tree)
    found = watched(builder.trace(), carriage=carriage)
    assert found.traffic is not None
    links = found.traffic.links(found.seconds)
    lost = links[links["lost"] > 0]
    ends = {link.partition(", ")[2] for link in lost["link"]}
    assert ends == {"host 0 and host 1 to host 2 and host 3"}
    assert lost["lost"].sum() == pytest.approx(2 * 1.0)


def test_a_receiver_waits_until_its_message_is_sent_and_no_longer():
    builder = TraceBuilder(2)
    builder.rank(0).compute(5.0)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=1_000_000)
    builder.rank(1).compute(2.0)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=1_000_000)
    found = watched(builder.trace())
    assert found.waited.tolist() == pytest.approx([0.0, 3.0])
    assert found.awaited.tolist() == [-1, 0]


def test_a_sender_that_asks_first_waits_for_its_receiver():
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.SYNC_SEND, "ssend", peer=1, bytes=1000)
    builder.rank(1).compute(4.0)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=1000)
    found = watched(builder.trace())
    assert found.waited.tolist() == pytest.approx([4.0, 0.0])
    assert found.awaited.tolist() == [1, -1]


@pytest.mark.parametrize("kind", [OpKind.BARRIER, OpKind.ALLREDUCE, OpKind.ALLTOALL])
@pytest.mark.parametrize("ranks", [4, 9])
@pytest.mark.parametrize("eager", [np.inf, 8.0])
def test_all_wait_for_the_one_that_comes_last_to_what_needs_all(kind, ranks, eager):
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        builder.rank(rank).compute(10.0 if rank == 2 else 1.0)
        builder.rank(rank).add(kind, "call", bytes=64)
    found = replay(builder.trace(), Line(1e-3, 1e6, eager=eager, handshake=2e-3), is_recorded=True)
    others = [rank for rank in range(ranks) if rank != 2]
    assert found.waited[others] == pytest.approx([9.0] * (ranks - 1))
    assert set(found.awaited[others].tolist()) == {2}
    assert found.waited[2] == 0.0


def test_those_below_a_late_root_wait_for_it_whoever_hands_on_its_message():
    builder = TraceBuilder(8)
    for rank in range(8):
        builder.rank(rank).compute(3.0 if rank == 0 else 0.0)
        builder.rank(rank).add(OpKind.BCAST, "bcast", peer=0, bytes=100)
    found = watched(builder.trace())
    assert set(found.awaited[1:].tolist()) == {0}
    assert found.waited[1:] == pytest.approx([3.0] * 7)


def test_a_wait_for_several_is_for_the_one_that_ends_last():
    builder = TraceBuilder(3)
    for number, peer in enumerate((1, 2)):
        builder.rank(0).add(OpKind.RECEIVE, "irecv", peer=peer, bytes=1000, request=number)
    builder.rank(0).add(OpKind.WAIT, "waitall", list=[0, 1])
    for rank, seconds in ((1, 2.0), (2, 1.0)):
        builder.rank(rank).compute(seconds)
        builder.rank(rank).add(OpKind.SEND, "send", peer=0, bytes=1000)
    found = watched(builder.trace())
    assert (found.awaited[2], found.waited[2]) == (1, pytest.approx(2.0))
