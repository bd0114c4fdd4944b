"""OTF2 archives: what regions and the events within them become."""

import os
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contend.base.errors import ContendError, FileFormatError, MissingToolError
from contend.programs.replay import Line, replay
from contend.programs.traces.kinds import ANY, OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.reader import READERS, TraceWarning, read_trace
from contend.programs.traces.summary import summarise
from contend.programs.traces.trace import Trace
from support.traces import RESOLUTION, Archive, calls_of

NO_ROOT = 2**32 - 1
Make = Callable[..., Archive]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    pytest.importorskip("otf2")
    made: list[Archive] = []

    def at(ranks: int = 2, split: tuple[int, ...] = (0,)) -> Archive:
        made.append(Archive(tmp_path / "run", ranks, list(split)))
        return made[0]

    return at


def read(archive: Archive, folder: Path) -> Trace:
    for rank in archive.ranks:
        rank.call("MPI_Finalize")
    archive.close()
    return read_trace(folder / "run")


def op(name: str) -> Any:
    from otf2.enums import CollectiveOp

    return getattr(CollectiveOp, name)


def test_messages_have_peer_tag_bytes_and_times(make: Make, tmp_path: Path) -> None:
    archive = make()
    one, two = archive.ranks
    one.call("MPI_Ssend", ("MpiSend", 1, archive.world, 7, 40), ticks=30)
    two.call("MPI_Comm_size", ticks=20)
    two.call("MPI_Recv", ("MpiRecv", 0, archive.world, 7, 40), ticks=30)
    trace = read(archive, tmp_path)
    assert calls_of(trace, 0) == [("MPI_Ssend", OpKind.SYNC_SEND, 1, 40, [])]
    assert calls_of(trace, 1) == [("MPI_Recv", OpKind.RECEIVE, 0, 40, [])]
    receive = int(np.flatnonzero(trace.kind == OpKind.RECEIVE)[0])
    assert trace.tag[receive] == 7
    assert trace.seconds[receive] == pytest.approx(10 / RESOLUTION)
    # after 20 ticks of MPI_Init, 30 of MPI_Comm_size and 10 of waiting; from 10 ticks on
    assert trace.start[receive] == pytest.approx(50 / RESOLUTION)
    assert trace.end[receive] == pytest.approx(80 / RESOLUTION)
    assert trace.seconds.sum() == pytest.approx(20 / RESOLUTION + 5 * 10 / RESOLUTION)
    found = summarise(trace)
    assert found.called_s == pytest.approx((50 + 70) / RESOLUTION)
    assert found.computed_s == pytest.approx((20 + 30) / RESOLUTION)


def test_a_receive_is_posted_at_its_request_and_filled_where_it_ends(
    make: Make, tmp_path: Path
) -> None:
    archive = make(3)
    one, *others = archive.ranks
    one.call("MPI_Irecv", ("MpiIrecvRequest", 70))
    one.call("MPI_Irecv", ("MpiIrecvRequest", 71))
    one.call("MPI_Testall")
    for rank in others:
        rank.call("MPI_Isend", ("MpiIsend", 0, archive.world, 5, 8, 9))
        rank.call("MPI_Wait", ("MpiIsendComplete", 9))
    one.call(
        "MPI_Waitall",
        ("MpiIrecv", 2, archive.world, 5, 8, 71),
        ("MpiIrecv", 1, archive.world, 5, 8, 70),
    )
    one.call("MPI_Irecv", ("MpiIrecvRequest", 72))  # one that never ends
    one.call("MPI_Irecv", ("MpiIrecvRequest", 73))
    one.call("MPI_Wait", ("MpiRequestCancelled", 73))
    trace = read(archive, tmp_path)
    assert [row[1:] for row in calls_of(trace, 0)] == [
        (OpKind.RECEIVE, 1, 8, []),
        (OpKind.RECEIVE, 2, 8, []),
        (OpKind.WAIT, ANY, 0, [1, 0]),
    ]
    assert [row[4] for row in calls_of(trace, 1)] == [[], [0]]
    found = match(trace)
    assert (found.sends.size, found.lost_sends.size, found.lost_receives.size) == (2, 0, 0)
    assert replay(trace, Line(1e-3, 1e6)).unreceived == 0


def test_a_sendrecv_posts_its_receive_before_it_sends(make: Make, tmp_path: Path) -> None:
    archive = make()
    for rank, other in zip(archive.ranks, (1, 0), strict=True):
        rank.call(
            "MPI_Sendrecv",
            ("MpiSend", other, archive.world, 1, 16),
            ("MpiRecv", other, archive.world, 1, 16),
        )
    trace = read(archive, tmp_path)
    kinds = [row[1] for row in calls_of(trace, 0)]
    assert kinds == [OpKind.RECEIVE, OpKind.SEND, OpKind.WAIT]
    assert summarise(trace).calls.set_index("call").loc["MPI_Sendrecv", "calls"] == 2


