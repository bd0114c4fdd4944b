"""Traces whose ranks' records end early are replayed up to where all came."""

from dataclasses import replace

import numpy as np
import pytest

from contend.errors import InvalidInputError
from contend.replay import Line, replay
from contend.replay.deadlock import DeadlockError
from contend.replay.reached import until
from contend.traces.builder import TraceBuilder
from contend.traces.kinds import OpKind

RANKS, STEPS = 4, 12
SECOND = Line(latency=0.0, bandwidth=1e12)


def ring(builder, rank, step):
    """To the right without blocking, from the left."""
    to, source = (rank + 1) % RANKS, (rank - 1) % RANKS
    own = builder.rank(rank)
    own.add(OpKind.RECEIVE, "irecv", peer=source, tag=step, bytes=8, request=0)
    own.add(OpKind.SEND, "isend", peer=to, tag=step, bytes=8, request=1)
    own.add(OpKind.WAIT, "waitall", list=[0, 1])


def sum_(builder, rank, step):
    builder.rank(rank).add(OpKind.ALLREDUCE, "allreduce", bytes=8)


def bcast(builder, rank, step):
    """Whose root waits for nobody."""
    builder.rank(rank).add(OpKind.BCAST, "bcast", peer=0, bytes=8)


def nonblocking(builder, rank, step):
    builder.rank(rank).add(OpKind.ALLREDUCE, "iallreduce", bytes=8, request=0)
    builder.rank(rank).add(OpKind.WAIT, "wait", list=[0])


def farm(builder, rank, step):
    """To rank 3, which answers nobody."""
    own = builder.rank(rank)
    if rank < 3:
        own.add(OpKind.SEND, "send", peer=3, tag=step, bytes=8)
    else:
        for source in range(3):
            own.add(OpKind.RECEIVE, "recv", peer=source, tag=step, bytes=8)


def chain(builder, rank, step):
    """From each to the next."""
    own = builder.rank(rank)
    if rank > 0:
        own.add(OpKind.RECEIVE, "recv", peer=rank - 1, tag=step, bytes=8)
    if rank < 3:
        own.add(OpKind.SEND, "send", peer=rank + 1, tag=step, bytes=8)


