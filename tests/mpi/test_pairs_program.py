"""Ping-pongs of many pairs over real MPI: each is timed, and wrong data and rounds are told."""

import pytest

from contend.alltoall.clusters.rounds import rounds_of
from contend.base.errors import LaunchError
from contend.measure.build import built_folder
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.launch import run
from contend.measure.messages import PINGPONG, program_sending
from contend.samples.messages import Sent
from support.processes import completed

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

QUICK = LaunchOptions(
    max_seconds=0.02, min_repetitions=3, max_repetitions=3, precision=0.5, warmup=1, timeout=20
)


def lines(mpi, rounds, n, m, more=None):
    sent = [Sent("round", pairs) for pairs in rounds]
    with program_sending(mpi, sent, n, PINGPONG) as program:
        command = command_line(mpi, program, n, [m], QUICK)
        variables = settings(mpi, n, QUICK) | dict(more or {})
        return list(run(command, variables, QUICK.timeout, QUICK.timeout))


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("m", [0, 100_003])
def test_every_trip_has_a_beginning_and_an_end(mpi, n, m):
    rounds = rounds_of(n)
    found = lines(mpi, rounds, n, m)
    (launch,) = [line for line in found if line["kind"] == "launch"]
    assert [launch["hosts"][index] for index in launch["host_of"]] == launch["hosts"] * n
    points = [line for line in found if line["kind"] == "point"]
    assert [point["algorithm"] for point in points] == [f"{i}:round" for i in range(len(rounds))]
    for point, pairs in zip(points, rounds, strict=True):
        for parts, last in zip(point["part_ends_s"], point["times_s"], strict=True):
            assert len(parts) == 2 * len(pairs)
            for begin, end in zip(parts[::2], parts[1::2], strict=True):
                assert 0 < begin < end <= last


# Spoils the last byte of what the first of a pair sends.
SPOILER = """
#include <mpi.h>
int MPI_Send(const void *data, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm)
{
    if (tag == 2 && count == 100003)
        ((unsigned char *)data)[count - 1] ^= 1;
    return PMPI_Send(data, count, type, dst, tag, comm);
}
"""


def test_a_wrong_byte_is_told(mpi, compiled, tmp_path):
    source = tmp_path / "spoiler.c"
    source.write_text(SPOILER)
    spoiler = compiled(mpi.mpicc, "-shared", "-fPIC", "-O1", source)
    with pytest.raises(LaunchError, match="wrong data on rank 2"):
        lines(mpi, [((0, 2),)], 3, 100_003, more={"LD_PRELOAD": str(spoiler)})


def test_a_process_in_two_pairs_is_refused(mpi, tmp_path):
    path = tmp_path / "rounds"
    path.write_text("contend-graphs 1\nfirst 0>1 2>3\nsecond 0>1 2>0\n")
    command = [built_folder(mpi) / "graph", path, "pingpong", "--sizes", "8"]
    done = completed(command, timeout=20)
    assert done.returncode == 2
    assert "second has a process in two pairs" in done.stderr
