"""What a replay says of links, of slow messages and of ranks that are late."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import program, random_trace

from contend.programs.replay import Line, replay
from contend.programs.replay.carriage import Carriage, place_ranks
from contend.programs.traces.kinds import OpKind
from contend.simulate.topologies import topology_of

NET = Line(latency=1e-3, bandwidth=1e6)


def incast(senders=3, size=1_000_000):
    """Everybody sends to rank 0 at once."""
    receives = "; ".join(f"recv {rank} {size}" for rank in range(1, senders + 1))
    return program(receives, *[f"send 0 {size}"] * senders)


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
    # Two hosts to each switch, one link between these.
    trace = program("send 2 1000000", "send 3 1000000", "recv 0 1000000", "recv 1 1000000")
    tree = topology_of("fat-tree:2x2x2", NET.bandwidth)
    carriage = Carriage(tree.hosts, np.arange(4), NET.bandwidth, tree)
    found = watched(trace, carriage=carriage)
    assert found.traffic is not None
    links = found.traffic.links(found.seconds)
    lost = links[links["lost"] > 0]
    ends = {link.partition(", ")[2] for link in lost["link"]}
    assert ends == {"host 0 and host 1 to host 2 and host 3"}
    assert lost["lost"].sum() == pytest.approx(2 * 1.0)


def test_a_rank_waits_for_its_peer_and_no_longer():
    receiver = watched(program("compute 5; send 1 1000000", "compute 2; recv 0 1000000"))
    assert receiver.waited.tolist() == pytest.approx([0.0, 3.0])
    assert receiver.awaited.tolist() == [-1, 0]
    sender = watched(program("ssend 1 1000", "compute 4; recv 0 1000"))  # which asks first
    assert sender.waited.tolist() == pytest.approx([4.0, 0.0])
    assert sender.awaited.tolist() == [1, -1]
    # Those below a late root wait for it, whoever hands on its message.
    root = watched(program("compute 3; bcast 100 peer=0", *["bcast 100 peer=0"] * 7))
    assert set(root.awaited[1:].tolist()) == {0}
    assert root.waited[1:] == pytest.approx([3.0] * 7)
    several = "irecv 1 1000 request=0; irecv 2 1000 request=1; wait 0 1"
    last = watched(program(several, "compute 2; send 0 1000", "compute 1; send 0 1000"))
    assert (last.awaited[2], last.waited[2]) == (1, pytest.approx(2.0))


@pytest.mark.parametrize("kind", ["barrier", "allreduce", "alltoall"])
@pytest.mark.parametrize("ranks", [4, 9])
@pytest.mark.parametrize("eager", [np.inf, 8.0])
def test_all_wait_for_the_one_that_comes_last_to_what_needs_all(kind, ranks, eager):
    trace = program(*(f"compute {10 if rank == 2 else 1}; {kind} 64" for rank in range(ranks)))
    found = replay(trace, Line(1e-3, 1e6, eager=eager, handshake=2e-3), is_recorded=True)
    others = [rank for rank in range(ranks) if rank != 2]
    assert found.waited[others] == pytest.approx([9.0] * (ranks - 1))
    assert set(found.awaited[others].tolist()) == {2}
    assert found.waited[2] == 0.0
