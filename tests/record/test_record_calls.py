"""Calls of every kind, as they are recorded."""

from collections import Counter

import numpy as np
import pytest

from contend.programs.traces.kinds import NONE, OpKind
from contend.programs.traces.matching import ends_of, match
from contend.programs.traces.reader import TraceWarning
from contend.programs.traces.recording.meetings import steps
from contend.programs.traces.summary import summarise

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

RANKS = 4


@pytest.fixture(scope="session")
def every(record, tmp_path_factory):
    """The program, recorded."""
    return record("calls.c", tmp_path_factory.mktemp("file") / "file", ranks=RANKS)


@pytest.fixture(scope="session")
def trace(every):
    """What was recorded of it."""
    return read(every)


def read(done):
    """The trace; a broadcast between two groups is among the calls that a replay has not."""
    unmodelled = r"MPI_Bcast \(4\), MPI_Neighbor_allgather \(4\), MPI_Put \(4\)"
    with pytest.warns(TraceWarning, match=unmodelled):
        return done.trace


def rows(trace, call, kind=None):
    """Rows of a call."""
    chosen = trace.call == trace.calls.index(f"MPI_{call}")
    return np.flatnonzero(chosen & (True if kind is None else trace.kind == kind))


def counts(trace):
    """How many rows each call has of each kind."""
    kinds = zip(trace.call.tolist(), trace.kind.tolist(), strict=True)
    return Counter((trace.calls[call], OpKind(kind)) for call, kind in kinds)


def test_recording_changes_no_result(every):
    assert every.code == 0, every.err
    assert "".join(every.out.split()) == "right" * RANKS
    assert "contend" not in every.err


def test_every_receive_has_its_send_of_the_same_bytes(trace):
    found = match(trace)
    assert found.lost_sends.size == found.lost_receives.size == 0
    assert found.sends.size > 250
    assert (trace.bytes[found.sends] == trace.bytes[found.receives]).all()


def test_no_message_ends_before_it_was_sent(trace):
    found, over = match(trace), ends_of(trace)
    assert (trace.end[over[found.receives]] > trace.start[found.sends]).all()


def test_every_request_is_waited_for_once(trace):
    rank = trace.rank
    made = Counter(
        (int(rank[row]), int(trace.request[row])) for row in np.flatnonzero(trace.request != NONE)
    )
    waited = Counter(
        (int(rank[row]), request)
        for row in np.flatnonzero(trace.kind == OpKind.WAIT)
        for request in trace.list_of(row).tolist()
    )
    assert made == waited
    assert set(made.values()) == {1}


def test_calls_of_a_rank_follow_each_other(trace):
    assert (trace.end >= trace.start).all()
    is_within = trace.rank[1:] == trace.rank[:-1]
    assert (trace.start[1:] >= trace.end[:-1] - 1e-9)[is_within].all()
    assert (trace.seconds >= 0).all()
    for rank in range(RANKS):
        own = slice(trace.first[rank], trace.first[rank + 1])
        is_time = trace.kind[own] == OpKind.TIME
        spent = float((trace.end - trace.start)[own][~is_time].sum() + trace.seconds[own].sum())
        assert spent <= trace.end[own].max() - trace.start[own].min()


def test_each_call_is_recorded_as_often_as_it_was_made(trace):
    found = counts(trace)
    each = {
        ("MPI_Bsend", OpKind.SEND): 1,
        ("MPI_Rsend", OpKind.SEND): 1,
        ("MPI_Issend", OpKind.SYNC_SEND): 1,
        ("MPI_Irsend", OpKind.SEND): 1,
        ("MPI_Sendrecv_replace", OpKind.WAIT): 1,
        ("MPI_Startall", OpKind.RECEIVE): 3,
        ("MPI_Startall", OpKind.SEND): 3,
        ("MPI_Start", OpKind.RECEIVE): 1,
        ("MPI_Waitany", OpKind.WAIT): 10,
        ("MPI_Testall", OpKind.WAIT): 1,
        ("MPI_Probe", OpKind.PROBE): 1,
        ("MPI_Iprobe", OpKind.PROBE): 1,
        ("MPI_Mprobe", OpKind.PROBE): 1,
        ("MPI_Improbe", OpKind.PROBE): 1,
        ("MPI_Mrecv", OpKind.RECEIVE): 1,
        ("MPI_Imrecv", OpKind.RECEIVE): 1,
        ("MPI_Allreduce", OpKind.ALLREDUCE): 4,
        ("MPI_Alltoallw", OpKind.ALLTOALLV): 2,
        ("MPI_Exscan", OpKind.EXSCAN): 2,
        ("MPI_Ibcast", OpKind.BCAST): 2,
        ("MPI_Put", OpKind.TIME): 1,
        ("MPI_Win_fence", OpKind.TIME): 2,
        ("MPI_File_write_at_all", OpKind.TIME): 1,
        ("MPI_File_iread_at", OpKind.TIME): 1,
        ("MPI_Neighbor_allgather", OpKind.TIME): 1,
    }
    each |= Counter(("MPI_Comm_split", kind) for kind, _ in steps("Comm_split", trace.library))
    assert {key: found[key] for key in each} == {key: RANKS * n for key, n in each.items()}
    calls = summarise(trace).calls.set_index("call")["calls"]
    assert calls["MPI_Comm_split"] == calls["MPI_Sendrecv_replace"] == RANKS


