"""The table of a trace: what is checked, and where it says an operation stands."""

import numpy as np
import pytest

from contend.base.errors import FileFormatError
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind


def sent(**columns: object) -> TraceBuilder:
    builder = TraceBuilder(2, files=("trace.txt",))
    builder.rank(0).add(OpKind.SEND, "send", **({"peer": 1, "line": 3} | columns))  # type: ignore[arg-type]
    return builder


def test_operations_stand_by_rank_in_program_order() -> None:
    builder = TraceBuilder(3)
    for rank in (2, 0, 2):
        builder.rank(rank).add(OpKind.BARRIER, f"of {rank}")
    trace = builder.trace()
    assert trace.first.tolist() == [0, 1, 1, 3]
    assert trace.rank.tolist() == [0, 2, 2]
    assert [trace.rank_of(op) for op in range(3)] == [0, 2, 2]
    assert [trace.calls[call] for call in trace.call] == ["of 0", "of 2", "of 2"]


def test_computation_goes_before_the_next_call_or_to_the_end() -> None:
    builder = TraceBuilder(1)
    me = builder.rank(0)
    me.compute(1.0)
    me.compute(2.0)
    me.add(OpKind.BARRIER, "barrier")
    me.compute(4.0)
    trace = builder.trace()
    assert trace.seconds.tolist() == [3.0, 4.0]
    assert trace.kind.tolist() == [OpKind.BARRIER, OpKind.TIME]


def test_a_place_is_rank_call_file_and_line() -> None:
    assert sent().trace().place(0) == "rank 0, send, trace.txt line 3"
    assert sent(line=-1).trace().place(0) == "rank 0, send, operation 1 of the rank"


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"peer": 2}, "peer is 2"),
        ({"peer": -1}, "peer is -1"),
        ({"bytes": -5}, "bytes is -5"),
        ({"comm": 1}, "comm is 1"),
    ],
)
def test_what_is_not_there_is_refused_with_its_place(columns: dict[str, int], words: str) -> None:
    with pytest.raises(FileFormatError, match=f"rank 0, send, trace.txt line 3: {words}"):
        sent(**columns).trace()


def test_numbers_that_are_too_large_are_refused() -> None:
    with pytest.raises(FileFormatError, match=r"bytes 1000+ is too large"):
        sent(bytes=10**30)


def test_a_list_has_an_entry_for_each_rank_of_the_communicator() -> None:
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.ALLTOALLV, "alltoallv", list=[1, 2, 3])
    with pytest.raises(
        FileFormatError,
        match=r"alltoallv.*the call lists . counts where its communicator has . ranks",
    ):
        builder.trace()
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.ALLTOALLV, "alltoallv", list=[1, 2])
    assert builder.trace().list_of(0).tolist() == [1, 2]


@pytest.mark.parametrize("members", [[0, 2], [1, 1], []])
def test_a_communicator_names_ranks_that_are_there_once(members: list[int]) -> None:
    builder = sent()
    builder.communicator(members)
    with pytest.raises(FileFormatError, match="communicator"):
        builder.trace()


def test_a_trace_of_nothing_is_one() -> None:
    trace = TraceBuilder(2).trace()
    assert len(trace) == 0
    assert np.array_equal(trace.first, [0, 0, 0])


def test_the_number_of_a_request_that_ended_is_given_again():
    rank = TraceBuilder(1).rank(0)
    first, second = rank.request(), rank.request()
    rank.release([first])
    assert (first, second, rank.request(), rank.request()) == (0, 1, 0, 2)
