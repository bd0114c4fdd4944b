"""Replays whose times have a closed form, conservation laws, and what is told of them."""

import numpy as np
import pytest
from programs import program

from contend.base.errors import ContendError
from contend.programs.replay import Line, replay
from contend.programs.replay.carriage import Carriage, place_ranks
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import ANY, OpKind
from contend.simulate.topologies import topology_of

LATENCY, BANDWIDTH, M = 0.5, 1000.0, 2000
ALONE = LATENCY + M / BANDWIDTH
NET = Line(LATENCY, BANDWIDTH)


def incast(senders):
    receives = "; ".join(f"recv {rank} {M}" for rank in range(1, senders + 1))
    return program(receives, *[f"send 0 {M}"] * senders)


def ring(ranks, rounds, size=M):
    each = "irecv {} {} request=0; send {} {}; wait 0;"
    return program(
        *(rounds * each.format((rank - 1) % ranks, size, (rank + 1) % ranks, size)
          for rank in range(ranks))
    )  # fmt: skip


def collective(ranks, kind, size=0):
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        builder.rank(rank).add(kind, kind.name.lower(), peer=0, bytes=size)
    return builder.trace()


@pytest.mark.parametrize("model", ["alone", "ports", "maxmin", "infiniband-residual"])
@pytest.mark.parametrize("trips", [1, 5])
def test_a_ping_pong_takes_its_messages_one_after_the_other(model, trips):
    trace = program(f"send 1 {M}; recv 1 {M};" * trips, f"recv 0 {M}; send 0 {M};" * trips)
    found = replay(trace, NET, model)
    assert found.seconds == pytest.approx(2 * trips * ALONE)
    assert found.lost == pytest.approx(0)


@pytest.mark.parametrize("model", ["alone", "ports", "maxmin", "equal_share"])
def test_a_message_without_bytes_lets_those_behind_it_enter(model):
    sizes = (M, 0, 0, M)
    trace = program(
        "".join(f"isend 1 {size} request={at}; " for at, size in enumerate(sizes)) + "wait 0 1 2 3",
        "".join(f"irecv 0 {size} request={at}; " for at, size in enumerate(sizes)) + "wait 0 1 2 3",
    )
    assert replay(trace, NET, model).seconds == pytest.approx(LATENCY + 2 * M / BANDWIDTH)


@pytest.mark.parametrize("model", ["ports", "maxmin"])
def test_an_incast_takes_the_bytes_of_all_and_loses_those_of_the_others(model):
    found = replay(incast(7), NET, model)
    assert found.seconds == pytest.approx(LATENCY + 7 * M / BANDWIDTH)
    assert found.lost == pytest.approx(6 * M / BANDWIDTH)
    assert replay(incast(7), NET, model, baseline="ports").lost == pytest.approx(0)
    calls = found.calls.set_index("call")
    assert calls.loc["recv", "worst_rank"] == 0
    assert calls.loc["recv", "lost"] == pytest.approx(6 * M / BANDWIDTH / 8)  # mean over ranks


@pytest.mark.parametrize("model", ["alone", "ports", "maxmin", "equal_share"])
def test_a_ring_shares_nothing(model):
    assert replay(ring(6, 4), NET, model).seconds == pytest.approx(4 * ALONE)


@pytest.mark.parametrize("ranks", [2, 5, 8, 13])
def test_a_barrier_takes_its_rounds(ranks):
    found = replay(collective(ranks, OpKind.BARRIER), NET, "maxmin")
    assert found.seconds == pytest.approx(int(np.ceil(np.log2(ranks))) * LATENCY)


def test_a_blocking_send_by_rendezvous_waits_for_its_receive():
    trace, moved = program(f"send 1 {M}", f"compute 10; recv 0 {M}"), M / BANDWIDTH
    eager = replay(trace, NET)
    assert eager.rank_end == pytest.approx([0, 10])
    asking = replay(trace, Line(LATENCY, BANDWIDTH, eager=M - 1, handshake=1.0))
    assert asking.rank_end == pytest.approx([10.5 + moved, 10.5 + moved + LATENCY])
    assert asking.ranks["computing"].tolist() == [0, 10]


def test_computation_scales_but_what_is_no_computation_does_not():
    builder = TraceBuilder(1)
    builder.rank(0).compute(8.0)
    builder.rank(0).spend("MPI_File_write", 3.0)
    builder.rank(0).compute(2.0)
    found = replay(builder.trace(), NET, compute=0.5)
    assert found.seconds == pytest.approx(0.5 * 10 + 3)
    assert found.calls["call"].tolist() == ["MPI_File_write"]
    assert found.ranks["computing"].tolist() == [5.0]


def test_a_receive_from_any_source_takes_the_message_that_comes_first():
    asking = f"recv {ANY} tag={ANY}; probe peer={ANY}; recv 1"
    trace = program(asking, f"compute 5; send 0 {M}", f"compute 1; send 0 {M}")
    found = replay(trace, NET, is_recorded=True)
    assert found.end[:3] == pytest.approx([1 + ALONE, 5 + LATENCY, 5 + ALONE])


def test_messages_of_another_tag_or_communicator_do_not_match():
    trace = program(
        "send 1 1000 tag=1; send 1 2000 tag=1 comm=1; send 1 3000 tag=2",
        "recv 0 tag=2; recv 0 tag=1 comm=1; recv 0 tag=1",
        communicators=[(1, 0)],
    )
    ends = replay(trace, NET, is_recorded=True).end[3:]
    assert ends == pytest.approx([LATENCY + 6.0] * 3)  # the last one sent is asked for first


