"""Traces of programs that end early, or cannot be written."""

import numpy as np
import pytest

from contend.programs.replay import Line, replay
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.reader import read_trace
from contend.programs.traces.recording.blocks import RECORD

pytestmark = [
    pytest.mark.mpi, pytest.mark.timeout(120),
    pytest.mark.filterwarnings("ignore:.* ends early"),
]  # fmt: skip

ROUNDS = 300
BUFFER = 64 * 32  # bytes: records of some ten rounds


def sends(trace):
    """How many messages each rank has sent."""
    rows = np.flatnonzero(trace.kind == OpKind.SEND)
    return np.bincount(trace.rank[rows], minlength=trace.ranks).tolist()


def test_a_program_that_ends_well_is_recorded_to_its_end(record):
    done = record("ring.c", ROUNDS, "finalize", ranks=3, buffer=BUFFER)
    assert "".join(done.out.split()) == "right" * 3, done.err
    assert sends(done.trace) == [ROUNDS] * 3
    assert match(done.trace).lost_sends.size == 0
    assert done.trace.calls[done.trace.call[-1]] == "MPI_Finalize"
    assert not done.trace.is_cut


def test_after_sigkill_all_but_the_last_buffer_is_there(record):
    done = record("ring.c", ROUNDS, "kill", ranks=2, buffer=BUFFER)
    assert done.code != 0
    for count in sends(done.trace):
        assert ROUNDS - BUFFER // RECORD.itemsize <= count <= ROUNDS


def test_what_is_there_after_sigkill_is_replayed(record):
    trace = record("ring.c", ROUNDS, "kill", ranks=3, buffer=BUFFER).trace
    assert all("MPI_Finalize is missing" in why for why in trace.cut)
    found = replay(trace, Line(latency=1e-6, bandwidth=1e9))
    assert "last point that all ranks reached" in found.shortfall
    assert min(sends(found.trace)) >= ROUNDS - 2 * BUFFER // RECORD.itemsize


@pytest.mark.parametrize("us", [200, 1700, 5100, 12_300])
def test_sigkill_at_any_moment_leaves_a_part_of_the_trace(record, us):
    done = record("ring.c", 10_000_000, us, ranks=1, buffer=BUFFER)
    assert done.code != 0
    trace = done.trace
    assert "MPI_Finalize is missing" in trace.cut[0] or "cut off" in trace.cut[0]
    rows = np.flatnonzero(trace.kind == OpKind.SEND)
    assert trace.tag[rows].tolist() == list(range(rows.size))
    assert (trace.peer[rows] == 0).all()
    assert (trace.bytes[rows] == 8).all()


@pytest.mark.parametrize("end", ["exit", "abort"])
def test_an_end_without_finalize_loses_nothing_of_the_rank_that_ends(record, end):
    done = record("ring.c", ROUNDS, end, ranks=1)
    assert done.code != 0
    assert sends(done.trace) == [ROUNDS]
    assert ("MPI_Abort" if end == "abort" else "MPI_Finalize is missing") in done.trace.cut[0]


def test_a_process_that_was_forked_writes_nothing(record):
    done = record("ring.c", ROUNDS, "fork", ranks=1)
    assert done.code == 0, done.err
    assert sends(done.trace) == [ROUNDS]


def test_a_full_disk_ends_the_trace_and_not_the_program(record):
    done = record("ring.c", ROUNDS, "limit", ranks=2, buffer=BUFFER)
    assert done.code == 0, done.err
    assert "".join(done.out.split()) == "right" * 2
    lines = [line for line in done.err.splitlines() if "contend record" in line]
    assert len(lines) == 2
    assert all("its trace ends here, and the program goes on" in line for line in lines)
    assert all(0 < count < ROUNDS for count in sends(done.trace))


def test_a_folder_with_a_trace_is_left_as_it_is(record):
    first = record("ring.c", 5, "finalize", ranks=2)
    before = {path: path.read_bytes() for path in first.folder.iterdir()}
    again = record("ring.c", 7, "finalize", ranks=2, folder=first.folder)
    assert again.code == 0
    assert "".join(again.out.split()) == "right" * 2
    assert "cannot write" in again.err
    assert {path: path.read_bytes() for path in first.folder.iterdir()} == before


def test_a_file_that_is_cut_anywhere_is_read_up_to_there(record, tmp_path):
    done = record("ring.c", 40, "finalize", ranks=1, buffer=BUFFER)
    source = done.folder / "rank-0.trace"
    whole = source.read_bytes()
    (tmp_path / "trace.txt").write_bytes((done.folder / "trace.txt").read_bytes())
    header = whole.index(b"\nend\n") + 5
    counts = []
    for length in np.linspace(header, len(whole), 60).astype(int).tolist():
        (tmp_path / "rank-0.trace").write_bytes(whole[:length])
        counts.append(sum(sends(read_trace(tmp_path))))
    assert counts[0] == 0
    assert counts[-1] == 40
    assert counts == sorted(counts)
