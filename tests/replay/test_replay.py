"""Replays whose times have a closed form, conservation laws, and what is told of them."""

import numpy as np
import pytest

from contend.errors import InvalidInputError
from contend.replay import Line, replay
from contend.replay.carriage import Carriage, place_ranks
from contend.topologies import topology_of
from contend.traces.builder import TraceBuilder
from contend.traces.kinds import ANY, OpKind

LATENCY, BANDWIDTH, M = 0.5, 1000.0, 2000
ALONE = LATENCY + M / BANDWIDTH
NET = Line(LATENCY, BANDWIDTH)


def incast(senders):
    builder = TraceBuilder(senders + 1)
    for rank in range(1, senders + 1):
        builder.rank(rank).add(OpKind.SEND, "send", peer=0, bytes=M)
        builder.rank(0).add(OpKind.RECEIVE, "recv", peer=rank, bytes=M)
    return builder.trace()


def ring(ranks, rounds, size=M):
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        me = builder.rank(rank)
        for _ in range(rounds):
            me.add(OpKind.RECEIVE, "irecv", peer=(rank - 1) % ranks, bytes=size, request=0)
            me.add(OpKind.SEND, "send", peer=(rank + 1) % ranks, bytes=size)
            me.add(OpKind.WAIT, "wait", list=[0])
    return builder.trace()


def collective(ranks, kind, size=0):
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        builder.rank(rank).add(kind, kind.name.lower(), peer=0, bytes=size)
    return builder.trace()


@pytest.mark.parametrize("model", ["alone", "ports", "maxmin", "infiniband-residual"])
@pytest.mark.parametrize("trips", [1, 5])
def test_a_ping_pong_takes_its_messages_one_after_the_other(model, trips):
    builder = TraceBuilder(2)
    for _ in range(trips):
        for rank in (0, 1):
            sends = [OpKind.SEND, OpKind.RECEIVE][:: 1 if rank == 0 else -1]
            for kind in sends:
                builder.rank(rank).add(kind, kind.name.lower(), peer=1 - rank, bytes=M)
    found = replay(builder.trace(), NET, model)
    assert found.seconds == pytest.approx(2 * trips * ALONE)
    assert found.lost == pytest.approx(0)


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
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=M)
    builder.rank(1).compute(10.0)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=M)
    trace, moved = builder.trace(), M / BANDWIDTH
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
    builder = TraceBuilder(3)
    for rank, wait in ((1, 5.0), (2, 1.0)):
        builder.rank(rank).compute(wait)
        builder.rank(rank).add(OpKind.SEND, "send", peer=0, bytes=M)
    builder.rank(0).add(OpKind.RECEIVE, "recv", peer=ANY, tag=ANY)
    builder.rank(0).add(OpKind.PROBE, "probe", peer=ANY)
    builder.rank(0).add(OpKind.RECEIVE, "recv", peer=1)
    found = replay(builder.trace(), NET, is_recorded=True)
    assert found.end[:3] == pytest.approx([1 + ALONE, 5 + LATENCY, 5 + ALONE])


def test_messages_of_another_tag_or_communicator_do_not_match():
    builder = TraceBuilder(2)
    other = builder.communicator([1, 0])
    for tag, comm, size in ((1, 0, 1000), (1, other, 2000), (2, 0, 3000)):
        builder.rank(0).add(OpKind.SEND, "send", peer=1, tag=tag, comm=comm, bytes=size)
    for tag, comm in ((2, 0), (1, other), (1, 0)):
        builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, tag=tag, comm=comm)
    ends = replay(builder.trace(), NET, is_recorded=True).end[3:]
    assert ends == pytest.approx([LATENCY + 6.0] * 3)  # the last one sent is asked for first


def test_ranks_of_one_host_share_its_port_and_reach_each_other_without():
    builder = TraceBuilder(4)
    for rank in (0, 1):
        builder.rank(rank).add(OpKind.SEND, "send", peer=rank + 2, bytes=M)
        builder.rank(rank + 2).add(OpKind.RECEIVE, "recv", peer=rank, bytes=M)
    trace = builder.trace()

    def seconds(*args):
        host = place_ranks(4, *args)  # type: ignore[arg-type]
        return replay(trace, NET, carriage=Carriage(2, host, BANDWIDTH)).seconds

    assert seconds(2) == pytest.approx(LATENCY + 2 * M / BANDWIDTH)
    assert seconds(2, "cyclic") == pytest.approx(ALONE)  # 0 and 2 are on one host
    assert seconds(2, [0, 1, 1, 0]) == pytest.approx(ALONE)


@pytest.mark.parametrize("model", ["maxmin", "infiniband-residual"])
def test_links_between_switches_are_shared(model):
    builder = TraceBuilder(8)
    for rank in range(4):
        builder.rank(rank).add(OpKind.SEND, "send", peer=rank + 4, bytes=M)
        builder.rank(rank + 4).add(OpKind.RECEIVE, "recv", peer=rank, bytes=M)
    tree = topology_of("fat-tree:2x4x1:4", BANDWIDTH)
    carriage = Carriage(8, place_ranks(8), BANDWIDTH, tree)
    found = replay(builder.trace(), NET, model, carriage=carriage)
    assert found.seconds == pytest.approx(LATENCY + 4 * M / BANDWIDTH)
    assert found.lost == pytest.approx(3 * M / BANDWIDTH)


