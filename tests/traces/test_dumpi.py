"""DUMPI in text form: what its calls do, who is in communicators, what is wrong with a line."""

import random
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import ContendError, FileFormatError
from contend.programs.replay import Line, replay
from contend.programs.traces.kinds import ANY, OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.reader import READERS, read_trace
from contend.programs.traces.summary import summarise
from support.traces import RankText, calls_of, status

WORLD = "MPI_Comm comm=2 (MPI_COMM_WORLD)"
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def at(*texts: RankText | str) -> Path:
        for rank, text in enumerate(texts):
            path = tmp_path / f"dumpi-2026.01.02.03.04.05-{rank:04d}.txt"
            path.write_text(text if isinstance(text, str) else text.text())
        return tmp_path

    return at


def ranks(count: int) -> list[RankText]:
    return [RankText() for _ in range(count)]


def test_messages_have_peer_tag_bytes_and_the_time_before_them(write: Write) -> None:
    one, two = ranks(2)
    one.message("MPI_Send", 1, 10, tag=7)
    two.call("MPI_Comm_size", WORLD, "int size=2", seconds=3e-6)
    two.message("MPI_Recv", 0, 25, f"MPI_Status status=[{status(0, 7, 40)}]", tag=7)
    trace = read_trace(write(one, two))
    assert calls_of(trace, 0) == [("MPI_Send", OpKind.SEND, 1, 40, [])]
    assert calls_of(trace, 1) == [("MPI_Recv", OpKind.RECEIVE, 0, 40, [])]
    assert trace.tag[trace.kind != OpKind.TIME].tolist() == [7, 7]
    # 1 us before each call, 3 us of MPI_Comm_size, and 1 us before MPI_Finalize
    assert trace.seconds.sum() == pytest.approx(2e-6 + 3e-6 + 3e-6)
    assert replay(trace, Line(1.0, 8.0)).seconds == pytest.approx(6 + 2e-6)


@pytest.mark.parametrize(
    ("call", "found", "sources"),
    [
        ("MPI_Waitall", [], [2, 1]),
        ("MPI_Waitsome", ["int outcount=2", "int indices[2]=[1, 0]"], [1, 2]),
    ],
)
def test_a_wildcard_is_what_its_wait_found(
    write: Write, call: str, found: list[str], sources: list[int]
) -> None:
    one, two, three = ranks(3)
    for rank in (two, three):
        rank.message("MPI_Isend", 0, 1, "MPI_Request request=[9]", tag=5)
        rank.call("MPI_Wait", "MPI_Request request=[9]", "MPI_Status status=<IGNORED>")
    for request in (4, 8):
        one.message("MPI_Irecv", -1, 1, f"MPI_Request request=[{request}]", tag=-1)
    statuses = ", ".join(status(source, 5, 4) for source in sources)
    one.call(call, "int count=2", "MPI_Request requests[2]=[4, 8]", *found,
             f"MPI_Status statuses[2]=[{statuses}]")  # fmt: skip
    trace = read_trace(write(one, two, three))
    assert [call[2] for call in calls_of(trace, 0)] == [2, 1, ANY]
    assert match(trace).sends.size == 2
    assert not match(trace).lost_receives.size


def test_without_statuses_a_wildcard_stays_one(write: Write) -> None:
    one, two = ranks(2)
    two.message("MPI_Ssend", 0, 1)
    one.message("MPI_Recv", -1, 1, "MPI_Status status=<IGNORED>", tag=-1)
    trace = read_trace(write(one, two))
    assert calls_of(trace, 0) == [("MPI_Recv", OpKind.RECEIVE, ANY, 4, [])]
    assert calls_of(trace, 1)[0][1] == OpKind.SYNC_SEND
    assert replay(trace, Line(1.0, 4.0)).unreceived == 0


