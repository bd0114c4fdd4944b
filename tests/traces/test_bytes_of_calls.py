"""Bytes and times of calls: as an independent count of what was written has them."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.programs.traces.reader import read_trace
from contend.programs.traces.summary import Summary, summarise
from support.recordings import RankWriter

Lines = list[list[str]]  # of each rank
COUNTS = st.integers(0, 10_000)


@st.composite
def programs(draw: st.DrawFn) -> tuple[Lines, Counter[str]]:
    """Lines of each rank, and the bytes by action."""
    n = draw(st.integers(2, 4))
    lines: Lines = [[] for _ in range(n)]
    total: Counter[str] = Counter()
    for name in draw(st.lists(st.sampled_from(sorted(ACTIONS)), min_size=1, max_size=8)):
        each = st.lists(COUNTS, min_size=n, max_size=n)
        rows, moved = ACTIONS[name](draw, n, each)
        for rank, row in enumerate(rows):
            lines[rank] += row
        total.update(moved)
    return lines, total


def even(name: str, form: str) -> Callable[..., tuple[Lines, dict[str, int]]]:
    """A call in which each rank has one count."""

    def action(draw: st.DrawFn, n: int, each: st.SearchStrategy[list[int]]) -> object:
        m = draw(COUNTS)
        return [[f"{name} {form.format(m=m)}"]] * n, {name: n * m}

    return action  # type: ignore[return-value]


def message(draw: st.DrawFn, n: int, each: st.SearchStrategy[list[int]]) -> object:
    m = draw(st.integers(1, 10_000))
    lines: Lines = [[] for _ in range(n)]
    lines[0] = [f"send 1 0 {m}", "compute 1e9"]
    lines[1] = [f"irecv 0 0 {m}", "test 0 1 0", "wait 0 1 0"]
    return lines, {"send": m, "irecv": m, "test": 0, "wait": 0}


def listed(name: str, form: str) -> Callable[..., tuple[Lines, dict[str, int]]]:
    """A call in which each rank has a count, and all or some know those of all."""

    def action(draw: st.DrawFn, n: int, each: st.SearchStrategy[list[int]]) -> object:
        counts = draw(each)
        every = " ".join(map(str, counts))
        lines = [[f"{name} {form.format(own=own, every=every)}"] for own in counts]
        return lines, {name: sum(counts)}

    return action  # type: ignore[return-value]


def alltoallv(draw: st.DrawFn, n: int, each: st.SearchStrategy[list[int]]) -> object:
    matrix = [draw(each) for _ in range(n)]
    lines = []
    for rank, sent in enumerate(matrix):
        got = [row[rank] for row in matrix]
        words = [sum(sent), *sent, sum(got), *got]
        lines.append([f"alltoallv {' '.join(map(str, words))}"])
    return lines, {"alltoallv": sum(map(sum, matrix))}


def reduce_scatter(draw: st.DrawFn, n: int, each: st.SearchStrategy[list[int]]) -> object:
    counts = draw(each)
    line = f"reducescatter {' '.join(map(str, counts))} 0"
    return [[line]] * n, {"reducescatter": n * sum(counts)}


ACTIONS: dict[str, Callable[..., tuple[Lines, dict[str, int]]]] = {
    name: even(name, form)
    for name, form in {
        "bcast": "{m} 0", "reduce": "{m} 1e6 0", "allreduce": "{m} 1e6", "scan": "{m} 0",
        "exscan": "{m} 0", "gather": "{m} {m} 0", "scatter": "{m} {m} 0", "allgather": "{m} {m}",
        "alltoall": "{m} {m}",
    }.items()
} | {
    name: listed(name, form)
    for name, form in {
        "gatherv": "{own} {every} 0", "scatterv": "{every} {own} 0", "allgatherv": "{own} {every}",
    }.items()
} | {
    "message": message, "alltoallv": alltoallv, "reducescatter": reduce_scatter,
}  # fmt: skip


def summary_of(lines: Lines) -> Summary:
    with TemporaryDirectory() as folder:
        path = Path(folder, "trace.txt")
        text = [f"{rank} {line}\n" for rank, own in enumerate(lines) for line in ["init", *own]]
        path.write_text("".join(text))
        return summarise(read_trace(path))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(programs())
def test_a_time_independent_trace_has_the_bytes_of_its_counts(
    program: tuple[Lines, Counter[str]],
) -> None:
    lines, total = program
    found = summary_of(lines).calls.set_index("call")["bytes"].to_dict()
    found.pop("compute", None)
    assert found == dict(total)


@pytest.mark.parametrize(
    ("rest", "size"), [("", 1), ("1", 4), ("1 1", 4), ("0 10 30", 1), ("1 0 10 30", 4)]
)
def test_displacements_after_counts_are_no_datatype(rest: str, size: int) -> None:
    lines = [[f"allgatherv {own} 10 20 30 {rest}"] for own in (10, 20, 30)]
    assert summary_of(lines).calls["bytes"].tolist() == [60 * size]


def test_computation_counted_in_operations_needs_no_speed() -> None:
    found = summary_of([["compute 1e9", "send 1 0 1000", "allreduce 8 5e8"],
                        ["recv 0 0 1000", "allreduce 8 0"]])  # fmt: skip
    assert found.computed_operations == 1.5e9
    assert found.computed_s != found.computed_s  # no number
    assert found.bytes == 1000


POLLS = st.lists(st.tuples(st.sampled_from(["Test", "Iprobe"]), st.integers(1, 10**9)), min_size=1)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(POLLS)
def test_polls_have_the_time_within_them_and_no_bytes(polls: list[tuple[str, int]]) -> None:
    writer = RankWriter(0, 1).world()
    now = 0
    for name, within in polls:
        writer.add(name, now, now + 2 * within, flags=256, bytes=within, received=3)
        now += 3 * within
    writer.add("Finalize", now, now)
    with TemporaryDirectory() as folder:
        writer.write(Path(folder))
        table = summarise(read_trace(folder)).calls.set_index("call")
    assert table["bytes"].sum() == 0
    for name in {name for name, _ in polls}:
        wanted = sum(within for one, within in polls if one == name) / 1e9
        assert table.loc[f"MPI_{name}", "seconds"] == pytest.approx(wanted)


def test_a_persistent_message_has_its_bytes_where_it_starts(tmp_path: Path) -> None:
    writer, other = RankWriter(0, 2).world(), RankWriter(1, 2).world()
    writer.add("Send_init", 0, 10, peer=1, bytes=100, flags=8 | 64)
    other.add("Barrier", 0, 10)
    for at in (20, 40):
        writer.add("Start", at, at + 1, peer=1, bytes=100, flags=8 | 64, request=at, received=11)
        writer.add("Wait", at + 2, at + 3, (at, -3, 0, 0))
        other.add("Recv", at, at + 5, peer=0, bytes=100)
    for one in (writer, other):
        one.add("Finalize", 50, 50)
        one.write(tmp_path)
    table = summarise(read_trace(tmp_path)).calls.set_index("call")["bytes"].to_dict()
    assert (table["MPI_Send_init"], table["MPI_Start"], table["MPI_Recv"]) == (0, 200, 200)
