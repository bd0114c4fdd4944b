"""Timelines: who waits for whom, what a page holds, and how large it is."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.errors import InvalidInputError
from contend.figures.timeline import timeline_drawing
from contend.replay import Line, replay
from contend.timelines.binning import KINDS, binned
from contend.timelines.kinds import Activity, activities
from contend.timelines.page import timeline_page
from contend.timelines.page_data import MOST_INTERVALS, packed, page_data, remarks, shares
from contend.timelines.replayed import timeline_of_replay
from contend.timelines.spread import spread
from contend.timelines.timeline import Timeline, timeline_of
from contend.timelines.waiting import waiting_of
from contend.traces.builder import TraceBuilder
from contend.traces.kinds import OpKind
from contend.traces.matching import ends_of
from contend.traces.trace import Trace
from drawn import drawn, names, only

MOST_BYTES = 1_500_000


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


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1].replace("\\u003c", "<"))


def test_a_small_trace_is_shown_interval_by_interval_with_all_its_messages() -> None:
    timeline = timeline_of(busy(4, 80))
    data = data_of(timeline_page(timeline, "t", "lead"))
    assert len(data["intervals"]) == timeline.rank.size
    assert len(data["messages"]) == timeline.messages.count == 20
    assert {row[3] for row in data["intervals"]} >= {Activity.COMPUTATION, Activity.COLLECTIVE}
    shown = sum(row[2] for row in data["intervals"]) / data["units"] * timeline.seconds
    assert shown == pytest.approx(float((timeline.end - timeline.begin).sum()), rel=1e-3)


@pytest.mark.parametrize(("ranks", "calls"), [(64, 1_000_000), (1500, 90_000)])
def test_a_page_of_any_trace_is_small_and_says_what_it_leaves_out(ranks: int, calls: int) -> None:
    timeline = timeline_of(busy(ranks, calls))
    assert timeline.rank.size > MOST_INTERVALS
    page = timeline_page(timeline, "t", "lead")
    assert len(page.encode()) < MOST_BYTES
    there = f"{timeline.messages.count:,}".replace(",", " ")
    assert f"3 000 of {there} messages are drawn" in page
    data = data_of(page)
    rows = -(-ranks // data["step"])
    assert len(base64.b64decode(data["cells"])) == 2 * rows * data["bins"]
    assert rows <= 512


def test_the_two_largest_shares_of_a_cell_are_kept() -> None:
    timeline = timeline_of(busy(8, 40_000))
    found = binned(timeline, most_cells=8 * 50)
    cells = np.frombuffer(packed(found), dtype=np.uint8).reshape(8, -1, 2)
    exact = found.share[:, :, 1:]
    assert ((cells[:, :, 0] >> 4) == exact.argmax(axis=2) + 1).all()
    kept = (cells[:, :, 1] >> 4).astype(int) / 15
    assert kept == pytest.approx(exact.max(axis=2), abs=0.5 / 15 + 1e-6)


def test_shares_of_all_activities_are_the_whole_time() -> None:
    timeline = timeline_of(busy(4, 400))
    assert sum(shares(timeline).values()) == pytest.approx(1.0)
    share = binned(timeline).share
    exact = np.array([shares(timeline)[kind] for kind in Activity])
    assert share.mean(axis=(0, 1))[1:] == pytest.approx(exact[1:], abs=1e-4)
    assert share.shape[2] == KINDS


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
    assert {kind.title for kind in expected} <= set(names(axes))


def test_names_of_a_trace_cannot_become_markup(tmp_path: Path) -> None:
    trace = replace(busy(2, 16), calls=("</script><b>", "<i>", "a", "b"))
    page = timeline_page(timeline_of(trace), "<u>", "<s>")
    assert not re.search("<b>|<i>|<u>|<s>", page)
    assert data_of(page)["calls"][0] == "</script><b>"


def test_nothing_is_left_out_in_silence() -> None:
    few: Timeline = timeline_of(busy(4, 80))
    assert remarks(few) == ["All 20 messages are drawn as arrows."]
    assert len(page_data(few)["messages"]) == 20