@pytest.mark.parametrize(
    ("call", "parameters", "ended"),
    [
        ("MPI_Waitany", ["int index=0"], [0]),
        ("MPI_Waitany", ["int index=1"], [1]),
        ("MPI_Testany", ["int index=1", "int flag=1"], [1]),
        ("MPI_Testany", ["int index=-1", "int flag=0"], []),
        ("MPI_Waitsome", ["int outcount=2", "int indices[2]=[1, 0]"], [1, 0]),
        ("MPI_Testsome", ["int outcount=0", "int indices[0]=<IGNORED>"], []),
        ("MPI_Testall", ["int flag=0"], []),
        ("MPI_Testall", ["int flag=1"], [0, 1]),
    ],
)
def test_a_wait_for_some_ends_those_that_it_says(
    write: Write, call: str, parameters: list[str], ended: list[int]
) -> None:
    one, two = ranks(2)
    for request in (30, 20):
        one.message("MPI_Irecv", 1, 1, f"MPI_Request request=[{request}]")
        two.message("MPI_Send", 0, 1)
    one.call(call, "int count=2", "MPI_Request requests[2]=[30, 20]", *parameters,
             "MPI_Status statuses=<IGNORED>", "MPI_Status status=<IGNORED>")  # fmt: skip
    waits = [row[4] for row in calls_of(read_trace(write(one, two)), 0) if row[1] == OpKind.WAIT]
    assert waits == ([ended] if ended else [])


def test_a_wait_has_a_status_for_each_request(write: Write) -> None:
    one, two = ranks(2)
    for request in (30, 20):
        one.message("MPI_Irecv", 1, 1, f"MPI_Request request=[{request}]")
    one.call("MPI_Waitall", "int count=2", "MPI_Request requests[2]=[30, 20]",
             f"MPI_Status statuses[1]=[{status(1, 0, 4)}]")  # fmt: skip
    with pytest.raises(FileFormatError, match="MPI_Waitall has 1 statuses of 2 requests"):
        read_trace(write(one, two))


def test_persistent_requests_do_at_each_start_what_they_were_made_for(write: Write) -> None:
    one, two = ranks(2)
    one.message("MPI_Send_init", 1, 3, "MPI_Request request=[2]")
    two.message("MPI_Recv_init", 0, 3, "MPI_Request request=[2]")
    for _ in range(3):
        for rank in (one, two):
            rank.call("MPI_Startall", "int count=1", "MPI_Request requests[1]=[2]")
            rank.call("MPI_Wait", "MPI_Request request=[2]", "MPI_Status status=<IGNORED>")
    for rank in (one, two):
        rank.call("MPI_Request_free", "MPI_Request request=[2]")
    trace = read_trace(write(one, two))
    assert match(trace).sends.size == 3
    assert trace.bytes.sum() == 6 * 12


def test_a_sendrecv_is_a_receive_a_send_and_a_wait(write: Write) -> None:
    both = ranks(2)
    for rank, text in enumerate(both):
        text.call(
            "MPI_Sendrecv", "int sendcount=2", "MPI_Datatype sendtype=14 (MPI_DOUBLE)",
            f"int dest={1 - rank}", "int sendtag=3", "int recvcount=9",
            "MPI_Datatype recvtype=14 (MPI_DOUBLE)", f"int source={1 - rank}",
            "int recvtag=3", WORLD, f"MPI_Status status=[{status(1 - rank, 3, 16)}]",
        )  # fmt: skip
    trace = read_trace(write(*both))
    assert [row[1] for row in calls_of(trace, 0)] == [OpKind.RECEIVE, OpKind.SEND, OpKind.WAIT]
    assert trace.bytes.tolist().count(16) == 4
    assert summarise(trace).calls.set_index("call").loc["MPI_Sendrecv", "calls"] == 2


def test_what_is_sent_to_nobody_or_cancelled_is_no_message(write: Write) -> None:
    (one,) = ranks(1)
    one.message("MPI_Send", -2, 1)
    one.message("MPI_Isend", -3, 1, "MPI_Request request=[4]")
    one.call("MPI_Wait", "MPI_Request request=[4]", "MPI_Status status=<IGNORED>")
    one.message("MPI_Irecv", -1, 1, "MPI_Request request=[5]", tag=-1)
    one.call("MPI_Cancel", "MPI_Request request=[5]")
    one.call("MPI_Wait", "MPI_Request request=[5]",
             f"MPI_Status status=[{status(-1, -1, 0, cancelled=1)}]")  # fmt: skip
    assert calls_of(read_trace(write(one)), 0) == []