@pytest.mark.parametrize("model", ["maxmin", "equal_share", "penalty3"])
def test_sharing_never_makes_a_port_faster_than_its_bandwidth(model):
    found = replay(collective(9, OpKind.ALLTOALL, M), NET, model, algorithms={"alltoall": "direct"})
    assert found.seconds >= 8 * M / BANDWIDTH + LATENCY - 1e-9
    assert found.messages == 72
    assert (found.ranks["lost"] >= -1e-9).all()


def test_a_collective_that_ranks_enter_at_different_times_waits_for_the_last():
    builder = TraceBuilder(4)
    for rank in range(4):
        builder.rank(rank).compute(float(rank))
        builder.rank(rank).add(OpKind.ALLREDUCE, "allreduce", bytes=8)
    found = replay(builder.trace(), NET)
    assert (found.rank_end >= 3.0).all()


def test_a_collective_that_does_not_block_goes_on_behind_computation():
    builder = TraceBuilder(2)
    for rank in range(2):
        builder.rank(rank).add(OpKind.ALLTOALL, "ialltoall", bytes=M, request=3)
        builder.rank(rank).compute(1.0)
        builder.rank(rank).add(OpKind.WAIT, "wait", list=[3])
    found = replay(builder.trace(), NET)
    assert found.seconds == pytest.approx(ALONE)
    assert found.calls.set_index("call").loc["wait", "seconds"] == pytest.approx(ALONE - 1)


def test_collectives_of_halves_are_apart():
    builder = TraceBuilder(4)
    halves = [builder.communicator([0, 2]), builder.communicator([3, 1])]
    for rank in range(4):
        builder.rank(rank).compute(float(rank % 2) * 100)
        builder.rank(rank).add(OpKind.BARRIER, "barrier", comm=halves[rank % 2])
    found = replay(builder.trace(), NET)
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
    builder = TraceBuilder(2)
    for number in (2**31 - 1, 5, 2**30):  # none is used again
        for rank, kind in ((0, OpKind.SEND), (1, OpKind.RECEIVE)):
            builder.rank(rank).add(kind, kind.name, peer=1 - rank, bytes=M, request=number)
            builder.rank(rank).add(OpKind.WAIT, "wait", list=[number, 77])
    net = Line(LATENCY, BANDWIDTH, eager=0)
    assert replay(builder.trace(), net).seconds == pytest.approx(3 * ALONE)


def test_deadlocks_name_rank_call_and_line():
    builder = TraceBuilder(2, files=("a.txt", "b.txt"))
    builder.rank(0).add(OpKind.SEND, "send", peer=1, tag=4, line=3)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, tag=5, line=7)
    with pytest.raises(InvalidInputError, match=r"rank 1, recv, b.txt line 7: waits for .* rank 0"):
        replay(builder.trace(), NET)
    with pytest.raises(InvalidInputError, match="its message to rank 1 with tag 4 is never rec"):
        one = TraceBuilder(2)
        one.rank(0).add(OpKind.SYNC_SEND, "ssend", peer=1, tag=4)
        replay(one.trace(), NET)
    with pytest.raises(InvalidInputError, match=r"its requests \(irecv of line 2\)"):
        one = TraceBuilder(1)
        one.rank(0).add(OpKind.RECEIVE, "irecv", peer=0, request=0, line=2)
        one.rank(0).add(OpKind.WAIT, "wait", list=[0], line=3)
        replay(one.trace(), NET)


def test_collectives_that_do_not_meet_are_told():
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.BARRIER, "barrier", line=1)
    builder.rank(1).add(OpKind.BCAST, "bcast", peer=0, line=9)
    with pytest.raises(Exception, match=r"bcast, line 9 meets rank 0, barrier, line 1"):
        replay(builder.trace(), NET)
    alone = TraceBuilder(2)
    alone.rank(0).add(OpKind.BARRIER, "barrier", line=1)
    with pytest.raises(InvalidInputError, match="deadlock: rank 0, barrier, line 1"):
        replay(alone.trace(), NET)


def test_messages_that_nobody_receives_are_counted():
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=M)
    found = replay(builder.trace(), NET)
    assert (found.messages, found.unreceived) == (1, 1)


def test_gathervs_of_ranks_with_bytes_of_their_own_are_told_apart():
    """Without lists, as OTF2 has none: the sum and not the largest block says how long it takes."""
    builder = TraceBuilder(3)
    for sizes in ((0, 80, 80), (0, 80, 8)):
        for rank, size in enumerate(sizes):
            builder.rank(rank).add(OpKind.GATHERV, "gatherv", peer=0, bytes=size)
    found = replay(builder.trace(), Line(0.0, 8.0), "ports")
    assert found.seconds == pytest.approx(20 + 11)