@pytest.mark.parametrize(
    ("name", "root", "of_root", "of_others"),
    [
        ("BARRIER", NO_ROOT, (0, 0), (0, 0)),
        ("BCAST", 1, (36, 12), (0, 12)),
        ("REDUCE", 1, (12, 36), (12, 0)),
        ("GATHER", 1, (12, 36), (12, 0)),
        ("GATHER", 1, (0, 24), (12, 0)),  # in place
        ("SCATTER", 1, (36, 12), (0, 12)),
        ("ALLGATHER", NO_ROOT, (36, 36), (36, 36)),
        ("ALLTOALL", NO_ROOT, (36, 36), (36, 36)),
        ("ALLREDUCE", NO_ROOT, (36, 36), (36, 36)),
        ("REDUCE_SCATTER_BLOCK", NO_ROOT, (36, 36), (36, 36)),
        ("GATHERV", 1, (12, 36), (12, 0)),
        ("ALLTOALLV", NO_ROOT, (36, 36), (36, 36)),
    ],
)
def test_a_collective_of_three_has_a_third_of_what_score_p_writes(
    make: Make, tmp_path: Path, name: str, root: int, of_root: tuple[int, int],
    of_others: tuple[int, int],
) -> None:  # fmt: skip
    archive = make(3)
    for place, rank in enumerate(archive.ranks):
        sizes = of_root if place == 1 else of_others
        rank.call("MPI_C", ("MpiCollectiveBegin",),
                  ("MpiCollectiveEnd", op(name), archive.world, root, *sizes))  # fmt: skip
    trace = read(archive, tmp_path)
    rows = trace.kind >= OpKind.BARRIER
    whole = {"BARRIER": 0, "ALLTOALLV": 36, "REDUCE_SCATTER_BLOCK": 36}.get(name, 12)
    assert trace.bytes[rows].tolist() == [whole] * 3
    assert trace.peer[rows].tolist() == [1 if root == 1 else ANY] * 3
    replay(trace, Line(1e-6, 1e9))


def test_ranks_of_communicators_are_those_of_the_world(make: Make, tmp_path: Path) -> None:
    archive = make(3, (2, 0))
    one, _, three = archive.ranks
    three.call("MPI_Send", ("MpiSend", 1, archive.split, 0, 4))
    one.call("MPI_Recv", ("MpiRecv", 0, archive.split, 0, 4))
    for rank in archive.ranks:
        rank.call("MPI_Barrier", ("MpiCollectiveEnd", op("BARRIER"), archive.alone, NO_ROOT, 0, 0))
    trace = read(archive, tmp_path)
    assert calls_of(trace, 2)[0][2] == 0
    assert calls_of(trace, 0)[0][2] == 2
    members = sorted(one.tolist() for one in trace.communicators)
    assert members == [[0], [0, 1, 2], [1], [2], [2, 0]]
    replay(trace, Line(1e-6, 1e9))


def test_a_collective_that_does_not_block_is_known_where_it_ends(
    make: Make, tmp_path: Path
) -> None:
    archive = make()
    for rank in archive.ranks:
        rank.call("MPI_Ibcast", ("NonBlockingCollectiveRequest", 3))
        rank.call(
            "MPI_Wait", ("NonBlockingCollectiveComplete", op("BCAST"), archive.world, 0, 0, 20, 3)
        )
    trace = read(archive, tmp_path)
    assert calls_of(trace, 1) == [
        ("MPI_Ibcast", OpKind.BCAST, 0, 20, []),
        ("MPI_Wait", OpKind.WAIT, ANY, 0, [0]),
    ]
    replay(trace, Line(1e-6, 1e9))


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([("MpiIsendComplete", 4)], "event 5 of the rank, Leave: request 4 ends and was not made"),
        ([("MpiIrecvRequest", 4)] * 2, "request 4 is made again before it ends"),
        ([("MpiSend", 9, "world", 0, 0)], "rank 9 of a communicator of 2"),
        ([("MpiCollectiveEnd", "BCAST", "world", 5, 0, 0)], "rank 5 of a communicator of 2"),
    ],
)
def test_a_wrong_event_is_named_with_file_rank_and_place(
    make: Make, tmp_path: Path, events: list[tuple[Any, ...]], words: str
) -> None:
    archive = make()
    plain = [
        tuple(
            archive.world if field == "world" else op(field) if field == "BCAST" else field
            for field in event
        )
        for event in events
    ]
    archive.ranks[1].call("MPI_X", *plain)
    with pytest.raises(FileFormatError, match=words) as raised:
        read(archive, tmp_path)
    assert "traces.otf2: rank 1, event" in str(raised.value)


def test_a_message_outside_of_a_call_is_refused(make: Make, tmp_path: Path) -> None:
    archive = make()
    archive.ranks[0].events(("MpiSend", 1, archive.world, 0, 0))
    with pytest.raises(FileFormatError, match="event 3 of the rank, MpiSend: is not within a call"):
        read(archive, tmp_path)


def test_without_the_library_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "otf2", None)
    path = tmp_path / "traces.otf2"
    path.touch()
    with pytest.raises(MissingToolError, match=r"pip install 'contend\[otf2\]'"):
        read_trace(path)


