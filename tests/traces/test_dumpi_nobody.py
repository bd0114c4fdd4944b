"""DUMPI: messages to and from MPI_PROC_NULL, which is -1 in MPICH and -2 in Open MPI."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from contend.base.errors import ContendError
from contend.programs.replay import Line, replay
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.reader import TraceWarning, read_trace
from contend.programs.traces.summary import summarise
from support.traces import RankText, status

NET = Line(1e-5, 125e6)
WORLD = "MPI_Comm comm=2 (MPI_COMM_WORLD)"
NOBODY = [-1, -2]
NO_STATUS = "MPI_Status status=<IGNORED>"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def at(*texts: RankText) -> Path:
        for rank, text in enumerate(texts):
            (tmp_path / f"run-{rank:04d}.txt").write_text(text.text())
        return tmp_path

    return at


def found(source: int, tag: int = 1, size: int = 4000) -> str:
    """The status of a receive; of one from nobody where the source is below 0."""
    return (
        f"MPI_Status status=[{status(source, tag if source >= 0 else -1, max(source, 0) or size)}]"
    )


def sendrecv(text: RankText, dest: int, source: int, ended: str, name: str = "") -> None:
    counts = ["int count=1000", "MPI_Datatype datatype=9 (MPI_INT)"]
    sent = ["int sendcount=1000", "MPI_Datatype sendtype=9 (MPI_INT)"]
    got = ["int recvcount=1000", "MPI_Datatype recvtype=9 (MPI_INT)"]
    text.call(
        name or "MPI_Sendrecv", *(counts if name else sent), f"int dest={dest}", "int sendtag=1",
        *([] if name else got), f"int source={source}", "int recvtag=1", WORLD, ended,
    )  # fmt: skip


def shift(nobody: int, ended: str | None, name: str = "") -> list[RankText]:
    """Rank 0 sends to rank 1 and receives from nobody; rank 1 the other way round."""
    one, two = RankText(), RankText()
    sendrecv(one, 1, nobody, ended or f"MPI_Status status=[{status(nobody, -1, 0)}]", name)
    sendrecv(two, nobody, 0, ended or f"MPI_Status status=[{status(0, 1, 4000)}]", name)
    return [one, two]


@pytest.mark.parametrize("name", ["", "MPI_Sendrecv_replace"])
@pytest.mark.parametrize(("nobody", "ended"), [(-1, None), (-2, None), (-2, NO_STATUS)])
def test_a_shift_is_one_message(
    write: Callable[..., Path], nobody: int, ended: str | None, name: str
) -> None:
    trace = read_trace(write(*shift(nobody, ended, name)))
    summary = summarise(trace)
    assert (summary.messages, summary.bytes, summary.lost) == (1, 4000, 0)
    assert summary.calls.set_index("call").loc[name or "MPI_Sendrecv", "calls"] == 2
    assert replay(trace, NET).seconds == pytest.approx(1e-5 + 4000 / 125e6, rel=0.05)


def test_without_a_status_it_is_said_that_it_may_be_nobody(write: Callable[..., Path]) -> None:
    folder = write(*shift(-1, NO_STATUS))
    with pytest.warns(TraceWarning, match=r"rank 1, MPI_Sendrecv.*line.*MPI_PROC_NULL.*rank 0"):
        trace = read_trace(folder)
    with pytest.raises(ContendError, match=r"deadlock.*may be from MPI_PROC_NULL"):
        replay(trace, NET)


def test_a_wildcard_beside_a_send_to_nobody_stays_one(write: Callable[..., Path]) -> None:
    one, two = RankText(), RankText()
    one.message("MPI_Send", -1, 1)
    one.message("MPI_Recv", -1, 1, NO_STATUS)
    two.message("MPI_Send", 0, 1)
    with pytest.warns(TraceWarning, match="MPI_PROC_NULL"):
        trace = read_trace(write(one, two))
    assert replay(trace, NET).messages == 1


@pytest.mark.parametrize("nobody", NOBODY)
def test_no_call_waits_for_nobody(write: Callable[..., Path], nobody: int) -> None:
    (text,) = (RankText(),)
    nothing = f"MPI_Status status=[{status(nobody, -1, 0)}]"
    for name in ("MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Rsend"):
        text.message(name, nobody, 5)
    text.message("MPI_Recv", nobody, 5, nothing)
    text.message("MPI_Probe", nobody, 5, nothing)
    text.message("MPI_Iprobe", nobody, 5, nothing, "int flag=1")
    for name in ("MPI_Isend", "MPI_Irecv"):
        text.message(name, nobody, 5, "MPI_Request request=[4]")
        text.call("MPI_Wait", "MPI_Request request=[4]", nothing)
    text.message("MPI_Irecv", nobody, 5, "MPI_Request request=[4]")
    text.call("MPI_Waitall", "int count=1", "MPI_Request requests[1]=[4]",
              f"MPI_Status statuses[1]=[{status(nobody, -1, 0)}]")  # fmt: skip
    for name in ("MPI_Send_init", "MPI_Recv_init"):
        text.message(name, nobody, 5, "MPI_Request request=[6]")
        for _ in range(2):
            text.call("MPI_Start", "MPI_Request request=[6]")
            text.call("MPI_Wait", "MPI_Request request=[6]", nothing)
    trace = read_trace(write(text))
    assert set(trace.kind.tolist()) <= {OpKind.TIME, OpKind.WAIT}
    replay(trace, NET)


@pytest.mark.parametrize("name", ["MPI_Put", "MPI_Get", "MPI_Accumulate"])
@pytest.mark.parametrize(("target", "size"), [(0, 4_000_000), (-1, 0)])
def test_one_sided_calls_have_bytes_and_are_named(
    write: Callable[..., Path], name: str, target: int, size: int
) -> None:
    text = RankText()
    text.call("MPI_Win_fence", "int assertion=0", "int win=1 (user-defined-win)")
    text.call(
        name, "int origincount=1000000", "MPI_Datatype origintype=9 (MPI_INT)",
        f"int targetrank={target}", "int targetdisp=0", "int targetcount=1000000",
        "MPI_Datatype targettype=9 (MPI_INT)", "int win=1 (user-defined-win)",
    )  # fmt: skip
    with pytest.warns(TraceWarning, match=rf"{name} \(1\).*rank 0, {name}, .*0000.txt line 9"):
        trace = read_trace(write(text))
    assert summarise(trace).calls.set_index("call").loc[name, "bytes"] == size


@pytest.mark.parametrize(
    "name",
    ["MPI_Ialltoallw", "MPI_Neighbor_alltoallv", "MPI_Ineighbor_alltoallw", "MPI_Iallreduce",
     "MPI_Rput", "MPI_Fetch_and_op", "MPI_Neighbor_allgather", "MPI_Reduce_scatter_block"],
)  # fmt: skip
def test_calls_that_dumpi_does_not_know_are_named(write: Callable[..., Path], name: str) -> None:
    text = RankText()
    text.call(name, WORLD)
    with pytest.warns(TraceWarning, match=rf"{name} \(1\)"):
        read_trace(write(text))


def alltoallw(text: RankText, sent: str, got: str) -> None:
    text.call(
        "MPI_Alltoallw", "int commsize=2", f"int sendcounts[2]={sent}", "int senddispls[2]=[0, 0]",
        "MPI_Datatype sendtypes[2]=[9, 14]", f"int recvcounts[2]={got}",
        "int recvdispls[2]=[0, 4000]", "MPI_Datatype recvtypes[2]=[9, 14]", WORLD,
    )  # fmt: skip


@pytest.mark.parametrize("sent", ["[1000, 500]", "<IGNORED>"])
def test_an_alltoallw_has_bytes_of_a_datatype_for_each_rank(
    write: Callable[..., Path], sent: str
) -> None:
    texts = [RankText(), RankText()]
    for text in texts:
        alltoallw(text, sent, "[1000, 500]")
    trace = read_trace(write(*texts))
    assert summarise(trace).calls.set_index("call").loc["MPI_Alltoallw", "bytes"] == 16_000
    row = int((trace.kind == OpKind.ALLTOALLV).argmax())
    assert trace.list_of(row).tolist() == [4000, 4000]
    assert replay(trace, NET).messages == 2


@pytest.mark.parametrize(
    ("name", "sides", "sizes"),
    [
        ("MPI_Gatherv", ("int sendcount={own}", "int recvcounts[2]={all}"), [3, 4]),
        ("MPI_Scatterv", ("int recvcount={own}", "int sendcounts[2]={all}"), [3, 4]),
        ("MPI_Allgatherv", ("int sendcount={own}", "int recvcounts[2]=[3, 4]"), [3, 4]),
    ],
)
def test_a_rank_in_place_has_what_the_counts_of_all_say(
    write: Callable[..., Path], name: str, sides: tuple[str, str], sizes: list[int]
) -> None:
    texts = [RankText(), RankText()]
    for rank, text in enumerate(texts):
        own, all_counts = (0, "[3, 4]") if rank == 0 else (4, "<IGNORED>")
        text.call(name, *(one.format(own=own, all=all_counts) for one in sides),
                  "MPI_Datatype sendtype=5 (MPI_BYTE)", "MPI_Datatype recvtype=5 (MPI_BYTE)",
                  "int root=0", WORLD)  # fmt: skip
    trace = read_trace(write(*texts))
    assert trace.bytes[trace.kind >= OpKind.BARRIER].tolist() == sizes


def test_messages_of_two_groups_are_said_to_be_left_out(write: Callable[..., Path]) -> None:
    texts = [RankText(), RankText()]
    for rank, text in enumerate(texts):
        text.call("MPI_Intercomm_create", "MPI_Comm localcomm=3 (MPI_COMM_SELF)",
                  "MPI_Comm newcomm=5 (x)")  # fmt: skip
        text.message("MPI_Send" if rank == 0 else "MPI_Recv", 0, 1, NO_STATUS, comm=5)
        text.call("MPI_Barrier", "MPI_Comm comm=5 (x)")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        trace = read_trace(write(*texts))
    said = " ".join(str(one.message) for one in caught)
    assert "rank 0, MPI_Send" in said
    assert "MPI_Barrier (2)" in said
    assert match(trace).sends.size == 0


@pytest.mark.parametrize("size", [1, 4])
def test_a_number_of_files_that_is_not_that_of_ranks_is_an_error(
    write: Callable[..., Path], size: int
) -> None:
    texts = [RankText(), RankText()]
    texts[0].call("MPI_Comm_size", WORLD, f"int size={size}")
    with pytest.raises(ContendError, match=f"MPI_Comm_size says {size} ranks, and 2.*the folder"):
        read_trace(write(*texts))


@pytest.mark.parametrize("size", ["9" * 30, "[1, 2]"])
def test_a_size_that_is_no_number_is_an_error(write: Callable[..., Path], size: str) -> None:
    text = RankText()
    text.call("MPI_Comm_size", WORLD, f"int size={size}")
    with pytest.raises(ContendError, match="line 5: MPI_Comm_size size"):
        read_trace(write(text))


def test_a_peer_beyond_the_files_asks_for_the_others(write: Callable[..., Path]) -> None:
    text = RankText()
    text.message("MPI_Send", 1, 1)
    with pytest.raises(ContendError, match="rank 1 of a communicator of 1; name the folder"):
        read_trace(write(text))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "walltime 5.000004000",
            "walltime -5.000004000",
            "line 11: the walltime of MPI_Send is '-5",
        ),
        ("walltime 5.000004000", "walltime nan", "line 11: the walltime of MPI_Send is 'nan'"),
        ("walltime 5.000003000", "walltime inf", "line .: the walltime of MPI_Send is 'inf'"),
        ("walltime 5.000003000", "walltime 6.0", "returns before it was entered"),
    ],
)
def test_times_that_are_none_are_errors_with_their_line(
    write: Callable[..., Path], old: str, new: str, words: str
) -> None:
    text = RankText()
    text.message("MPI_Send", -2, 1)
    folder = write(text)
    path = next(folder.iterdir())
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ContendError, match=words):
        read_trace(folder)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"5\.00000[34]000", "4.000000000", "rank 0, MPI_Wtime.*begins before the call before it"),
        (r"5\.00000([3-6])000", r"9999999999.00000\g<1>", "rank 0.*1e.10 s pass or before it"),
    ],
)
def test_times_that_no_program_has_are_warned_of(
    write: Callable[..., Path], old: str, new: str, words: str
) -> None:
    text = RankText()
    text.call("MPI_Wtime")
    content = re.sub(old, new, text.text())
    folder = write(text)
    next(folder.iterdir()).write_text(content)
    with pytest.warns(TraceWarning, match=words):
        read_trace(folder)


def test_calls_of_threads_may_overlap(write: Callable[..., Path]) -> None:
    text = RankText()
    text.call("MPI_Wtime", seconds=5e-6)
    late = len(text.lines)
    text.call("MPI_Wtime")
    text.lines[late:] = [
        line.replace("5.000009", "5.000003").replace("thread 0", "thread 1")
        for line in text.lines[late:]
    ]
    assert text.lines[late].endswith("in thread 1.")
    folder = write(text)
    assert "5.000003000" in next(folder.iterdir()).read_text()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_trace(folder)
