"""Random programs, written as other tools write them, take as long as they do themselves."""

from typing import Any

import pytest
from programs import random_trace

from contend.programs.replay import Line, replay
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.reader import read_trace
from support.traces import RESOLUTION, Archive, RankText, status

NAMES = {OpKind.SEND: "send", OpKind.SYNC_SEND: "ssend", OpKind.RECEIVE: "recv"}
NET = Line(1e-3, 1e4)


def name_of(trace, op):
    name = NAMES[OpKind(int(trace.kind[op]))]
    return f"MPI_I{name}" if trace.request[op] >= 0 else f"MPI_{name.capitalize()}"


def rows_of(trace, rank):
    return range(int(trace.first[rank]), int(trace.first[rank + 1]))


def write_dumpi(trace, folder):
    """As a program that asks for any source and tag in every other receive that does not block."""
    for rank in range(trace.ranks):
        text = RankText()
        made: dict[int, int] = {}  # operation of each request
        for op in rows_of(trace, rank):
            gap = float(trace.seconds[op])
            if trace.kind[op] == OpKind.WAIT:
                done = trace.list_of(op).tolist()
                found = ", ".join(
                    status(*(int(getattr(trace, column)[made[one]]) for column in
                             ("peer", "tag", "bytes")))
                    for one in done
                )  # fmt: skip
                handles = ", ".join(str(one + 2) for one in done)
                text.call("MPI_Waitall", f"int count={len(done)}",
                          f"MPI_Request requests[{len(done)}]=[{handles}]",
                          f"MPI_Status statuses[{len(done)}]=[{found}]", seconds=0, gap=gap,
                          )  # fmt: skip
                continue
            is_receive = trace.kind[op] == OpKind.RECEIVE
            is_open = is_receive and trace.request[op] >= 0 and op % 2
            peer, tag = (-1, -1) if is_open else (trace.peer[op], trace.tag[op])
            made[int(trace.request[op])] = op
            text.call(name_of(trace, op), f"int count={trace.bytes[op]}",
                      "MPI_Datatype datatype=5 (MPI_BYTE)",
                      f"int {'source' if is_receive else 'dest'}={peer}", f"int tag={tag}",
                      "MPI_Comm comm=2 (MPI_COMM_WORLD)",
                      f"MPI_Request request=[{trace.request[op] + 2}]",
                      "MPI_Status status=<IGNORED>", seconds=0, gap=gap)  # fmt: skip
        (folder / f"dumpi-{rank:04d}.txt").write_text(text.text())


def write_otf2(trace, folder):
    archive = Archive(folder, trace.ranks, [0])
    for rank, writer in enumerate(archive.ranks):
        made: dict[int, int] = {}  # operation of each request, which is its number in the archive
        for op in rows_of(trace, rank):
            fields = (int(trace.peer[op]), archive.world, int(trace.tag[op]), int(trace.bytes[op]))
            events: list[tuple[Any, ...]]
            name = "MPI_Waitall"
            if trace.kind[op] == OpKind.WAIT:
                events = [_end(trace, made[one], archive) for one in trace.list_of(op).tolist()]
            else:
                name = name_of(trace, op)
                made[int(trace.request[op])] = op
                is_receive = trace.kind[op] == OpKind.RECEIVE
                if trace.request[op] < 0:
                    events = [("MpiRecv" if is_receive else "MpiSend", *fields)]
                else:
                    events = [("MpiIrecvRequest", op) if is_receive else ("MpiIsend", *fields, op)]
            gap = round(float(trace.seconds[op]) * RESOLUTION)
            writer.call(name, *events, ticks=0, gap=gap)
    archive.close()


def _end(trace, op, archive):
    if trace.kind[op] != OpKind.RECEIVE:
        return ("MpiIsendComplete", op)
    return ("MpiIrecv", int(trace.peer[op]), archive.world, int(trace.tag[op]),
            int(trace.bytes[op]), op)  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_a_program_written_as_dumpi_takes_as_long(tmp_path, seed):
    trace = random_trace(seed)
    write_dumpi(trace, tmp_path)
    read = read_trace(tmp_path)
    for model in ("ports", "maxmin"):
        expected = replay(trace, NET, model).seconds
        assert replay(read, NET, model).seconds == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_a_program_written_as_otf2_takes_as_long(tmp_path, seed):
    pytest.importorskip("otf2")
    trace = random_trace(seed)
    write_otf2(trace, tmp_path / "run")
    read = read_trace(tmp_path / "run")
    for model in ("ports", "maxmin"):
        expected = replay(trace, NET, model).seconds
        assert replay(read, NET, model).seconds == pytest.approx(expected, rel=1e-5)
