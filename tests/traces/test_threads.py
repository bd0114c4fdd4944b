"""Calls of a rank that overlap, as those of several threads do."""

from dataclasses import replace

import numpy as np
import pytest

from contend.base.errors import ContendError
from contend.programs.replay import Line
from contend.programs.replay import replay as replayed
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.summary import result_of
from contend.programs.traces.threads import overlapping


def crossed(*times):
    """Two ranks, each with a thread that receives and one that sends; times of both calls."""
    builder = TraceBuilder(2)
    for rank in (0, 1):
        builder.rank(rank).add(OpKind.RECEIVE, "MPI_Recv", peer=1 - rank, bytes=8)
        builder.rank(rank).add(OpKind.SEND, "MPI_Send", peer=1 - rank, bytes=8)
    start, end = np.array(times * 2).T
    return replace(builder.trace(), start=start, end=end)


def test_calls_one_after_the_other_are_of_one_thread():
    assert overlapping(crossed((0.0, 1.0), (1.0, 2.0))) == []
    untimed = replace(crossed((0.0, 1.0), (0.5, 2.0)), start=np.zeros(0), end=np.zeros(0))
    assert overlapping(untimed) == []


def test_the_first_call_within_another_is_named():
    [sentence] = overlapping(crossed((0.0, 1.0), (0.5, 0.6)))
    assert sentence.startswith("rank 0, MPI_Send, operation 2 of the rank: begins while another")


def test_a_deadlock_of_such_calls_is_none_of_the_trace():
    with pytest.raises(ContendError, match=r"deadlock.*threads call MPI at once") as caught:
        replayed(crossed((0.0, 1.0), (0.5, 0.6)), Line(1e-5, 1e9))
    assert "one thread" in str(caught.value)


def test_calls_at_once_are_no_share_of_the_time():
    def title(trace):
        return next(iter(result_of(trace).parts)).title

    assert "100 % of it in MPI" in title(crossed((0.0, 1.0), (1.0, 2.0)))
    assert "in MPI" not in title(crossed((0.0, 1.0), (0.1, 1.0)))
