"""Files of `contend record`, as they are read."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import FileFormatError
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.reader import read_trace
from contend.programs.traces.recording import communicators, rows
from support.recordings import RECEIVES, SENDS, RankWriter

pytestmark = pytest.mark.filterwarnings("ignore:.* ends early")


def pair(folder: Path, order: str = "<") -> None:
    """A message of 100 B from rank 0, which rank 1 takes without asking from whom."""
    sender, receiver = RankWriter(0, 2, order).world(), RankWriter(1, 2, order).world()
    sender.add("Init", 0, 1000)
    sender.add("Send", 3000, 4000, peer=1, tag=7, bytes=100)
    sender.add("Finalize", 5000, 9000)
    receiver.add("Init", 0, 1000)
    receiver.add("Irecv", 1500, 1600, peer=-3, flags=2 | RECEIVES, bytes=400, request=1)
    receiver.add("Wait", 2000, 4500, (1, 0, 7, 100))
    receiver.add("Finalize", 5000, 9000)
    for one in (sender, receiver):
        one.write(folder)


def test_flags_and_peers_are_those_of_the_recorder() -> None:
    header = (Path(__file__).parents[2] / "mpi/interpose/record/record.h").read_text()
    found = re.findall(r"CONTEND_(\w+)\s*=\s*(-?\d+)", header)
    theirs = {name: int(value) for name, value in found}
    ours = vars(rows) | vars(communicators)
    read = ("FAILED", "ANY_SOURCE", "ANY_TAG", "SENDS", "RECEIVES", "COLLECTS", "UNSUCCESSFUL",
            "NO_PEER", "NOT_RECEIVED", "INTER", "CUT")  # fmt: skip
    assert {name: ours[name] for name in read} == {name: theirs[name] for name in read}


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_receive_is_what_its_wait_has_found(tmp_path: Path, order: str) -> None:
    pair(tmp_path, order)
    trace = read_trace(tmp_path)
    row = int(np.flatnonzero(trace.kind == OpKind.RECEIVE)[0])
    assert (trace.peer[row], trace.tag[row], trace.bytes[row]) == (0, 7, 100)
    wait = int(np.flatnonzero(trace.kind == OpKind.WAIT)[0])
    assert trace.list_of(wait).tolist() == [trace.request[row]]


def test_time_between_calls_is_computation_but_for_what_the_recorder_took(tmp_path: Path) -> None:
    writer = RankWriter(0, 1).world()
    writer.add("Init", 0, 1000)
    writer.add("Barrier", 4000, 5000)
    writer.add("flush", 5500, 9500, comm=-1)
    writer.add("Barrier", 10000, 11000)
    writer.add("File_open", 12000, 20000)
    writer.write(tmp_path)
    trace = read_trace(tmp_path)
    assert trace.seconds == pytest.approx([0, 3e-6, 1e-6, 1e-6 + 8e-6])
    assert trace.start == pytest.approx([0, 4e-6, 10e-6, 12e-6])


def test_what_is_written_within_a_call_makes_no_computation(tmp_path: Path) -> None:
    """The recorder finds the clocks within MPI_Finalize, and may write then."""
    writer = RankWriter(0, 1).world()
    writer.add("Barrier", 4000, 5000)
    writer.add("flush", 8000, 9000, comm=-1)
    writer.add("flush", 9000, 9500, comm=-1)
    writer.add("Finalize", 6000, 10000)
    writer.write(tmp_path)
    assert read_trace(tmp_path).seconds == pytest.approx([0, 1e-6])


def test_polls_that_find_nothing_take_no_time(tmp_path: Path) -> None:
    writer = RankWriter(0, 1).world()
    writer.add("Test", 1000, 5000, flags=256, bytes=3000, received=40)
    writer.add("Barrier", 5500, 6000)
    writer.write(tmp_path)
    assert read_trace(tmp_path).seconds == pytest.approx([0, 0.5e-6])


def test_times_are_of_one_clock_that_drifts_in_a_straight_line(tmp_path: Path) -> None:
    """Rank 1's clock is a second behind, and loses 100 us in a second."""
    RankWriter(0, 2).world().write(tmp_path)
    first = RankWriter(0, 2).world()
    first.add("clock", 0, 0)
    first.add("Barrier", 2 * 10**9, 2 * 10**9)
    other = RankWriter(1, 2).world()
    other.add("clock", -(10**9), -(10**9), bytes=10**9)
    other.add("Barrier", 10**9 - 200_000, 10**9 - 200_000)
    other.add("clock", 3 * 10**9 - 400_000, 3 * 10**9 - 400_000, bytes=10**9 + 400_000)
    for one in (first, other):
        one.write(tmp_path)
    trace = read_trace(tmp_path)
    assert trace.start[0] == pytest.approx(trace.start[1], abs=1e-7)


