"""Overheads of processors within collective operations: as of the same messages, written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.programs.replay import Line, LogGOPS, Plogp, replay
from contend.programs.replay.choice import COLLECTIVE
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import SUMMED, OpKind
from contend.schedules import algorithms
from contend.schedules.pointtopoint import PLogP
from contend.schedules.schedule import Kind

OVERHEAD = 5e-6
# A message takes less of the network than of a processor: a send is over when the latter is free.
LINE = Line(1e-5, 1e12, overhead=OVERHEAD)
LOGGOPS = LogGOPS(L=1e-5, o=OVERHEAD, g=0.0, G=1e-12)
KINDS = [
    OpKind.BARRIER, OpKind.BCAST, OpKind.REDUCE, OpKind.ALLREDUCE, OpKind.GATHER, OpKind.SCATTER,
    OpKind.ALLGATHER, OpKind.ALLTOALL, OpKind.REDUCE_SCATTER,
]  # fmt: skip


def call(kind, n, m, *, request=-1):
    builder = TraceBuilder(n)
    for rank in range(n):
        me = builder.rank(rank)
        me.add(kind, "call", peer=0, bytes=m * n if kind in SUMMED else m, request=request)
        if request >= 0:
            me.add(OpKind.WAIT, "wait", list=[request])
    return builder.trace()


def written(schedule, n):
    """The messages of a schedule, each rank's receives posted at first, waited for when needed."""
    builder = TraceBuilder(n)
    for rank in range(n):
        me, under_way = builder.rank(rank), set()
        ops = np.flatnonzero(schedule.rank == rank).tolist()
        for op in ops:
            if schedule.kind[op] in (Kind.RECEIVE, Kind.REDUCE):
                sent = int(schedule.partner[op])
                me.add(OpKind.RECEIVE, "irecv", peer=int(schedule.rank[sent]), tag=sent,
                       bytes=int(schedule.bytes[sent]), request=op)  # fmt: skip
                under_way.add(op)
        for op in ops:
            if schedule.kind[op] == Kind.SEND:
                needed = under_way & behind(schedule, op)
                if needed:
                    me.add(OpKind.WAIT, "waitall", list=sorted(needed))
                under_way -= needed
                peer = int(schedule.rank[schedule.partner[op]])
                me.add(OpKind.SEND, "isend", peer=peer, tag=op, bytes=int(schedule.bytes[op]),
                       request=op)  # fmt: skip
                under_way.add(op)
        me.add(OpKind.WAIT, "waitall", list=sorted(under_way))
    return builder.trace()


def behind(schedule, op):
    """All that an operation requires."""
    found: set[int] = set()
    new = [op]
    while new:
        edges = schedule.requires_offsets[new[-1] : new.pop() + 2][:2]
        further = set(schedule.requires[slice(*edges)].tolist()) - found
        found |= further
        new += further
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("net", "model"), [(LINE, "maxmin"), (LOGGOPS, "alone")])
def test_a_call_takes_as_long_as_its_messages(kind, net, model):
    collective = COLLECTIVE[kind]
    m = 0 if kind == OpKind.BARRIER else 1000
    for algorithm in algorithms(collective).all():
        for n in (3, 8):
            if algorithm.needs_groups or algorithm.restriction(n):
                continue
            chosen = {collective: algorithm.name}
            found = replay(call(kind, n, m), net, model, algorithms=chosen, baseline=model)
            wanted = replay(written(algorithm.build(n, m), n), net, model, baseline=model)
            assert found.rank_end == pytest.approx(wanted.rank_end), (algorithm.name, n)


@pytest.mark.parametrize("model", ["alone", "ports", "maxmin", "tcp"])
@pytest.mark.parametrize("n", [8, 32])
def test_an_all_to_all_has_a_send_and_a_receive_for_each_other_rank(model, n):
    net = Line(1e-5, 125e6, overhead=OVERHEAD)
    found = replay(call(OpKind.ALLTOALL, n, 1), net, model, baseline=model,
                   algorithms={"alltoall": "rotated"})  # fmt: skip
    assert found.seconds == pytest.approx(2 * (n - 1) * OVERHEAD, rel=0.01)


def test_what_does_not_block_takes_as_long():
    for kind in (OpKind.BCAST, OpKind.ALLTOALL, OpKind.ALLREDUCE):
        blocking = replay(call(kind, 8, 100), LINE).seconds
        assert replay(call(kind, 8, 100, request=0), LINE).seconds == pytest.approx(blocking)
        assert blocking > 4 * OVERHEAD


def test_calls_of_different_sizes_and_of_parts_of_the_ranks_take_it_too():
    builder = TraceBuilder(6)
    halves = [builder.communicator([0, 2, 4]), builder.communicator([5, 3, 1])]
    for rank in range(6):
        me, comm = builder.rank(rank), halves[rank % 2]
        me.add(OpKind.ALLTOALLV, "alltoallv", list=[1, 2, 3], comm=comm)
    found = replay(builder.trace(), LINE, "alone", baseline="alone")
    assert found.rank_end.min() >= 4 * OVERHEAD
    assert found.rank_end.max() < 6 * OVERHEAD
    for kind in (OpKind.SCAN, OpKind.EXSCAN, OpKind.ALLGATHERV):
        found = replay(call(kind, 4, 8), Line(0.0, 1e12, overhead=OVERHEAD))
        assert found.seconds == pytest.approx(4 * OVERHEAD)  # two steps of a send and a receive


