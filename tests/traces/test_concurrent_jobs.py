"""Several programs as one trace do what each does by itself, as long as they share nothing."""

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.programs.replay import Line, replay
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.concurrent_jobs import joined
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace
from replay.programs import random_goal, random_trace

TIMES = Line(latency=0.01, bandwidth=1000.0)


def collectives(ranks: int, seed: int) -> Trace:
    """All kinds of collective operations, on the world and on a communicator of every other."""
    rng = np.random.default_rng(seed)
    builder = TraceBuilder(ranks)
    half = builder.communicator(list(range(0, ranks, 2)))
    for rank in range(ranks):
        own = builder.rank(rank)
        own.add(OpKind.BCAST, "bcast", peer=0, bytes=100 * seed)
        own.add(OpKind.ALLTOALLV, "alltoallv", list=[10 * seed + to for to in range(ranks)])
        own.compute(float(rng.exponential(0.1)))
        if rank % 2 == 0:
            own.add(OpKind.ALLREDUCE, "allreduce", bytes=8, comm=half)
        own.add(OpKind.GATHER, "gather", peer=ranks - 1, bytes=50)
    return builder.trace()


@pytest.mark.parametrize("kind", [random_trace, random_goal, None])
@pytest.mark.parametrize("seed", range(5))
def test_each_ends_when_it_does_by_itself(kind, seed: int) -> None:
    makes = kind or (lambda seed: collectives(3 + seed % 3, seed + 1))
    traces = [makes(seed + k) for k in range(3)]
    alone = np.concatenate([replay(one, TIMES).rank_end for one in traces])
    found = replay(joined(traces), TIMES)
    np.testing.assert_allclose(found.rank_end, alone, rtol=1e-9)
    assert found.messages == sum(replay(one, TIMES).messages for one in traces)


def test_calls_are_counted_together_and_places_named_as_they_were() -> None:
    traces = [collectives(3, 1), random_trace(1)]
    both = joined(traces)
    assert set(both.calls) == {*traces[0].calls, *traces[1].calls}
    for name in both.calls:
        count = sum(
            int((one.call == one.calls.index(name)).sum()) for one in traces if name in one.calls
        )
        assert int((both.call == both.calls.index(name)).sum()) == count
    assert both.place(len(traces[0])).startswith("rank 3, ")


def test_what_was_left_open_and_cut_is_of_the_rank_that_did_it() -> None:
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=8)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=8)
    builder.cut = ("", "killed")
    one = builder.trace()
    both = joined([random_trace(2), one])
    assert both.cut == ("",) * 6 + ("killed",)
    assert not both.asked.size and both.library == ""


def test_schedules_and_programs_are_not_mixed() -> None:
    with pytest.raises(InvalidInputError, match="are schedules, as GOAL has them"):
        joined([random_trace(1), random_goal(1)])


def test_one_trace_is_itself() -> None:
    one = random_trace(3)
    assert joined([one]) is one