def test_a_sendrecv_is_a_receive_a_send_and_a_wait(tmp_path: Path) -> None:
    writer = RankWriter(0, 1).world()
    writer.add("Sendrecv", 1000, 2000, (0, 5, 60), peer=0, tag=4, bytes=50)
    writer.add("Sendrecv", 3000, 4000, (-1, 5, 0), peer=0, tag=4, bytes=50)
    writer.write(tmp_path)
    trace = read_trace(tmp_path)
    kinds = [OpKind.RECEIVE, OpKind.SEND, OpKind.WAIT]
    assert trace.kind.tolist() == [*kinds, OpKind.TIME, *kinds[1:]]
    assert trace.bytes[:3].tolist() == [60, 50, 0]
    assert trace.list_of(2).tolist() == trace.request[:2].tolist()
    assert trace.list_of(5).tolist() == [trace.request[4]]
    assert trace.end[2] - trace.start[2] == pytest.approx(1e-6)


def test_each_start_is_a_message_of_its_request(tmp_path: Path) -> None:
    writer = RankWriter(0, 1).world()
    made_by = 11  # Send_init
    writer.add("Send_init", 0, 10, peer=0, bytes=8, flags=SENDS | 64)
    for request in (1, 2):
        start = 1000 * request
        writer.add("Start", start, start + 10, peer=0, bytes=8, flags=SENDS | 64, request=request,
                   received=made_by)  # fmt: skip
        writer.add("Wait", start + 20, start + 30, (request, -3, 0, 0))
    writer.write(tmp_path)
    trace = read_trace(tmp_path)
    assert trace.kind.tolist() == [OpKind.TIME, *[OpKind.SEND, OpKind.WAIT] * 2]
    assert [trace.list_of(row).tolist() for row in (2, 4)] == [[0], [1]]


def test_a_request_of_before_is_not_waited_for(tmp_path: Path) -> None:
    writer = RankWriter(0, 1).world()
    writer.add("Wait", 20, 30, (9, -3, 0, 0))
    writer.write(tmp_path)
    assert read_trace(tmp_path).list_of(0).size == 0


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    pair(tmp_path)
    (tmp_path / "rank-1.trace").unlink()
    with pytest.raises(FileFormatError, match=r"rank-1\.trace"):
        read_trace(tmp_path)


def test_a_title_of_more_ranks_than_files_costs_nothing(tmp_path: Path) -> None:
    pair(tmp_path)
    title = tmp_path / "trace.txt"
    title.write_text(title.read_text().replace("ranks 2", "ranks 999999999"))
    with pytest.raises(FileFormatError, match=r"999999999 ranks, .* no rank-999999998\.trace"):
        read_trace(tmp_path)


def test_what_no_rank_can_have_written_is_refused(tmp_path: Path) -> None:
    for known, why in (({"comm": 5}, "communicator 5"), ({"peer": 3}, "rank 3")):
        writer = RankWriter(0, 1).world()
        writer.add("Send", 0, 10, bytes=8, **known)
        writer.write(tmp_path)
        with pytest.raises(FileFormatError, match=why):
            read_trace(tmp_path)


