"""Timelines: who waits for whom, what a page holds, and how large it is."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgba

from contend.base.errors import InvalidInputError
from contend.programs.replay import Line, replay
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.matching import ends_of
from contend.programs.traces.trace import Trace
from contend.report.canvas.inline import on_page
from contend.report.figures.timeline import COLUMNS, MOST_INTERVALS, timeline_drawing
from contend.report.timelines.kinds import Activity, activities
from contend.report.timelines.timeline import (
    binned,
    shares,
    spread,
    timeline_of,
    timeline_of_replay,
)
from contend.report.timelines.wait_states import waiting_of
from support.pictures import drawn, names, only

MOST_BYTES = 600_000


def timed(builder: TraceBuilder, *ranks: list[tuple[float, float]]) -> Trace:
    """The trace with the times of the operations of each rank."""
    times = np.array([pair for rank in ranks for pair in rank], dtype=float).reshape(-1, 2)
    return replace(builder.trace(), start=times[:, 0].copy(), end=times[:, 1].copy())


def test_a_receive_waits_until_the_send_begins_and_the_rest_is_the_network() -> None:
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.SEND, "MPI_Send", peer=1, bytes=8)
    builder.rank(1).add(OpKind.RECEIVE, "MPI_Recv", peer=0, bytes=8)
    trace = timed(builder, [(5.0, 5.5)], [(1.0, 6.0)])
    found = waiting_of(trace)
    assert found.seconds.tolist() == [0.0, 4.0]
    assert found.rank.tolist() == [-1, 0]


def test_the_wait_of_a_request_waits_for_what_began_last() -> None:
    builder = TraceBuilder(3)
    for number, peer in enumerate((1, 2)):
        builder.rank(0).add(OpKind.RECEIVE, "MPI_Irecv", peer=peer, bytes=8, request=number)
    builder.rank(0).add(OpKind.WAIT, "MPI_Waitall", list=[0, 1])
    builder.rank(0).add(OpKind.RECEIVE, "MPI_Irecv", peer=1, bytes=8, request=0)  # never waited for
    for rank in (1, 2):
        builder.rank(rank).add(OpKind.SEND, "MPI_Send", peer=0, bytes=8)
    builder.rank(1).add(OpKind.SEND, "MPI_Send", peer=0, bytes=8)
    trace = timed(builder, [(0, 0), (0, 0), (1, 9), (9, 9.1)], [(6.0, 6.1), (20, 21)], [(4.0, 4.1)])
    assert ends_of(trace).tolist()[:4] == [2, 2, 2, 3]
    found = waiting_of(trace)
    assert found.seconds.tolist()[:4] == [0.0, 0.0, 5.0, 0.0]
    assert found.rank[2] == 1


@pytest.mark.parametrize(
    ("kind", "root", "expected"),
    [
        (OpKind.BARRIER, -1, [2.0, 0.0, 1.0]),  # all for rank 1, which comes last
        (OpKind.ALLREDUCE, -1, [2.0, 0.0, 1.0]),
        (OpKind.BCAST, 2, [1.0, 0.0, 0.0]),  # for the root alone
        (OpKind.REDUCE, 0, [2.0, 0.0, 0.0]),  # the root alone
        (OpKind.SCAN, -1, [0.0, 0.0, 0.0]),
    ],
)
def test_a_collective_waits_for_those_whose_data_it_needs(
    kind: OpKind, root: int, expected: list[float]
) -> None:
    builder = TraceBuilder(3)
    for rank in range(3):
        builder.rank(rank).add(kind, "MPI_C", peer=root, bytes=8)
    found = waiting_of(timed(builder, [(1, 9)], [(3, 9)], [(2, 9)]))
    assert found.seconds.tolist() == expected


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 10), st.floats(0, 10)), max_size=20),
    st.integers(1, 40),
)
def test_bins_hold_the_whole_time_of_all_intervals(
    intervals: list[tuple[int, float, float]], bins: int
) -> None:
    row = np.array([one[0] for one in intervals], dtype=np.int64)
    begin = np.array([min(one[1:]) for one in intervals])
    end = np.array([max(one[1:]) for one in intervals])
    found = spread(row, begin, end, 4, 10.0, bins)
    edges = np.linspace(0, 10, bins + 1)
    for number in range(4):
        own = row == number
        inside = np.minimum(end[own, None], edges[1:]) - np.maximum(begin[own, None], edges[:-1])
        expected = np.maximum(inside, 0).sum(axis=0) * bins / 10
        assert found[number] == pytest.approx(expected, abs=1e-9)


def busy(ranks: int, calls: int, seed: int = 1) -> Trace:
    """Ranks that compute and call: messages to the next rank, and collectives."""
    rng = np.random.default_rng(seed)
    each = calls // ranks
    kinds = np.array([OpKind.RECEIVE, OpKind.SEND, OpKind.WAIT, OpKind.ALLREDUCE], dtype=np.int8)
    call = np.tile(np.arange(each) % 4, ranks).astype(np.int16)
    rank = np.repeat(np.arange(ranks), each)
    start = np.cumsum(rng.uniform(0.5e-3, 1.5e-3, (ranks, each)), axis=1).ravel()
    peer = np.select([call == 0, call == 1], [(rank - 1) % ranks, (rank + 1) % ranks], -1)
    nothing = np.zeros(call.size, dtype=np.int32)
    return Trace(
        ranks=ranks,
        first=np.arange(ranks + 1, dtype=np.int64) * each,
        kind=kinds[call],
        call=call,
        peer=peer.astype(np.int32),
        tag=nothing,
        bytes=np.where(call == 2, 0, 100),
        comm=nothing,
        request=np.where(call == 0, 0, -1).astype(np.int32),
        list=np.where(call == 2, 0, -1).astype(np.int32),
        seconds=np.zeros(call.size),
        line=nothing - 1,
        calls=("MPI_Irecv", "MPI_Send", "MPI_Wait", "MPI_Allreduce"),
        communicators=(np.arange(ranks, dtype=np.int64),),
        list_offsets=np.array([0, 1], dtype=np.int64),
        list_values=np.array([0], dtype=np.int64),
        start=start,
        end=start + 0.3e-3,
    )


def test_a_small_trace_is_shown_interval_by_interval_with_all_its_messages() -> None:
    timeline = timeline_of(busy(4, 80))
    drawing = timeline_drawing(timeline, "t", "lead.")
    assert drawing.remark == "lead. All 20 messages are drawn as arrows."
    axes, tips = drawn(only(drawing))
    assert len(tips) == timeline.rank.size
    lengths = {(tip.y, tip.x): tip.right - tip.x for tip in tips}
    expected = (timeline.end - timeline.begin).tolist()
    assert sorted(lengths.values()) == pytest.approx(sorted(expected))
    assert {tip.text.split(":")[0] for tip in tips} >= {"rank 0, MPI_Irecv", "rank 3, computation"}
    waits = timeline.waiting > 0
    said = [tip.text.split("\n")[1] for tip in tips if "\n" in tip.text]
    assert [text.split()[-1] for text in said] == list(map(str, timeline.awaited[waits]))
    assert all(text.startswith("waits ") for text in said)
    shapes = [patch for patch in axes.patches if hasattr(patch, "get_width")]
    busy_for = sum(shape.get_width() for shape in shapes)
    assert busy_for == pytest.approx(float((timeline.end - timeline.begin).sum()))


@pytest.mark.parametrize(("ranks", "calls"), [(64, 1_000_000), (1500, 90_000)])
def test_a_picture_of_any_trace_is_small_and_says_what_it_leaves_out(
    ranks: int, calls: int
) -> None:
    timeline = timeline_of(busy(ranks, calls))
    assert timeline.rank.size > MOST_INTERVALS
    drawing = timeline_drawing(timeline, "t")
    assert len(on_page(drawing).encode()) < MOST_BYTES
    there = f"{timeline.messages.count:,}".replace(",", " ")
    assert f"400 of {there} messages are drawn" in drawing.remark
    assert "are too many to draw" in drawing.remark
    assert ("Each row is 3 ranks." in drawing.remark) == (ranks > 512)
    axes, tips = drawn(only(drawing))
    assert tips == []
    assert axes.images[0].get_array().shape[:2] == (min(ranks, 500), COLUMNS)


def test_a_column_has_the_colour_of_what_takes_most_of_it() -> None:
    timeline = timeline_of(busy(8, 40_000))
    axes, _ = drawn(only(timeline_drawing(timeline, "t")))
    share = binned(timeline, COLUMNS)
    most = share[:, :, 1:].argmax(axis=2) + 1
    cells = axes.images[0].get_array()
    is_busy = share.max(axis=2) > 0
    kinds = [Activity(kind) for kind in np.unique(most[is_busy])]
    assert len(kinds) > 1
    for kind in kinds:
        own = np.unique(cells[(most == kind) & is_busy], axis=0)
        assert own == pytest.approx(np.array([to_rgba(kind.colour)]))


def test_the_curve_above_the_ranks_is_how_many_messages_are_under_way() -> None:
    timeline = timeline_of(busy(4, 80))
    axes, _ = drawn(only(timeline_drawing(timeline, "t")))
    (curve,) = [patch for patch in axes.patches if hasattr(patch, "get_data")]
    values, edges, base = curve.get_data()
    greatest = timeline.flight.max()
    assert (base - values) / (base - values.min()) == pytest.approx(timeline.flight / greatest)
    assert edges[[0, -1]] == pytest.approx([0.0, timeline.seconds])
    assert base < -0.5
    assert f"at most {greatest:.3g}" in axes.texts[0].get_text()


def test_shares_of_all_activities_are_the_whole_time() -> None:
    timeline = timeline_of(busy(4, 400))
    assert sum(shares(timeline).values()) == pytest.approx(1.0)
    share = binned(timeline, 4096)
    exact = np.array([shares(timeline)[kind] for kind in Activity])
    assert share.mean(axis=(0, 1))[1:] == pytest.approx(exact[1:], abs=1e-4)
    assert share.shape[2] == len(Activity)


def test_every_kind_of_call_has_a_colour_and_a_hatch_of_its_own() -> None:
    calls = [kind for kind in Activity if kind not in (Activity.NOTHING, Activity.COMPUTATION)]
    assert len({kind.colour for kind in calls}) == len(calls)
    assert len({kind.hatch for kind in calls}) == len(calls)
    builder = TraceBuilder(1)
    for kind in OpKind:
        builder.rank(0).add(kind, "MPI_Test" if kind == OpKind.TIME else kind.name, peer=0)
    found = activities(builder.trace()).tolist()
    assert found[0] == Activity.WAIT
    assert Activity.OTHER not in found


def test_a_replay_has_a_timeline_with_its_messages_under_way() -> None:
    builder = TraceBuilder(2)
    builder.rank(0).compute(1.0)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=1000)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=1000)
    found = replay(builder.trace(), Line(0.0, 1000.0), is_recorded=True, has_traffic=True)
    timeline = timeline_of_replay(found)
    assert timeline.seconds == pytest.approx(2.0)
    share = shares(timeline)
    assert share[Activity.WAITING] == pytest.approx(0.25)
    assert share[Activity.COMPUTATION] == pytest.approx(0.25)  # before the first call
    assert timeline.flight.mean() == pytest.approx(0.5)
    half = timeline.flight.size // 2
    assert timeline.flight[: half - 1].max() == 0.0
    assert timeline.flight[half + 1 :] == pytest.approx(1.0)


def test_a_replay_that_kept_nothing_has_none() -> None:
    builder = TraceBuilder(1)
    builder.rank(0).add(OpKind.BARRIER, "barrier")
    with pytest.raises(InvalidInputError, match="has_traffic"):
        timeline_of_replay(replay(builder.trace(), Line(0.0, 1.0)))


@pytest.mark.parametrize("calls", [80, 8000])
def test_a_picture_has_a_legend_of_what_is_there(calls: int) -> None:
    axes, _ = drawn(only(timeline_drawing(timeline_of(busy(4, calls)), "t")))
    expected = {Activity.RECEIVE, Activity.SEND, Activity.WAIT, Activity.COLLECTIVE}
    assert {kind.title for kind in expected} <= {name.split(",")[0] for name in names(axes)}


def test_names_of_a_trace_cannot_become_markup() -> None:
    trace = replace(busy(2, 16), calls=("</title><b>", "<i>", "a", "b"))
    page = on_page(timeline_drawing(timeline_of(trace), "<u>"))
    assert not re.search("<b>|<i>|<u>|<s>", page)
    assert "&lt;/title&gt;&lt;b&gt;" in page
