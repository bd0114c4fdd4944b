"""Time-independent traces and timelines."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.reader import read_trace
from contend.programs.traces.summary import summarise
from contend.programs.traces.trace import Trace
from contend.programs.traces.writer import WRITERS
from support.recordings import RECEIVES, RankWriter

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-2" speed="1Gf" bw="125MBps" lat="10us"/>
</platform>
"""


def exchange(ranks: int = 3) -> Trace:
    """Two messages of each rank to the next with one tag, taken in waits, and collectives."""
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        own = builder.rank(rank)
        own.compute(0.25)
        before, after = (rank - 1) % ranks, (rank + 1) % ranks
        for i in range(2):
            own.add(OpKind.RECEIVE, "Irecv", peer=before, tag=1, bytes=1000 + i, request=i)
        for i in range(2):
            own.add(OpKind.SEND, "Isend", peer=after, tag=1, bytes=1000 + i, request=2 + i)
        own.add(OpKind.WAIT, "Waitall", list=[0, 1, 2, 3])
        own.add(OpKind.ALLTOALLV, "Alltoallv", list=[10 * rank + i for i in range(ranks)])
        own.add(OpKind.ALLREDUCE, "Allreduce", bytes=80)
        own.add(OpKind.BCAST, "Bcast", bytes=500, peer=1)
    return builder.trace()


def test_messages_of_one_tag_are_told_apart_by_number(tmp_path: Path) -> None:
    WRITERS.get("ti").write(exchange(), tmp_path / "trace")
    lines = (tmp_path / "trace_files" / "rank-1.txt").read_text().splitlines()
    assert lines == [
        "1 init", "1 compute 250000000",
        "1 irecv 0 0 1000", "1 irecv 0 1 1001", "1 isend 2 0 1000", "1 isend 2 1 1001",
        "1 wait 0 1 0", "1 wait 0 1 1", "1 wait 1 2 0", "1 wait 1 2 1",
        "1 alltoallv 33 10 11 12 33 1 11 21", "1 allreduce 80 0", "1 bcast 500 1", "1 finalize",
    ]  # fmt: skip


def test_collectives_of_ranks_with_bytes_of_their_own_have_them_all(tmp_path: Path) -> None:
    builder = TraceBuilder(2)
    for rank in range(2):
        own = builder.rank(rank)
        own.add(OpKind.GATHERV, "Gatherv", bytes=10 + rank, list=[10, 11], peer=1)
        own.add(OpKind.SCATTERV, "Scatterv", bytes=20 + rank, list=[20, 21], peer=1)
        own.add(OpKind.ALLGATHERV, "Allgatherv", bytes=30 + rank, list=[30, 31])
        own.add(OpKind.REDUCE_SCATTER, "Reduce_scatter", list=[40, 41])
        own.add(OpKind.REDUCE, "Reduce", bytes=50, peer=1)
        own.add(OpKind.SCATTER, "Scatter", bytes=60, peer=1)
    WRITERS.get("ti").write(builder.trace(), tmp_path / "trace")
    lines = (tmp_path / "trace_files" / "rank-1.txt").read_text().splitlines()
    assert lines[1:-1] == [
        "1 gatherv 11 10 11 1", "1 scatterv 20 21 21 1", "1 allgatherv 31 30 31",
        "1 reducescatter 40 41 0", "1 reduce 50 0 1", "1 scatter 60 60 1",
    ]  # fmt: skip


def test_what_is_written_for_smpi_is_read_as_the_same_messages(tmp_path: Path) -> None:
    trace = exchange()
    WRITERS.get("ti").write(trace, tmp_path / "trace")
    back = read_trace(tmp_path / "trace", "ti", speed=1e9)
    ours, theirs = match(trace), match(back)
    assert trace.bytes[ours.sends].tolist() == back.bytes[theirs.sends].tolist()
    assert trace.peer[ours.sends].tolist() == back.peer[theirs.sends].tolist()
    assert theirs.lost_receives.size == 0
    assert back.seconds.sum() == pytest.approx(trace.seconds.sum())
    collective = [trace.kind[trace.kind >= OpKind.BARRIER], back.kind[back.kind >= OpKind.BARRIER]]
    assert collective[0].tolist() == collective[1].tolist()


