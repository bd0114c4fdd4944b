"""contend trace show and convert: what they need, and what they say."""

from pathlib import Path

import pytest

from support.recordings import RankWriter

COMPUTES = """0 init
0 compute 1e9
0 alltoallv 3000 1000 2000 4000 1000 3000
0 finalize
1 init
1 alltoallv 4000 3000 1000 3000 2000 1000
1 finalize
"""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "c.txt"
    path.write_text(COMPUTES)
    return path


def test_info_needs_no_speed(contend, trace):
    found = contend("trace", "show", trace, "--json").json
    assert {row["call"]: row["bytes"] for row in found["calls"]}["alltoallv"] == 7000
    assert (found["computed_s"], found["computed_operations"]) == (None, 1e9)
    assert "1e+09 operations of computation" in contend("trace", "show", trace).out


def test_convert_takes_the_speed_where_the_format_has_seconds(contend, tmp_path):
    trace = tmp_path / "c.txt"
    trace.write_text("0 init\n0 compute 1e9\n0 send 1 0 8\n1 recv 0 0 8\n")
    to = ("--to", "goal", "-o", tmp_path / "c.goal")
    refused = contend("trace", "convert", trace, *to)
    assert refused.code != 0
    assert "--speed" in refused.err
    assert contend("trace", "convert", trace, *to, "--speed", "2e9").code == 0
    assert "calc 500000000" in (tmp_path / "c.goal").read_text()


def test_ns_of_polls_are_time_and_no_bytes(contend, tmp_path):
    writer = RankWriter(0, 1).world()
    writer.add("Test", 1000, 30_000_000, flags=256, bytes=25_000_000, received=400)
    writer.write(tmp_path / "run")
    (row,) = contend("trace", "show", tmp_path / "run", "--json").json["calls"]
    assert (row["call"], row["bytes"], row["seconds"]) == ("MPI_Test", 0, pytest.approx(0.025))
    table = contend("trace", "show", tmp_path / "run").out
    assert "MiB" not in table
    assert "25 ms" in table


@pytest.mark.parametrize("command", [("trace", "show"), ("replay", "--latency", "1us",
                                                        "--bandwidth", "1GB/s")])  # fmt: skip
def test_a_split_is_said_by_every_command_that_reads_it(contend, tmp_path, command):
    trace = tmp_path / "s.txt"
    trace.write_text("0 comm_split\n0 allreduce 8 0\n1 comm_split\n1 allreduce 8 0\n")
    ended = contend(*command, trace)
    assert ended.code == 0
    assert "warning: rank 0, comm_split" in ended.err
    assert "not distinguishable" in ended.err