def test_damage_is_an_error_or_the_end_of_the_file(tmp_path: Path) -> None:
    """By some flipped bits anywhere; of a single bit the checksums miss none."""
    pair(tmp_path)
    whole = len(read_trace(tmp_path))
    path = tmp_path / "rank-1.trace"
    data = path.read_bytes()
    random = np.random.default_rng(1)
    for at in range(0, len(data), 9):
        damaged = bytearray(data)
        damaged[at] ^= 1 << int(random.integers(8))
        path.write_bytes(bytes(damaged))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            trace = read_trace(tmp_path)
        assert "rank 1" in str(caught[0].message)
        assert str(path) in str(caught[0].message)
        assert "damaged" in trace.cut[1]
        assert len(trace) < whole


def test_a_file_cut_off_anywhere_is_said_to_be(tmp_path: Path) -> None:
    pair(tmp_path)
    path = tmp_path / "rank-1.trace"
    data = path.read_bytes()
    counts = []
    for length in range(0, len(data), 9):
        path.write_bytes(data[:length])
        with pytest.warns(UserWarning, match=r"ends early: rank 1: (MPI_Finalize|.*rank-1\.trace)"):
            counts.append(len(read_trace(tmp_path)))
    assert counts == sorted(counts)


def test_a_whole_trace_warns_of_nothing(tmp_path: Path) -> None:
    pair(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not read_trace(tmp_path).is_cut


def test_files_of_several_runs_are_refused(tmp_path: Path) -> None:
    pair(tmp_path)
    other = RankWriter(1, 2, run=7).world()
    other.write(tmp_path / "other")
    foreign = (tmp_path / "other" / "rank-1.trace").read_bytes()
    block = foreign[foreign.index(b"\nend\n") + 5 :]
    path = tmp_path / "rank-1.trace"
    own = path.read_bytes()
    for content, why in ((foreign, "run 0000000000000007"), (own + block, "of another run")):
        path.write_bytes(content)
        with pytest.raises(FileFormatError, match=why) as caught:
            read_trace(tmp_path)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize("version", [1, 3, 4, 17])
def test_files_of_another_version_are_refused(tmp_path: Path, version: int) -> None:
    """Versions are not mixed, and a later one names what reads it."""
    pair(tmp_path)
    path = tmp_path / "trace.txt"
    path.write_text(path.read_text().replace("contend trace 2", f"contend trace {version}"))
    why = f"of version 2, .* of version {version};" if version <= 3 else "1 to 3 are read here"
    with pytest.raises(FileFormatError, match=why) as caught:
        read_trace(tmp_path)
    assert str(path) in str(caught.value)


def test_files_of_the_first_version_are_read(tmp_path: Path) -> None:
    writer = RankWriter(0, 1, run=None).world()
    writer.add("Barrier", 1000, 2000)
    writer.add("Finalize", 3000, 4000)
    writer.write(tmp_path)
    assert (tmp_path / "rank-0.trace").read_bytes().startswith(b"contend trace of a rank 1\n")
    trace = read_trace(tmp_path)
    assert [trace.calls[call] for call in trace.call] == ["MPI_Barrier", "MPI_Finalize"]
    assert not trace.is_cut


def test_requests_are_counted_from_0(tmp_path: Path) -> None:
    """A replay keeps a place for each number up to the largest."""
    writer = RankWriter(0, 1).world()
    writer.add("Sendrecv", 1000, 2000, (0, 5, 60), peer=0, tag=4, bytes=50)
    writer.add("Isend", 3000, 3100, peer=0, bytes=8, flags=SENDS, request=900_000)
    writer.add("Wait", 3200, 3300, (900_000, -3, 0, 0))
    writer.write(tmp_path)
    trace = read_trace(tmp_path)
    assert sorted(trace.request[trace.request >= 0].tolist()) == [0, 1, 2]
    assert trace.list_of(4).tolist() == [trace.request[3]]
