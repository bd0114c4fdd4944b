"""The library's own collective operations: right data in every shape, and wrong data noticed."""

from dataclasses import replace
from pathlib import Path

import pytest

from contend.base.errors import LaunchError
from contend.measure.build import build
from contend.measure.command import command_line, settings
from contend.measure.launch import run

pytestmark = pytest.mark.mpi
SOURCE = Path(__file__).parents[1] / "mpi" / "wrong_collectives.c"
OPERATIONS = (
    "bcast", "scatter", "scatterv", "gather", "gatherv", "allgather", "allgatherv", "alltoallv",
    "reduce", "allreduce", "reduce_scatter", "reduce_scatter_block",
)  # fmt: skip
SIZES = (0, 1, 6, 64, 40001, 40000)  # of whole words and others, eager and by rendezvous


def points(mpi, program, n, sizes, options):
    limits = (options.start_timeout(mpi), options.point_timeout())
    command = command_line(mpi, program, n, sizes, options)
    lines = list(run(command, settings(mpi, n, options), *limits))
    return [line for line in lines if line["kind"] == "point"]


@pytest.mark.parametrize("name", [*OPERATIONS, "barrier"])
def test_three_ranks_get_what_the_operation_says(any_mpi, name, quick):
    found = points(any_mpi, build(any_mpi)[name], 3, SIZES, quick)
    assert [(one["experiment"], one["algorithm"], one["m"]) for one in found] == [
        (name, "native", m) for m in SIZES
    ]
    assert all(one["checked"] and len(one["times_s"]) >= 5 for one in found)


@pytest.mark.parametrize("name", ["bcast", "reduce_scatter"])
@pytest.mark.parametrize("n", [2, 4])
def test_so_do_two_and_four(mpi, programs, name, n, quick):
    assert len(points(mpi, programs[name], n, SIZES, quick)) == len(SIZES)


@pytest.fixture(scope="session")
def wrong(mpi, compiled):
    return compiled(mpi.mpicc, "-shared", "-fPIC", SOURCE)


@pytest.mark.parametrize("name", [*OPERATIONS, "alltoall_native"])
def test_a_wrong_byte_is_noticed(mpi, programs, wrong, name, quick):
    program = replace(programs[name], before=("env", f"LD_PRELOAD={wrong}"))
    with pytest.raises(LaunchError, match="wrong data on rank"):
        points(mpi, program, 3, [4000], quick)


@pytest.mark.parametrize("name", ["bcast", "gatherv", "alltoallv", "reduce"])
def test_a_send_buffer_that_was_changed_is_noticed(mpi, programs, wrong, name, quick):
    program = replace(programs[name], before=("env", f"LD_PRELOAD={wrong}", "WRONG=sent"))
    with pytest.raises(LaunchError, match="the send buffer was changed"):
        points(mpi, program, 3, [4000], quick)