def test_messages_to_nobody_and_cancelled_ones_are_none(trace):
    found = counts(trace)
    assert found["MPI_Send", OpKind.TIME] == found["MPI_Recv", OpKind.TIME] == RANKS
    assert found["MPI_Isend", OpKind.TIME] == RANKS
    assert found["MPI_Irecv", OpKind.TIME] == 2 * RANKS  # one from nobody, one cancelled
    assert found["MPI_Sendrecv", OpKind.TIME] == 2  # of the two ends of a chain
    is_message = np.isin(trace.kind, (OpKind.SEND, OpKind.SYNC_SEND, OpKind.RECEIVE))
    assert not (is_message & (trace.tag == 60)).any()


def test_wildcards_are_recorded_as_they_matched(trace):
    own = rows(trace, "Recv", OpKind.RECEIVE)
    own = own[(trace.rank[own] == 0) & (trace.tag[own] >= 70)]
    by_tag, by_any = own[: RANKS - 1], own[RANKS - 1 :]
    assert trace.peer[by_tag].tolist() == [1, 2, 3]
    assert trace.bytes[by_tag].tolist() == [100, 200, 300]
    assert sorted(trace.peer[by_any].tolist()) == [1, 2, 3]
    assert set(trace.tag[by_any].tolist()) == {90}
    assert (trace.bytes[by_any] == 100 * trace.peer[by_any] + 1).all()


def test_communicators_are_ranks_of_the_world(trace):
    members = [tuple(group.tolist()) for group in trace.communicators]
    assert members[0] == (0, 1, 2, 3)
    assert members.count((2, 0)) == members.count((3, 1)) == 1  # split with keys that fall
    assert members.count((0, 1)) == 3  # created, created by its group, a row of the grid
    rings = {101: 4, 102: 2, 103: 2, 104: 2, 105: 2, 106: 4, 107: 4, 108: 4, 109: 4}
    for tag, size in rings.items():
        on = trace.comm[(trace.tag == tag) & (trace.kind == OpKind.SEND)]
        assert {len(members[comm]) for comm in on} == {size}, tag


def test_messages_between_two_groups_name_ranks_of_the_world(trace):
    row = np.flatnonzero((trace.tag == 107) & (trace.kind == OpKind.SEND))
    assert trace.peer[row].tolist() == [1, 0, 3, 2]


def test_counts_of_collectives_are_bytes_for_each_rank(trace):
    world = trace.comm == 0
    uneven = ("Alltoallv", "Gatherv", "Scatterv", "Allgatherv", "Reduce_scatter_block")
    of = {name: rows(trace, name)[world[rows(trace, name)]] for name in (*uneven, "Gather")}
    for rank, row in enumerate(of["Alltoallv"]):
        assert trace.list_of(row).tolist() == [4 * (rank + i + 1) for i in range(RANKS)]
    for row in (of["Gatherv"][0], of["Scatterv"][0], *of["Allgatherv"]):
        assert trace.list_of(row).tolist() == [4, 8, 12, 16]
    assert trace.bytes[of["Gatherv"]].tolist() == [4, 8, 12, 16]
    assert trace.bytes[of["Scatterv"]].tolist() == [4, 8, 12, 16]
    assert trace.list_of(of["Reduce_scatter_block"][0]).tolist() == [4] * RANKS
    assert trace.bytes[of["Gather"]].tolist() == [4] * RANKS
    assert set(trace.peer[of["Gather"]].tolist()) == {1}
    in_place = rows(trace, "Allgather")
    assert set(trace.bytes[in_place].tolist()) == {4}


def test_roots_are_ranks_of_the_world(trace):
    backwards = {(2, 0): 0, (3, 1): 1}  # whose last rank is the root
    for row in rows(trace, "Bcast", OpKind.BCAST):
        group = tuple(trace.communicators[trace.comm[row]].tolist())
        assert trace.peer[row] == backwards.get(group, 3)


def test_derived_types_count_by_what_they_hold(trace):
    row = np.flatnonzero((trace.tag == 200) & (trace.kind == OpKind.SEND))
    assert set(trace.bytes[row].tolist()) == {3 * 20 * 4}


def test_a_small_buffer_holds_the_same(record, trace, tmp_path):
    flushed = read(record("calls.c", tmp_path / "file", ranks=RANKS, buffer=512))
    # How often polls find nothing, and what MPI_Waitsome finds at once, differs by run.
    polled = {"MPI_Waitsome", "MPI_Testsome"}
    ours, theirs = (
        {
            key: n
            for key, n in counts(one).items()
            if key[0] not in polled and not key[0].startswith(("MPI_Test", "MPI_I"))
        }
        for one in (flushed, trace)
    )
    assert ours == theirs
    assert match(flushed).sends.size == match(trace).sends.size