def test_a_receive_from_anywhere_that_never_ends_is_none(write: Write) -> None:
    one, two = ranks(2)
    one.message("MPI_Irecv", -1, 1, "MPI_Request request=[4]")
    assert OpKind.RECEIVE not in read_trace(write(one, two)).kind


def test_a_collective_has_the_bytes_of_its_counts(write: Write) -> None:
    both = ranks(2)
    for rank, text in enumerate(both):
        text.call("MPI_Bcast", "int count=5", "MPI_Datatype datatype=2 (MPI_CHAR)", "int root=1",
                  WORLD)  # fmt: skip
        text.call(
            "MPI_Alltoallv", "int commsize=2", "int sendcounts[2]=[1, 2]",
            "int senddispls[2]=[0, 1]", "MPI_Datatype sendtype=9 (MPI_INT)",
            "int recvcounts[2]=[1, 2]", "int recvdispls[2]=[0, 1]",
            "MPI_Datatype recvtype=9 (MPI_INT)", WORLD,
        )  # fmt: skip
        counts = "[3, 4]" if rank == 0 else "<IGNORED>"
        text.call(
            "MPI_Gatherv", f"int commrank={rank}", "int commsize=2", f"int sendcount={3 + rank}",
            "MPI_Datatype sendtype=5 (MPI_BYTE)", f"int recvcounts[2]={counts}",
            "int displs[2]=[0, 3]", "MPI_Datatype recvtype=5 (MPI_BYTE)", "int root=0", WORLD,
        )  # fmt: skip
    trace = read_trace(write(*both))
    assert calls_of(trace, 0) == [
        ("MPI_Bcast", OpKind.BCAST, 1, 5, []),
        ("MPI_Alltoallv", OpKind.ALLTOALLV, ANY, 12, [4, 8]),
        ("MPI_Gatherv", OpKind.GATHERV, 0, 3, [3, 4]),
    ]
    replay(trace, Line(1e-6, 1e9))


def test_datatypes_that_are_made_have_a_size(write: Write) -> None:
    one, two = ranks(2)
    one.call("MPI_Type_vector", "int count=3", "int blocklength=2", "int stride=9",
             "MPI_Datatype oldtype=14 (MPI_DOUBLE)",
             "MPI_Datatype newtype=28 (user-defined-datatype)")  # fmt: skip
    one.call("MPI_Type_create_darray", "MPI_Datatype newtype=31 (user-defined-datatype)")
    for number in (28, 31):
        one.call("MPI_Send", "int count=2",
                 f"MPI_Datatype datatype={number} (user-defined-datatype)", "int dest=1",
                 "int tag=0", WORLD)  # fmt: skip
        two.message("MPI_Recv", 0, 99, "MPI_Status status=<IGNORED>")
    sizes = "Datatype 30 (x) has size 1\nDatatype 31 (user-defined-datatype) has size 7\n"
    trace = read_trace(write(one.text() + sizes, two))
    assert [row[3] for row in calls_of(trace, 0)] == [96, 14]
    with pytest.raises(FileFormatError, match=r"datatype 31 has no known size.*-X"):
        read_trace(write(one, two))


def test_ranks_find_each_other_in_communicators_that_they_number_themselves(write: Write) -> None:
    """A split of the ranks in reversed order by parity, and a grid of two by two of a copy."""
    four = ranks(4)
    for rank, text in enumerate(four):
        own = 4 + rank  # each has numbers of its own
        text.call("MPI_Comm_split", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", f"int color={rank % 2}",
                  f"int key={-rank}", f"MPI_Comm newcomm={own} (user-defined-comm)")  # fmt: skip
        text.call("MPI_Comm_dup", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)",
                  f"MPI_Comm newcomm={own + 10} (user-defined-comm)")  # fmt: skip
        text.call("MPI_Cart_create", f"MPI_Comm oldcomm={own + 10} (x)", "int ndim=2",
                  "int dims[2]=[2, 2]", "int periods[2]=[0, 0]", "int reorder=0",
                  f"MPI_Comm newcomm={own + 20} (x)")  # fmt: skip
        text.call("MPI_Cart_sub", "int ndim=2", f"MPI_Comm oldcomm={own + 20} (x)",
                  "int remain_dims[2]=[0, 1]", f"MPI_Comm newcomm={own + 30} (x)")  # fmt: skip
        text.message("MPI_Send", 1 if rank > 1 else 0, 1, comm=own)  # the other of its parity
        text.message("MPI_Recv", 1 if rank > 1 else 0, 1, "MPI_Status status=<IGNORED>", comm=own)
        text.call("MPI_Barrier", f"MPI_Comm comm={own + 30} (x)")
    trace = read_trace(write(*four))
    sends = [row[2] for rank in range(4) for row in calls_of(trace, rank) if row[1] == OpKind.SEND]
    assert sends == [2, 3, 0, 1]
    members = [one.tolist() for one in trace.communicators]
    assert [2, 0] in members
    assert [3, 1] in members
    last = trace.communicators[trace.comm[trace.kind == OpKind.BARRIER][-1]]
    assert last.tolist() == [2, 3]
    assert match(trace).sends.size == 4
    replay(trace, Line(1e-6, 1e9))