def test_smpi_replays_it(tmp_path: Path) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("SimGrid is not installed")
    WRITERS.get("ti").write(exchange(), tmp_path / "trace")
    (tmp_path / "platform.xml").write_text(PLATFORM)
    (tmp_path / "hosts").write_text("h0\nh1\nh2\n")
    words = "smpirun -np 3 -platform platform.xml -hostfile hosts -replay trace"
    done = subprocess.run(
        words.split(), cwd=tmp_path, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Simulation time 0.25" in done.stderr + done.stdout


def test_what_the_format_cannot_say_is_refused(tmp_path: Path) -> None:
    builder = TraceBuilder(3)
    some = builder.communicator([0, 2])
    for rank in (0, 2):
        builder.rank(rank).add(OpKind.BARRIER, "Barrier", comm=some)
    with pytest.raises(InvalidInputError, match="2 of 3 ranks"):
        WRITERS.get("ti").write(builder.trace(), tmp_path / "trace")
    lonely = TraceBuilder(2)
    lonely.rank(0).add(OpKind.RECEIVE, "Recv", peer=1, bytes=8)
    with pytest.raises(InvalidInputError, match="nothing is sent"):
        WRITERS.get("ti").write(lonely.trace(), tmp_path / "trace")


@pytest.mark.parametrize(("peer", "tag"), [(-1, 0), (1, -1)])
def test_a_send_to_nobody_or_of_no_tag_is_none_of_goal(tmp_path: Path, peer: int, tag: int) -> None:
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.SEND, "Send", peer=1, bytes=8)
    builder.rank(1).add(OpKind.RECEIVE, "Recv", peer=0, bytes=8)
    trace = builder.trace()
    trace.peer[:1], trace.tag[:1] = peer, tag
    with pytest.raises(
        InvalidInputError, match=r"rank 0.*GOAL has sends, receives and computation"
    ):
        WRITERS.get("goal").write(trace, tmp_path / "trace.goal")


def test_a_timeline_has_a_slice_for_each_call_and_an_arrow_for_each_message(tmp_path: Path) -> None:
    sender, receiver = RankWriter(0, 2).world(), RankWriter(1, 2).world()
    sender.add("Send", 3000, 4000, peer=1, tag=7, bytes=100)
    receiver.add("Irecv", 1500, 1600, peer=0, flags=RECEIVES, bytes=400, request=1)
    receiver.add("Wait", 2000, 4500, (1, 0, 7, 100))
    for one in (sender, receiver):
        one.add("Finalize", 5000, 5000)
        one.write(tmp_path)
    target = tmp_path / "timeline.json"
    WRITERS.get("perfetto").write(read_trace(tmp_path), target)
    events = json.loads(target.read_text())["traceEvents"]
    slices = {event["name"]: event for event in events if event["ph"] == "X"}
    assert {name: (one["pid"], one["ts"], one["dur"]) for name, one in slices.items()} == {
        "MPI_Send": (0, 1.5, 1.0), "MPI_Irecv": (1, 0.0, 0.1), "MPI_Wait": (1, 0.5, 2.5),
        "MPI_Finalize": (1, 3.5, 0.0),
    }  # fmt: skip
    arrows = [(one["ph"], one["pid"], one["ts"]) for one in events if one["ph"] in "sf"]
    assert arrows == [("s", 0, 1.5), ("f", 1, 2.999)]


# What Perfetto and Chrome ask of events by their phase (Trace Event Format), beside `ph`.
KEYS = {
    "M": {"pid", "name", "args"},
    "X": {"pid", "tid", "ts", "dur", "name"},
    "s": {"pid", "tid", "ts", "id", "cat", "name"},
    "f": {"pid", "tid", "ts", "id", "cat", "name", "bp"},
}


def test_a_timeline_keeps_the_rules_of_the_format(tmp_path: Path) -> None:
    trace = exchange()
    start = np.concatenate([np.arange(n) * 1e-6 for n in np.diff(trace.first)])
    trace = replace(trace, start=start, end=start + 1e-6)  # each begins where another one ends
    target = tmp_path / "timeline.json"
    WRITERS.get("perfetto").write(trace, target)
    found = json.loads(target.read_text())
    assert set(found) == {"traceEvents", "displayTimeUnit"}
    assert found["displayTimeUnit"] in ("ms", "ns")
    events = found["traceEvents"]
    for event in events:
        assert KEYS[event["ph"]] <= set(event)
        assert all(event.get(key, 0) >= 0 for key in ("ts", "dur"))
    slices = [one for one in events if one["ph"] == "X"]
    ends: dict[int, list[dict]] = {}
    for event in events:
        if event["ph"] in "sf":
            ends.setdefault(event["id"], []).append(event)
    assert len(ends) == match(trace).sends.size
    for first, last in ends.values():
        assert (first["ph"], last["ph"], last["bp"]) == ("s", "f", "e")
        inside = [
            [
                one["name"]
                for one in slices
                if one["pid"] == event["pid"]
                and one["ts"] <= event["ts"] < round(one["ts"] + one["dur"], 3)
            ]
            for event in (first, last)
        ]
        assert inside == [["Isend"], ["Waitall"]]


def test_a_trace_without_times_has_no_timeline(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="without times"):
        WRITERS.get("perfetto").write(exchange(), tmp_path / "timeline.json")


def test_a_summary_counts_calls_messages_and_bytes() -> None:
    summary = summarise(exchange())
    assert (summary.messages, summary.bytes, summary.lost) == (6, 3 * 2001, 0)
    assert summary.computed_s == pytest.approx(0.75)
    counted = dict(zip(summary.calls["call"], summary.calls["calls"], strict=True))
    assert counted == {"Irecv": 6, "Isend": 6, "Waitall": 3, "Alltoallv": 3, "Allreduce": 3,
                       "Bcast": 3}  # fmt: skip