def halves(builder, rank, step):
    """On two communicators, of which rank 3 is in the second."""
    builder.rank(rank).add(OpKind.BARRIER, "barrier", comm=1 + rank // 2)
    if step % 2:
        builder.rank(rank).add(OpKind.BARRIER, "barrier")


PROGRAMS = (ring, sum_, bcast, nonblocking, farm, chain, halves)


def program(step_of, steps=STEPS, has_times=True):
    """A second of computation, and a step; and so on."""
    builder = TraceBuilder(RANKS)
    builder.communicator([0, 1])
    builder.communicator([2, 3])
    for rank in range(RANKS):
        builder.communicator([rank])
    for rank in range(RANKS):
        for step in range(steps):
            builder.rank(rank).compute(1.0)
            step_of(builder, rank, step)
    trace = builder.trace()
    if not has_times:
        return trace
    ends = np.concatenate([np.cumsum(trace.seconds[a:b]) for a, b in
                           zip(trace.first[:-1], trace.first[1:], strict=True)])  # fmt: skip
    return replace(trace, start=ends, end=ends)


def cut(trace, rank, count, cuts=()):
    """With so many operations of a rank."""
    stops = trace.first[1:].copy()
    stops[rank] = trace.first[rank] + count
    why = tuple("killed" if one in (rank, *cuts) else "" for one in range(RANKS))
    return replace(until(trace, stops), cut=why)


@pytest.mark.parametrize("step_of", PROGRAMS)
@pytest.mark.parametrize("cuts", [(), (0, 1, 2, 3)])
def test_all_ranks_end_where_the_one_ends_that_was_killed(step_of, cuts):
    """Wherever its record ends; the others need it, or ended when it did."""
    trace = program(step_of)
    count = int(trace.first[4] - trace.first[3])
    each = count / STEPS
    for left in range(1, count):
        part = cut(trace, 3, left, cuts)
        if cuts and step_of is chain:  # all were killed then, whoever needs nobody was still there
            continue
        found = replay(part, SECOND)
        # A rank that is reached by others alone is a step ahead of them at most.
        assert left / each - 2 < found.seconds < left / each + RANKS - 1
        assert "last point that all ranks reached" in found.shortfall
        assert f"of {len(part)} operations" in found.shortfall


def test_a_trace_without_times_ends_too():
    for step_of in (ring, sum_, bcast, nonblocking, farm, halves):
        found = replay(cut(program(step_of, has_times=False), 3, 6), SECOND)
        assert found.seconds < STEPS - 2, step_of


def test_who_needs_nobody_ends_with_the_last_that_cannot_go_on():
    """Rank 2 needs rank 3 after 5 s, and rank 1 needs rank 2 after 9 s."""

    def step_of(builder, rank, step):
        own = builder.rank(rank)
        if (rank, step) in ((2, 4), (1, 8)):
            own.add(OpKind.RECEIVE, "recv", peer=rank + 1, bytes=8)
        elif (rank, step) in ((3, 3), (2, 7)):
            own.add(OpKind.SEND, "send", peer=rank - 1, bytes=8)
        else:
            own.add(OpKind.BARRIER, "barrier", comm=3 + rank)

    trace = program(step_of)
    assert replay(trace, SECOND).seconds == pytest.approx(STEPS)
    found = replay(cut(trace, 3, 1), SECOND)
    assert found.rank_end == pytest.approx([8, 8, 4, 1])


@pytest.mark.parametrize("eager", [4.0, np.inf])
def test_messages_that_wait_for_their_receive_end_too(eager):
    part = cut(program(chain), 3, 5)
    found = replay(part, Line(latency=0.0, bandwidth=1e12, eager=eager))
    assert 3 <= found.seconds < 7


def test_an_open_receive_does_not_stop_who_sends_to_it():
    """Nothing says which message a receive from anywhere took."""
    builder = TraceBuilder(RANKS)
    for step in range(STEPS):
        for rank in range(3):
            builder.rank(rank).add(OpKind.SEND, "send", peer=3, tag=step, bytes=8)
            builder.rank(3).add(OpKind.RECEIVE, "recv", tag=step)
    part = cut(builder.trace(), 3, 15)
    assert len(replay(part, SECOND).trace) == len(part)


def test_receives_that_were_posted_ahead_stop_nobody():
    """Each posts its next receive before it sends; all were killed within a step."""
    builder = TraceBuilder(2)
    for rank in range(2):
        own = builder.rank(rank)
        own.add(OpKind.RECEIVE, "irecv", peer=1 - rank, tag=0, request=0)
        for step in range(STEPS):
            own.compute(1.0)
            own.add(OpKind.RECEIVE, "irecv", peer=1 - rank, tag=step + 1, request=(step + 1) % 2)
            own.add(OpKind.SEND, "send", peer=1 - rank, tag=step, bytes=8)
            own.add(OpKind.WAIT, "wait", list=[step % 2])
    found = replay(replace(builder.trace(), cut=("killed", "killed")), SECOND)
    assert found.seconds == pytest.approx(STEPS)


def test_a_whole_trace_that_never_ends_is_a_deadlock():
    trace = replace(cut(program(ring), 3, 10), cut=())
    with pytest.raises(DeadlockError):
        replay(trace, SECOND)
    whole = replay(program(ring), SECOND)
    assert (whole.shortfall, whole.seconds) == ("", pytest.approx(STEPS))


def test_a_rank_without_calls_leaves_nothing_to_replay():
    for step_of in (sum_, farm, chain):
        with pytest.raises(InvalidInputError, match="rank 3: killed"):
            replay(cut(program(step_of), 3, 0), SECOND)