def test_what_is_no_archive_is_refused_with_its_name(tmp_path: Path) -> None:
    pytest.importorskip("otf2")
    path = tmp_path / "traces.otf2"
    path.write_text("nothing")
    with pytest.raises(FileFormatError, match=r"traces\.otf2: cannot be read"):
        read_trace(path)


def test_a_missing_file_of_events_is_named(make: Make, tmp_path: Path) -> None:
    read(make(), tmp_path)
    folder = tmp_path / "run" / "traces"
    (folder / "1.evt").unlink()
    with pytest.raises(FileFormatError, match=r"1\.evt: no such file"):
        read_trace(tmp_path / "run" / "traces.otf2")


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_archive_is_read_or_refused_with_its_file(
    make: Make, tmp_path: Path, seed: int
) -> None:
    """The title is left whole: for wrong sizes in it the library searches without end."""
    draw = random.Random(seed)
    archive = make()
    one, two = archive.ranks
    for _ in range(5):
        one.call("MPI_Isend", ("MpiIsend", 1, archive.world, 3, 100, 1))
        one.call("MPI_Wait", ("MpiIsendComplete", 1))
        two.call("MPI_Irecv", ("MpiIrecvRequest", 1))
        two.call("MPI_Wait", ("MpiIrecv", 0, archive.world, 3, 100, 1))
        for rank in (one, two):
            rank.call("MPI_Bcast", ("MpiCollectiveEnd", op("BCAST"), archive.world, 0, 0, 9))
    whole = read(archive, tmp_path)
    assert match(whole).sends.size == 5
    files = sorted(one for one in (tmp_path / "run").rglob("*") if one.suffix in (".def", ".evt"))
    path = draw.choice(files)
    content = bytearray(path.read_bytes())
    for _ in range(draw.randint(1, 4)):
        content[draw.randrange(len(content))] = draw.randrange(256)
    path.write_bytes(bytes(content[: draw.choice([len(content), draw.randrange(len(content))])]))
    try:
        replay(READERS.get("otf2").read(tmp_path / "run", None), Line(1e-6, 1e9), "ports")
    except FileFormatError as error:
        assert "traces.otf2" in str(error) or "rank" in str(error)
    except ContendError:
        pass  # a deadlock


@pytest.mark.parametrize(
    ("folder", "ranks", "messages", "collectives"),
    [("pipit_pingpong", 2, 16, 0), ("sst-macro_10ranks", 10, 1440, 1200)],
)
def test_archives_of_other_tools_are_read_with_all_messages(
    shared_data: Callable[[str], Path], folder: str, ranks: int, messages: int, collectives: int
) -> None:
    pytest.importorskip("otf2")
    with warnings.catch_warnings():  # one of them has no events of what does not block
        warnings.simplefilter("ignore", TraceWarning)
        trace = read_trace(shared_data(f"traces/otf2/{folder}/traces.otf2"))
    found = summarise(trace)
    assert (found.ranks, found.messages, found.lost) == (ranks, messages, 0)
    assert np.count_nonzero(trace.kind >= OpKind.BARRIER) == collectives
    replayed = replay(trace, Line(1e-6, 1e10))
    assert trace.seconds.sum() / ranks < replayed.seconds < found.elapsed_s
    assert replayed.unreceived == 0


def test_an_alltoallv_has_all_bytes_that_a_rank_sends(make: Make, tmp_path: Path) -> None:
    archive = make(2)
    for rank, sent in zip(archive.ranks, (3001, 4000), strict=True):
        for name in ("ALLTOALLV", "ALLTOALLW"):
            rank.call(
                f"MPI_{name.capitalize()}",
                ("MpiCollectiveEnd", op(name), archive.world, NO_ROOT, sent, 7001 - sent),
            )
        rank.call("MPI_Allgatherv", ("MpiCollectiveEnd", op("ALLGATHERV"), archive.world, NO_ROOT,
                                     2 * sent, 7001))  # fmt: skip
    table = summarise(read(archive, tmp_path)).calls.set_index("call")["bytes"]
    assert table["MPI_Alltoallv"] == table["MPI_Alltoallw"] == table["MPI_Allgatherv"] == 7001


def test_one_sided_calls_and_times_of_months_are_warned_of(make: Make, tmp_path: Path) -> None:
    archive = make(1)
    archive.ranks[0].call("MPI_Put")
    archive.ranks[0].call("MPI_Barrier", gap=RESOLUTION * 10**8)
    with pytest.warns(TraceWarning) as caught:
        read(archive, tmp_path)
    said = [str(one.message) for one in caught]
    assert "MPI_Put (1)" in said[0]
    assert "rank 0, compute" in said[1]
    assert "1e+08 s pass or before it" in said[1]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["traces.otf2", "traces.def", "traces/0.evt"])
def test_an_archive_with_a_pipe_in_it_is_refused_at_once(tmp_path: Path, name: str) -> None:
    (tmp_path / "traces").mkdir()
    for other in ("traces.otf2", "traces.def", "traces/0.evt"):
        (tmp_path / other).touch()
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    with pytest.raises(FileFormatError, match=f"{re.escape(name)} is no regular file"):
        read_trace(tmp_path, "otf2")
