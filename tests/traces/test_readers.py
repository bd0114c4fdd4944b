"""Readers of traces: what they read, and what they say of what is wrong."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError, FileFormatError
from contend.programs.replay import Line, replay
from contend.programs.replay.common_prefix import reached
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import ANY, OpKind
from contend.programs.traces.reader import READERS, read_trace
from contend.programs.traces.writers.goal import GoalWriter

TI = """0 init
1 init
# two ranks
0 compute 5e8
0 isend 1 7 1e6
1 irecv -1 7 1000000
1 wait -1 1 7
0 waitall
0 alltoallv 30 10 20 30 10 20
1 alltoallv 30 10 20 30 10 20
0 allreduce 3 1e9 0
1 allreduce 3 0 0
0 gatherv 4 4 8 1
1 gatherv 8 4 8 1
0 sleep 0.25
1 test 0 1 7
0 finalize
1 finalize
"""
GOAL = """num_ranks 2
rank 0 {
l1: calc 500
l2: send 8b to 1 tag 3
l2 requires l1
}
rank 1 {
l1: recv 8b from 0 tag 3
}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def at(text: str, name: str = "trace.txt") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return at


def test_an_action_is_an_operation(write: Callable[..., Path]) -> None:
    trace = read_trace(write(TI), speed=1e9)
    assert trace.ranks == 2
    table = [
        (trace.calls[trace.call[op]], trace.peer[op], trace.bytes[op], trace.list_of(op).tolist())
        for op in range(len(trace))
    ]
    assert table[:2] == [("isend", 1, 1_000_000, []), ("waitall", ANY, 0, [0])]
    assert ("alltoallv", ANY, 30, [10, 20]) in table
    assert ("allreduce", ANY, 24, []) in table  # three doubles
    assert ("gatherv", 1, 4, [4, 8]) in table
    assert trace.seconds[:1].tolist() == [0.5]
    assert trace.seconds[trace.kind == OpKind.TIME].tolist()[:1] == [0.25]
    rank_1 = slice(trace.first[1], trace.first[2])
    assert trace.peer[rank_1][:1].tolist() == [ANY]
    assert trace.line[rank_1][:2].tolist() == [6, 7]
    assert trace.list_of(int(trace.first[1]) + 1).tolist() == [0]


def test_without_a_datatype_amounts_are_bytes_or_doubles_as_init_says(
    write: Callable[..., Path],
) -> None:
    for init, size in (("init", 100), ("init 0", 800)):
        assert read_trace(write(f"0 {init}\n0 bcast 100\n")).bytes.tolist() == [size]
    assert read_trace(write("0 init 0\n0 bcast 100 0 1\n")).bytes.tolist() == [400]


@pytest.mark.parametrize(
    ("action", "sizes", "bytes", "operations"),
    [
        ("scatterv 1 2 3 1 0 1", [8, 16], 12, 0),  # counts of doubles, then integers
        ("gatherv 3 1 2 1 1 0", [8, 16], 12, 0),
        ("reducescatter 1 2 5 0", [8, 16], 24, 5),
        ("reduce 3 5 1 1", [], 12, 5),
        ("scatter 3 4 1 0 1", [], 16, 0),
        ("gather 3 4 1 1 0", [], 12, 0),
    ],
)
def test_each_amount_of_a_collective_has_its_datatype(
    write: Callable[..., Path], action: str, sizes: list[int], bytes: int, operations: int
) -> None:
    lines = [f"{rank} {word}\n" for rank in (0, 1) for word in ("init", action, "barrier")]
    trace = read_trace(write("".join(lines)), speed=1.0)
    assert trace.list_of(0).tolist() == sizes
    assert (trace.bytes[0], trace.seconds[1]) == (bytes, operations)


def test_a_pattern_is_no_file_but_a_choice_of_a_sweep() -> None:
    with pytest.raises(FileFormatError, match="--vary pattern:ring:1KiB"):
        read_trace("pattern:ring:1KiB")


def test_a_file_per_rank_is_found_by_list_and_by_folder(write: Callable[..., Path]) -> None:
    write("0 init\n0 send 1 0 8\n", "a.txt")
    write("1 init\n1 recv 0 0 8\n", "b.txt")
    listed = write("a.txt\nb.txt\n", "list")
    assert read_trace(listed).files == (str(listed.parent / "a.txt"), str(listed.parent / "b.txt"))
    listed.unlink()
    assert len(read_trace(listed.parent)) == 2


def test_a_rank_without_finalize_ends_early(write: Callable[..., Path]) -> None:
    """And a line that was cut off is none, though it could be read."""
    lines = TI.splitlines()
    torn = "\n".join([*lines[:-2], "0 finalize", "1 send 0 1 10"])
    with pytest.warns(UserWarning, match="rank 1: MPI_Finalize is missing"):
        trace = read_trace(write(torn), speed=1e9)
    assert trace.cut[0] == ""
    assert len(trace) == len(read_trace(write(TI), speed=1e9))
    assert read_trace(write("0 init\n0 bcast 100\n")).cut == ()  # as by hand
    with pytest.warns(UserWarning, match="ranks 0-1: MPI_Finalize is missing"):
        read_trace(write("0 init\n1 init\n0 barrier\n1 barrier\n1 comp"))