def test_a_rank_without_a_colour_is_in_no_communicator(write: Write) -> None:
    three = ranks(3)
    for rank, text in enumerate(three):
        color, made = (-32766, 1) if rank == 1 else (0, 5)  # 1 is MPI_COMM_NULL
        text.call("MPI_Comm_split", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", f"int color={color}",
                  "int key=0", f"MPI_Comm newcomm={made} (x)")  # fmt: skip
    found = read_trace(write(*three)).communicators
    assert [one.tolist() for one in found] == [[0, 1, 2], [0], [1], [2], [0, 2]]


def test_a_communicator_of_a_group_has_its_ranks(write: Write) -> None:
    three = ranks(3)
    for rank, text in enumerate(three):
        text.call("MPI_Comm_group", WORLD, "MPI_Group group=3 (user-defined-group)")
        text.call("MPI_Group_range_incl", "MPI_Group group=3 (x)", "int count=1",
                  "int ranges[1][3]=[[2, 0, -2]", "]MPI_Group newgroup=4 (x)")  # fmt: skip
        text.call("MPI_Comm_create", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", "MPI_Group group=4 (x)",
                  f"MPI_Comm newcomm={1 if rank == 1 else 7} (x)")  # fmt: skip
        if rank != 1:
            text.call("MPI_Barrier", "MPI_Comm comm=7 (x)")
    trace = read_trace(write(*three))
    assert [2, 0] in [one.tolist() for one in trace.communicators]
    replay(trace, Line(1e-6, 1e9))


def test_calls_before_init_and_after_finalize_are_no_part_of_the_run(write: Write) -> None:
    one = RankText()
    early = one.text().splitlines()
    one.lines = []
    one.call("MPI_Initialized", "int result=0", seconds=5)
    text = one.lines + early
    # 1 us before MPI_Finalize
    assert read_trace(write("\n".join(text) + "\n")).seconds.sum() == pytest.approx(1e-6)


GOOD = [
    "MPI_Init entering at walltime 1.000000000, cputime 0.0 seconds in thread 0.",
    "MPI_Init returning at walltime 1.000000001, cputime 0.0 seconds in thread 0.",
    "MPI_Send entering at walltime 1.000000002, cputime 0.0 seconds in thread 0.", "int count=1",
    "MPI_Datatype datatype=9 (MPI_INT)", "int dest=0", "int tag=4", WORLD,
    "MPI_Send returning at walltime 1.000000003, cputime 0.0 seconds in thread 0.",
]  # fmt: skip
FINALIZE = [
    "MPI_Finalize entering at walltime 1.000000004, cputime 0.0 seconds in thread 0.",
    "MPI_Finalize returning at walltime 1.000000005, cputime 0.0 seconds in thread 0.",
]


def test_a_text_cut_off_anywhere_ends_before_the_call_that_is_not_whole(write: Write) -> None:
    text = "\n".join([*GOOD, *GOOD[2:], *FINALIZE]) + "\n"
    for length in range(text.index(GOOD[2]), len(text) - 1, 7):
        folder = write(text[:length])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            trace = read_trace(folder, "dumpi")
        whole = text[:length].count("MPI_Send returning")
        assert whole - 1 <= np.count_nonzero(trace.kind == OpKind.SEND) <= whole
        assert set(trace.bytes[trace.kind == OpKind.SEND].tolist()) <= {4}
        assert trace.is_cut == ("MPI_Finalize" not in [trace.calls[call] for call in trace.call])
        assert sum("ends early" in str(one.message) for one in caught) == trace.is_cut


