"""Traces whose ranks' records end early are replayed up to where all came."""

from dataclasses import replace

import numpy as np
import pytest
from programs import program

from contend.base.errors import InvalidInputError
from contend.programs.replay import Line, replay
from contend.programs.replay.common_prefix import until
from contend.programs.replay.deadlock import DeadlockError

RANKS, STEPS = 4, 12
SECOND = Line(latency=0.0, bandwidth=1e12)


def chain(rank, step):
    """From each to the next."""
    receive = f"recv {rank - 1} 8 tag={step};" if rank > 0 else ""
    return receive + (f"send {rank + 1} 8 tag={step}" if rank < 3 else "")


def ring(rank, step):
    """To the right without blocking, from the left."""
    receive = f"irecv {(rank - 1) % RANKS} 8 tag={step} request=0;"
    return f"{receive} isend {(rank + 1) % RANKS} 8 tag={step} request=1; wait 0 1"


def farm(rank, step):
    """To rank 3, which answers nobody."""
    receives = "; ".join(f"recv {source} 8 tag={step}" for source in range(3))
    return f"send 3 8 tag={step}" if rank < 3 else receives


PROGRAMS = {
    "ring": ring,
    "sum": lambda rank, step: "allreduce 8",
    "bcast": lambda rank, step: "bcast 8 peer=0",  # whose root waits for nobody
    "nonblocking": lambda rank, step: "iallreduce 8 request=0; wait 0",
    "farm": farm,
    "chain": chain,
    # On two communicators, of which rank 3 is in the second.
    "halves": lambda rank, step: f"barrier comm={1 + rank // 2}" + "; barrier" * (step % 2),
}


def stepwise(step_of, steps=STEPS, has_times=True):
    """A second of computation, and a step; and so on."""
    trace = program(
        *("; ".join(f"compute 1; {step_of(rank, step)}" for step in range(steps))
          for rank in range(RANKS)),
        communicators=[(0, 1), (2, 3), (0,), (1,), (2,), (3,)],
    )  # fmt: skip
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


@pytest.mark.parametrize("step_of", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("cuts", [(), (0, 1, 2, 3)])
def test_all_ranks_end_where_the_one_ends_that_was_killed(step_of, cuts):
    """Wherever its record ends; the others need it, or ended when it did."""
    trace = stepwise(step_of)
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
    for step_of in (one for name, one in PROGRAMS.items() if name != "chain"):
        found = replay(cut(stepwise(step_of, has_times=False), 3, 6), SECOND)
        assert found.seconds < STEPS - 2, step_of


def test_who_needs_nobody_ends_with_the_last_that_cannot_go_on():
    """Rank 2 needs rank 3 after 5 s, and rank 1 needs rank 2 after 9 s."""
    special = {(2, 4): "recv 3 8", (1, 8): "recv 2 8", (3, 3): "send 2 8", (2, 7): "send 1 8"}
    trace = stepwise(lambda rank, step: special.get((rank, step), f"barrier comm={3 + rank}"))
    assert replay(trace, SECOND).seconds == pytest.approx(STEPS)
    found = replay(cut(trace, 3, 1), SECOND)
    assert found.rank_end == pytest.approx([8, 8, 4, 1])


@pytest.mark.parametrize("eager", [4.0, np.inf])
def test_messages_that_wait_for_their_receive_end_too(eager):
    part = cut(stepwise(chain), 3, 5)
    found = replay(part, Line(latency=0.0, bandwidth=1e12, eager=eager))
    assert 3 <= found.seconds < 7


def test_an_open_receive_does_not_stop_who_sends_to_it():
    """Nothing says which message a receive from anywhere took."""
    sends = "".join(f"send 3 8 tag={step};" for step in range(STEPS))
    receives = "".join(3 * f"recv -1 tag={step};" for step in range(STEPS))
    part = cut(program(sends, sends, sends, receives), 3, 15)
    assert len(replay(part, SECOND).trace) == len(part)


def test_receives_that_were_posted_ahead_stop_nobody():
    """Each posts its next receive before it sends; all were killed within a step."""
    step_of = "compute 1; irecv {0} tag={1} request={2}; send {0} 8 tag={3}; wait {4};"
    trace = program(
        *(f"irecv {1 - rank} tag=0 request=0;" + "".join(
            step_of.format(1 - rank, step + 1, (step + 1) % 2, step, step % 2)
            for step in range(STEPS)) for rank in range(2))
    )  # fmt: skip
    found = replay(replace(trace, cut=("killed", "killed")), SECOND)
    assert found.seconds == pytest.approx(STEPS)


def test_a_whole_trace_that_never_ends_is_a_deadlock():
    trace = replace(cut(stepwise(ring), 3, 10), cut=())
    with pytest.raises(DeadlockError):
        replay(trace, SECOND)
    whole = replay(stepwise(ring), SECOND)
    assert (whole.shortfall, whole.seconds) == ("", pytest.approx(STEPS))


def test_a_rank_without_calls_leaves_nothing_to_replay():
    for step_of in (PROGRAMS["sum"], farm, chain):
        with pytest.raises(InvalidInputError, match="rank 3: killed"):
            replay(cut(stepwise(step_of), 3, 0), SECOND)
