"""What a time-independent trace does not tell of communicators, and what is said of that."""

import warnings
from pathlib import Path

import pytest

from contend.base.errors import ContendError, FileFormatError
from contend.programs.replay import Line, replay
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.reader import TraceWarning, read_trace
from contend.programs.traces.writer import WRITERS

NET = Line(1e-5, 125e6)


def write(folder: Path, *ranks: str) -> Path:
    path = folder / "trace.txt"
    lines = [f"{rank} {line}\n" for rank, text in enumerate(ranks) for line in text.split(", ")]
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize(
    ("ranks", "place"),
    [
        (("init, comm_split, allreduce 1000000 0",) * 4, "rank 0, comm_split, .* line 2"),
        (
            ("init, barrier, comm_split, bcast 8", "barrier, bcast 8"),
            "rank 0, comm_split, .*line 3",
        ),
        (("barrier", "comm_split, comm_split, barrier"), "rank 1, comm_split, .* line 2"),
    ],
)
def test_the_first_split_is_named(tmp_path: Path, ranks: tuple[str, ...], place: str) -> None:
    path = write(tmp_path, *ranks)
    with pytest.warns(TraceWarning, match=f"{place}.*not distinguishable"):
        trace = read_trace(path)
    replay(trace, NET)


@pytest.mark.parametrize(
    "text", ["comm_dup, allreduce 8 0", "comm_size 4, barrier", "barrier, comm_split",
             "comm_split, compute 5, test 0 1 0"],
)  # fmt: skip
def test_where_all_ranks_are_known_nothing_is_said(tmp_path: Path, text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_trace(write(tmp_path, text, text))


@pytest.mark.parametrize(
    "ranks",
    [
        ("comm_split, allreduce 8 0", "comm_split, allreduce 8 0", "comm_split", "comm_split"),
        ("comm_split, bcast 8 0", "comm_split, reduce 8 0 0"),
        ("comm_split, bcast 8 0", "comm_split, bcast 8 1"),
        ("comm_split, barrier, recv 1 0 8", "comm_split, barrier"),
    ],
)
def test_the_split_is_given_as_the_reason_of_what_cannot_end(
    tmp_path: Path, ranks: tuple[str, ...]
) -> None:
    path = write(tmp_path, *ranks)
    with pytest.warns(TraceWarning, match="comm_split"):
        trace = read_trace(path)
    with pytest.raises(ContendError, match=r"rank 0, comm_split, .* line 1.*not distinguishable"):
        replay(trace, NET)


def test_ranks_with_other_numbers_of_collective_calls_are_told(tmp_path: Path) -> None:
    path = write(tmp_path, "init, bcast 8, barrier", "bcast 8, barrier", "bcast 8")
    with pytest.warns(TraceWarning, match=r"rank 0 makes 2 collective calls and rank 2 1.*cut off"):
        trace = read_trace(path)
    with pytest.raises(ContendError, match=r"deadlock: rank 0, barrier, .*communicators, which"):
        replay(trace, NET)


def test_communicators_that_are_told_need_no_warning(tmp_path: Path) -> None:
    """Two halves side by side, as OTF2, DUMPI and `contend record` tell them."""
    builder = TraceBuilder(4)
    halves = [builder.communicator([0, 1]), builder.communicator([2, 3])]
    for rank in range(4):
        builder.rank(rank).add(OpKind.ALLREDUCE, "allreduce", bytes=10**6, comm=halves[rank // 2])
    found = replay(builder.trace(), NET, algorithms={"allreduce": "rabenseifner"})
    assert found.seconds == pytest.approx(8.02e-3)


def test_a_split_and_operations_are_carried_on(tmp_path: Path) -> None:
    path = write(tmp_path, "init, compute 1e12, comm_split, sleep 0.5, allreduce 8 2e6", "barrier")
    with pytest.warns(TraceWarning, match="comm_split"):
        trace = read_trace(path)
    WRITERS.get("ti").write(trace, tmp_path / "again")
    text = (tmp_path / "again_files/rank-0.txt").read_text().splitlines()
    assert text == [f"0 {line}" for line in
                    ("init", "compute 1000000000000", "comm_split", "sleep 0.5", "allreduce 8 0",
                     "compute 2000000", "finalize")]  # fmt: skip


def test_what_needs_seconds_asks_for_the_speed(tmp_path: Path) -> None:
    trace = read_trace(write(tmp_path, "init, compute 1e9, send 1 0 8", "recv 0 0 8"))
    for needs in (lambda: replay(trace, NET),
                  lambda: WRITERS.get("goal").write(trace, tmp_path / "g.goal")):  # fmt: skip
        with pytest.raises(ContendError, match=r"rank 0, send, .* line 3.*--speed"):
            needs()
    timed = read_trace(tmp_path / "trace.txt", speed=1e9)
    assert replay(timed, NET).seconds == pytest.approx(1.0, rel=1e-4)


def test_a_list_of_files_in_the_folder_is_to_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("0 init\n0 send 1 0 8\n1 init\n1 recv 0 0 8\n")
    for name in ("list.txt", "0.list"):
        (tmp_path / name).write_text("a.txt\n")
        with pytest.raises(FileFormatError, match=rf"{name} is a list of files; name it"):
            read_trace(tmp_path)
        assert len(read_trace(tmp_path / name)) == 2
        (tmp_path / name).unlink()


@pytest.mark.parametrize(
    "line",
    ["compute -5", "compute nan", "compute 1e400", "compute 1_000", "compute ٣", "sleep -1",
     "sleep inf", "allreduce 8 -1", "send 0 0 1_0"],
)  # fmt: skip
def test_numbers_and_times_that_are_none_are_errors(tmp_path: Path, line: str) -> None:
    with pytest.raises(FileFormatError, match=r"trace.txt line 2"):
        read_trace(write(tmp_path, f"init, {line}"), "ti", speed=1e9)


def test_times_of_months_are_warned_of(tmp_path: Path) -> None:
    path = write(tmp_path, "init, sleep 1e15, barrier")
    with pytest.warns(TraceWarning, match="rank 0, sleep, .*line 2: 1e.15 s pass"):
        read_trace(path)