@pytest.mark.parametrize(
    ("line", "new", "words"),
    [
        (4, "int cnt=1", "line 3: MPI_Send has no count"),
        (4, "int count=one", "line 3: MPI_Send count is 'one', not a number"),
        (4, "int count=-1", "line 3: MPI_Send has -1 elements"),
        (4, f"int count={'9' * 30}", "is too large"),
        (5, "MPI_Datatype datatype=77 (x)", "datatype 77 has no known size"),
        (6, "int dest=1", "line 3: MPI_Send names rank 1 of a communicator of 1"),
        (7, "int tag=-7", "line 3: MPI_Send has a tag of -7"),
        (8, "MPI_Comm comm=5 (x)", "line 3: MPI_Send is on communicator 5, which was not made"),
        (9, "", "line 10: MPI_Finalize is entering where MPI_Send returns"),
        (2, GOOD[8], "line 2: MPI_Send is returning where MPI_Init returns"),
        (3, "", "line 4: stands between two calls|line 9: MPI_Send returns and was not entered"),
        (9, GOOD[8].replace("1.000000003", "0.5"), "line 3: MPI_Send returns before|line 9"),
    ],
)
def test_a_wrong_line_is_named_with_its_file(write: Write, line: int, new: str, words: str) -> None:
    lines = GOOD.copy()
    lines[line - 1] = new
    folder = write("\n".join([*lines, *FINALIZE]))
    with pytest.raises(FileFormatError, match=words) as raised:
        read_trace(folder, "dumpi")
    assert "0000.txt" in str(raised.value)


def test_ranks_that_do_not_meet_are_named(write: Write) -> None:
    one, two = ranks(2)
    one.call("MPI_Comm_dup", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", "MPI_Comm newcomm=4 (x)")
    with pytest.raises(FileFormatError, match=r"line 5: MPI_Comm_dup waits for rank 1"):
        read_trace(write(one, two))


def test_a_rank_without_a_file_is_missed(write: Write) -> None:
    folder = write(*ranks(3))
    next(folder.glob("*0001.txt")).unlink()
    with pytest.raises(FileFormatError, match="no file of rank 1"):
        read_trace(folder)


@pytest.mark.filterwarnings("ignore::contend.programs.traces.reader.TraceWarning")
@pytest.mark.parametrize("seed", range(150))
def test_a_damaged_trace_is_read_or_refused_with_its_file(write: Write, seed: int) -> None:
    draw = random.Random(seed)
    both = ranks(2)
    for rank, text in enumerate(both):
        text.call("MPI_Comm_split", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", "int color=0",
                  f"int key={rank}", "MPI_Comm newcomm=4 (x)")  # fmt: skip
        text.message("MPI_Irecv", 1 - rank, 4, "MPI_Request request=[2]", comm=4)
        text.message("MPI_Isend", 1 - rank, 4, "MPI_Request request=[3]", comm=4)
        text.call("MPI_Waitall", "int count=2", "MPI_Request requests[2]=[2, 3]",
                  f"MPI_Status statuses[2]=[{status(1 - rank, 0, 16)}, {status(0, 0, 0)}]",
                  )  # fmt: skip
        text.call("MPI_Alltoallv", "int sendcounts[2]=[1, 2]",
                  "MPI_Datatype sendtype=9 (MPI_INT)", WORLD)  # fmt: skip
    texts = [text.text() for text in both]
    for _ in range(draw.randint(1, 4)):
        which = draw.randrange(2)
        text = texts[which]
        at = draw.randrange(len(text))
        junk = draw.choice(["", "-1", "9" * 30, "\n", "é", "=", "[", "]", " ", "0", "2", "(", "\0"])
        texts[which] = text[:at] + junk + text[at + draw.randint(0, 40) :]
    folder = write(*texts)
    try:
        replay(READERS.get("dumpi").read(folder, None), Line(1e-6, 1e9), "ports")
    except FileFormatError as error:
        assert str(folder) in str(error)
    except ContendError:
        pass  # a deadlock