@pytest.mark.parametrize(("kind", "ends"), [(OpKind.GATHERV, [3, 1, 1, 1]),
                                            (OpKind.SCATTERV, [3, 1, 1, 2])])  # fmt: skip
def test_only_the_root_has_messages_with_all(kind, ends):
    found = replay(call(kind, 4, 8), Line(0.0, 1e12, overhead=OVERHEAD))
    assert found.messages == 3
    assert found.rank_end / OVERHEAD == pytest.approx(ends, rel=1e-4)


def test_an_early_message_takes_its_receiver_when_that_asks_for_it():
    """In a ring the third rank has all but computed when its first message comes."""
    builder = TraceBuilder(3)
    builder.rank(2).compute(1.0)
    for rank in range(3):
        builder.rank(rank).add(OpKind.ALLGATHER, "allgather", bytes=8)
    found = replay(builder.trace(), LINE, algorithms={"allgather": "ring"})
    # It sends, and receives what came first: then the same again.
    assert found.rank_end[2] == pytest.approx(1.0 + 4 * OVERHEAD)


def test_messages_from_afar_do_not_hold_up_those_that_come_first():
    """The root receives two messages: the large one of LogGOPS has entered first and ends last."""
    net = LogGOPS(L=0.0, o=OVERHEAD, g=0.0, G=0.0, O=1e-6)
    builder = TraceBuilder(3)
    builder.rank(1).add(OpKind.GATHERV, "gatherv", peer=0, bytes=1001)
    builder.rank(2).compute(1e-6)
    builder.rank(2).add(OpKind.GATHERV, "gatherv", peer=0, bytes=1)
    builder.rank(0).add(OpKind.GATHERV, "gatherv", peer=0)
    found = replay(builder.trace(), net, "alone", baseline="alone")
    small = 1e-6 + 2 * OVERHEAD
    assert found.rank_end[0] == pytest.approx(small + OVERHEAD + 1000 * 1e-6)


def measured(receive_overhead):
    """Measured parameters at 0, 1000 and 2000 B; a message takes 70 us, and its gap."""
    gap = {"value": (1e-5, 1e-4, 2e-4), "unit": "s"}
    return PLogP.model_validate(
        {
            "latency": {"value": 7e-5, "unit": "s"},
            "size": {"value": (0.0, 1000.0, 2000.0), "unit": "B"},
            "gap": gap, "send_overhead": gap,
            "receive_overhead": {"value": receive_overhead, "unit": "s"},
            "method": "kielmann",
        }
    )  # fmt: skip


def test_measured_parameters_have_overheads_within_their_gaps():
    net = Plogp(measured((1e-5, 1e-4, 2e-4)))
    found = replay(call(OpKind.ALLTOALL, 8, 1000), net, "alone", baseline="alone",
                   algorithms={"alltoall": "rotated"})  # fmt: skip
    assert found.seconds == pytest.approx(7e-5 + 1e-4)


def test_by_tcp_a_rank_takes_its_messages_one_after_the_other():
    """Of seven small messages that come together the last is taken after seven overheads."""
    net = Plogp(measured((1e-5, 4e-5, 2e-4)))
    seconds = replay(call(OpKind.ALLTOALL, 8, 0), net, "tcp", baseline="tcp",
                     algorithms={"alltoall": "rotated"}).seconds  # fmt: skip
    assert seconds > 7e-5 + 7 * 1e-5


def test_an_overhead_that_holds_the_transfer_is_that_of_a_smaller_message():
    sizes = np.array([1000, 1500, 2000])
    found = Plogp(measured((1e-5, 4e-5, 1.5e-4))).columns(sizes)["receive_overhead"]
    assert found.tolist() == pytest.approx([4e-5] * 3)
    given = Plogp(measured((1e-5, 4e-5, 1.5e-4)), eager=500.0).columns(sizes)["receive_overhead"]
    assert given.tolist() == pytest.approx([2.5e-5] * 3)
    given = Plogp(measured((1e-5, 4e-5, 1.5e-4)), eager=1500.0).columns(sizes)["receive_overhead"]
    assert given.tolist() == pytest.approx([4e-5] * 3)


@st.composite
def calls(draw):
    """A kind of call, an algorithm for it, and a number of ranks that it serves."""
    kind, n = draw(st.sampled_from(KINDS)), draw(st.integers(2, 9))
    named = [one.name for one in algorithms(COLLECTIVE[kind]).all()
             if not one.needs_groups and one.restriction(n) is None]  # fmt: skip
    return kind, draw(st.sampled_from(named)), n


@settings(max_examples=40, deadline=None, derandomize=True)
@given(calls(), st.integers(0, 2000), st.floats(1e-7, 1e-3), st.floats(0, 1e-3))
def test_any_call_takes_as_long_as_its_messages(drawn, m, overhead, latency):
    kind, name, n = drawn
    m = 0 if kind == OpKind.BARRIER else m
    schedule = algorithms(COLLECTIVE[kind]).get(name).build(n, m)
    net, chosen = Line(latency, 1e12, overhead=overhead), {COLLECTIVE[kind]: name}
    found = replay(call(kind, n, m), net, "alone", algorithms=chosen, baseline="alone")
    wanted = replay(written(schedule, n), net, "alone", baseline="alone")
    assert found.rank_end == pytest.approx(wanted.rank_end)