def test_ranks_of_one_host_share_its_port_and_reach_each_other_without():
    trace = program(f"send 2 {M}", f"send 3 {M}", f"recv 0 {M}", f"recv 1 {M}")

    def seconds(*args):
        host = place_ranks(4, *args)
        return replay(trace, NET, carriage=Carriage(2, host, BANDWIDTH)).seconds

    assert seconds(2) == pytest.approx(LATENCY + 2 * M / BANDWIDTH)
    assert seconds(2, "cyclic") == pytest.approx(ALONE)  # 0 and 2 are on one host
    assert seconds(2, [0, 1, 1, 0]) == pytest.approx(ALONE)


@pytest.mark.parametrize("model", ["maxmin", "infiniband-residual"])
def test_links_between_switches_are_shared(model):
    sends = [f"send {rank + 4} {M}" for rank in range(4)]
    trace = program(*sends, *(f"recv {rank} {M}" for rank in range(4)))
    tree = topology_of("fat-tree:2x4x1:4", BANDWIDTH)
    found = replay(trace, NET, model, carriage=Carriage(8, place_ranks(8), BANDWIDTH, tree))
    assert found.seconds == pytest.approx(LATENCY + 4 * M / BANDWIDTH)
    assert found.lost == pytest.approx(3 * M / BANDWIDTH)


@pytest.mark.parametrize("model", ["maxmin", "equal_share", "penalty3"])
def test_sharing_never_makes_a_port_faster_than_its_bandwidth(model):
    found = replay(collective(9, OpKind.ALLTOALL, M), NET, model, algorithms={"alltoall": "direct"})
    assert found.seconds >= 8 * M / BANDWIDTH + LATENCY - 1e-9
    assert found.messages == 72
    assert (found.ranks["lost"] >= -1e-9).all()


def test_a_collective_waits_for_the_last_and_goes_on_behind_computation_where_it_does_not_block():
    late = program(*(f"compute {rank}; allreduce 8" for rank in range(4)))
    assert (replay(late, NET).rank_end >= 3.0).all()
    found = replay(program(*[f"ialltoall {M} request=3; compute 1; wait 3"] * 2), NET)
    assert found.seconds == pytest.approx(ALONE)
    assert found.calls.set_index("call").loc["wait", "seconds"] == pytest.approx(ALONE - 1)


def test_collectives_of_halves_are_apart():
    each = (f"compute {rank % 2 * 100}; barrier comm={1 + rank % 2}" for rank in range(4))
    found = replay(program(*each, communicators=[(0, 2), (3, 1)]), NET)
    assert found.rank_end == pytest.approx([LATENCY, 100 + LATENCY] * 2)


def test_sizes_by_rank_are_those_of_the_list():
    builder = TraceBuilder(3)
    sizes = [0, 1000, 3000]
    for rank in range(3):
        builder.rank(rank).add(OpKind.GATHERV, "gatherv", peer=0, list=sizes if rank == 0 else None)
    found = replay(builder.trace(), NET)
    assert found.rank_end[0] == pytest.approx(LATENCY + 4.0)
    builder = TraceBuilder(3)
    for rank in range(3):
        builder.rank(rank).add(OpKind.ALLTOALLV, "alltoallv", list=[1000 * rank] * 3)
    assert replay(builder.trace(), NET, "ports").seconds == pytest.approx(LATENCY + 4.0)


def test_requests_may_have_any_numbers():
    numbers = (2**31 - 1, 5, 2**30)  # none is used again
    sends, receives = (
        "".join(f"{call} {peer} {M} request={number}; wait {number} 77;" for number in numbers)
        for call, peer in (("isend", 1), ("irecv", 0))
    )
    net = Line(LATENCY, BANDWIDTH, eager=0)
    assert replay(program(sends, receives), net).seconds == pytest.approx(3 * ALONE)


DEADLOCKS = [
    (
        ("send 1 tag=4 line=3", "recv 0 tag=5 line=7"),
        r"rank 1, recv, b line 7: waits for .* rank 0",
    ),
    (("ssend 1 tag=4", ""), "its message to rank 1 with tag 4 is never rec"),
    (("irecv 0 request=0 line=2; wait 0 line=3",), r"its requests \(irecv of line 2\)"),
    (("barrier line=1", "bcast peer=0 line=9"), r"bcast, b line 9 meets rank 0, barrier, a line 1"),
    (("barrier line=1", ""), "deadlock: rank 0, barrier, a line 1"),
]


@pytest.mark.parametrize(("ranks", "said"), DEADLOCKS)
def test_deadlocks_name_rank_call_and_line(ranks, said):
    with pytest.raises(ContendError, match=said):
        replay(program(*ranks, files=("a", "b")[: len(ranks)]), NET)


def test_messages_that_nobody_receives_are_counted():
    found = replay(program(f"send 1 {M}", ""), NET)
    assert (found.messages, found.unreceived) == (1, 1)


def test_gathervs_of_ranks_with_bytes_of_their_own_are_told_apart():
    """Without lists, as OTF2 has none: the sum and not the largest block says how long it takes."""
    each = [(0, 0), (80, 80), (80, 8)]
    trace = program(*(f"gatherv {a} peer=0; gatherv {b} peer=0" for a, b in each))
    found = replay(trace, Line(0.0, 8.0), "ports")
    assert found.seconds == pytest.approx(20 + 11)