@pytest.mark.parametrize("step", ["barrier", "send {other} 3 8", "recv {other} 3 8"])
def test_a_trace_whose_ranks_were_all_killed_ends_early(
    write: Callable[..., Path], step: str
) -> None:
    """One came further than the other."""
    both = [f"{rank} allreduce 100 0\n" * 3 for rank in (0, 1)]
    text = "0 init\n1 init\n" + "".join(both) + f"0 {step.format(other=1)}\n"
    with pytest.warns(UserWarning, match="ranks 0-1: MPI_Finalize is missing"):
        trace = read_trace(write(text), speed=1e9)
    assert reached(trace).kind.tolist().count(OpKind.ALLREDUCE) == 6
    assert replay(reached(trace), Line(1.0, 8.0)).seconds > 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 send 1 0", "send has 2 arguments, 3 are the least"),
        ("0 send 2 0 8", "rank 2 is not from 0 to 1"),
        ("0 send x 0 8", "rank 'x' is no whole number"),
        ("0 send 1 0 -8", "-8 is not between"),
        ("0 send 1 0 nan", "nan is not between"),
        ("0 send 1 0 8 99", "datatype 99 has no known size"),
        ("0 jump 1", "'jump' is none of the actions"),
        ("zero send", "is no action"),
        ("7 init", "rank 2 does nothing"),
        ("0 alltoallv 3 1", "alltoallv has 2 arguments, 6 are the least"),
    ],
)
def test_a_wrong_line_is_named_with_its_file(
    write: Callable[..., Path], line: str, words: str
) -> None:
    path = write(f"0 init\n1 init\n{line}\n")
    with pytest.raises(FileFormatError) as raised:
        read_trace(path, "ti")
    assert words in str(raised.value)
    assert str(path) in str(raised.value)
    if "nothing" not in words:
        assert "line 3" in str(raised.value)


def test_goal_is_read_with_tags_times_and_requirements(write: Callable[..., Path]) -> None:
    trace = read_trace(write(GOAL, "s.goal"))
    assert trace.tag.tolist() == [0, 3, 3]
    assert trace.seconds.tolist() == pytest.approx([5e-7, 0, 0])
    assert trace.requires_offsets.tolist() == [0, 0, 1, 1]
    assert replay(trace, Line(1.0, 8.0), "ports").seconds == pytest.approx(2.0 + 5e-7)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("to 1", "to 2", "line 4 names rank 2 of 2"),
        ("8b to", "8 to", "line 4 is"),
        ("requires l1", "requires l9", "line 5 is 'l9'"),
        ("num_ranks 2", "num_ranks 0", "names rank"),
        ("}\nrank 1", "\nrank 1", "line 7 is"),
    ],
)
def test_wrong_goal_is_named_with_its_line(
    write: Callable[..., Path], old: str, new: str, words: str
) -> None:
    with pytest.raises(FileFormatError, match=words):
        read_trace(write(GOAL.replace(old, new), "s.goal"))


def test_what_is_no_trace_is_refused(write: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no trace of a known format"):
        read_trace(write("a,b\n1,2\n"))
    with pytest.raises(FileFormatError, match="no file"):
        read_trace(tmp_path / "absent")
    with pytest.raises(FileFormatError, match="is a network file, and a trace of a program is due"):
        read_trace(write('{\n"schema": "contend.network"\n}\n'))


def test_what_is_no_file_is_named_as_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    for path, word in ((Path("/dev/zero"), "it is a device"), (pipe, "is a pipe")):
        with pytest.raises(FileFormatError, match=word):
            read_trace(path)


@settings(max_examples=150)
@given(data=st.data())
@pytest.mark.parametrize(("name", "text"), [("ti", TI), ("goal", GOAL)])
def test_a_damaged_trace_is_read_or_refused_with_its_file(
    tmp_path_factory: pytest.TempPathFactory, name: str, text: str, data: st.DataObject
) -> None:
    words = text.split(" ")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(words) - 1))
        junk = st.sampled_from(
            ["", "-1", "1e400", "9" * 30, "0", "}", "\n", "é", "nan", "l1", "\0"]
        )
        words[at] = data.draw(junk)
    path = tmp_path_factory.mktemp("damaged") / "trace.goal"
    path.write_text(" ".join(words))
    try:
        trace = READERS.get(name).read(path, 1e9)
        replay(trace, Line(1e-6, 1e9), "ports")
    except FileFormatError as error:
        assert str(path) in str(error) or "rank" in str(error)
    except ContendError:
        pass  # a deadlock


def test_a_program_written_as_goal_takes_as_long(write: Callable[..., Path]) -> None:
    builder = TraceBuilder(3)
    for rank in range(3):
        me = builder.rank(rank)
        me.compute(1e-3 * rank)
        me.add(OpKind.RECEIVE, "irecv", peer=(rank - 1) % 3, bytes=500, request=0)
        me.compute(2.9996e-6)
        me.add(OpKind.SEND, "send", peer=(rank + 1) % 3, bytes=500)
        me.add(OpKind.WAIT, "wait", list=[0])
        me.compute(1e-3)
    trace, path = builder.trace(), write("", "s.goal")
    GoalWriter().write(trace, path)
    net = Line(1e-4, 1e6)
    assert replay(read_trace(path), net).seconds == pytest.approx(replay(trace, net).seconds)
    assert path.read_text().count("calc 3000\n") == 3
    assert "calc 1000000\nl4 requires l3\nl4 requires l1\n" in path.read_text()  # of rank 0
    again = path.with_name("again.goal")
    GoalWriter().write(read_trace(path), again)
    assert again.read_text() == path.read_text()
    assert np.array_equal(read_trace(again).requires, read_trace(path).requires)


def test_a_line_that_no_file_can_be_named_is_no_list(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("0 init\n")
    (tmp_path / "b.txt").write_text("x" * 5000)
    for path in (tmp_path, tmp_path / "b.txt"):
        with pytest.raises(FileFormatError, match=r"b\.txt line 1"):
            read_trace(path, "ti")
