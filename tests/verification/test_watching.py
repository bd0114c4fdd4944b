"""What the library that watches writes down, held against what a program was made to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from contend.base.errors import LaunchError
from contend.measure.build import preloaded_library
from contend.measure.launcher import parse_launch
from contend.measure.mpi import MPI
from contend.schedules.libraries import Version, library_of
from contend.schedules.libraries.openmpi import OpenMPI
from contend.tune.verification.calls import Watched, longest
from contend.tune.verification.runs import run_command, run_watched
from support.mpis import launch_settings

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]

OPERATIONS = (
    "bcast", "scatter", "scatterv", "gather", "gatherv", "alltoall", "alltoallv", "allgather",
    "allgatherv", "reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "barrier",
)  # fmt: skip
RULED = ("scan", "exscan")  # which are not watched
RANKS = 4
TIMEOUT = 90.0
M = 4096


@pytest.fixture
def version(mpi: MPI) -> Version:
    library, version = library_of(mpi.title)
    if library.name != "openmpi":
        pytest.skip(f"{mpi.title} does not show which algorithm runs")
    return version


def test_every_call_is_counted_with_its_operation_processes_and_bytes(
    watched: Callable[..., Watched],
) -> None:
    times = {operation: 2 + at % 3 for at, operation in enumerate(OPERATIONS)}
    seen = watched(*(f"{name}:{M}:{count}" for name, count in times.items()), "alltoall:64:5:3")
    found = {(one.kind.operation, one.kind.n, one.kind.m): one.calls for one in seen.calls}
    expected = {(name, RANKS, 0 if name == "barrier" else M): times[name] for name in times}
    assert found == pytest.approx(expected | {("alltoall", 3, 64): 5})
    assert (seen.files, seen.ranks, seen.per_node, seen.left_out) == (RANKS, RANKS, RANKS, 0)
    assert all(longest([one]) > 0 for one in seen.calls)


@pytest.mark.parametrize("number", range(1, 10))
def test_each_algorithm_that_is_forced_is_seen_by_its_name(
    version: Version, watched: Callable[..., Watched], number: int
) -> None:
    library = OpenMPI()
    forced = [
        one
        for one in library.table
        if one.number == number
        and one.operation not in RULED
        and one.since <= version < one.before
        and one.serves(RANKS)
    ]
    variables: dict[str, str] = {}
    for one in forced:
        options = {"segment": 1024} if "segment" in one.options else {}
        variables |= library.forcing(one, options, version)
    seen = watched(*(f"{one.operation}:{M}:1" for one in forced), **variables)
    found = {one.kind.operation: (one.kind.asked, one.kind.ran) for one in seen.calls}
    assert found == {one.operation: (one.name, one.name) for one in forced}
    segments = {one.kind.operation: one.kind.segment for one in seen.calls}
    assert all(segments[one.operation] == 1024 for one in forced if "segment" in one.options)


def test_an_algorithm_that_does_not_serve_the_processes_is_seen_to_hand_on(
    version: Version, watched: Callable[..., Watched]
) -> None:
    library = OpenMPI()
    doubling = library.algorithm("allgather", "recursive_doubling", version)
    seen = watched("allgather:64:1", ranks=3, **library.forcing(doubling, {}, version))
    (one,) = seen.calls
    assert (one.kind.asked, one.kind.ran) == ("recursive_doubling", "bruck")


def test_without_the_component_with_rules_none_of_its_algorithms_is_claimed(
    version: Version, watched: Callable[..., Watched]
) -> None:
    seen = watched(f"gatherv:{M}:2", f"bcast:{M}:1")
    by_operation = {one.kind.operation: one.kind for one in seen.calls}
    assert by_operation["gatherv"].ran is None, "coll/basic serves it, which has no rules"
    assert by_operation["bcast"].ran is not None


def test_calls_of_fortran_are_counted_and_seen(
    mpi: MPI, version: Version, compiled: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not Path(mpi.mpicc).with_name(Path(mpi.mpicc).name.replace("mpicc", "mpifort")).exists():
        pytest.skip(f"{mpi.title} comes without Fortran")
    for name, value in launch_settings(mpi).items():
        monkeypatch.setenv(name, value)
    program = compiled(mpi.mpicc, Path(__file__).with_name("fortran.c"), "-lmpi_mpifh")
    launch = parse_launch([*mpi.launcher, "-n", "4", str(program)])
    seen = run_watched(launch, preloaded_library(mpi), {}, TIMEOUT, "in a test").watched
    found = {
        (one.kind.operation, one.kind.m): (one.calls, bool(one.kind.ran)) for one in seen.calls
    }
    assert found == {key: (1, True) for key in (("bcast", 64), ("allgatherv", 64), ("barrier", 0))}


def test_other_libraries_say_that_they_show_nothing(
    mpi: MPI, watched: Callable[..., Watched]
) -> None:
    seen = watched("bcast:64:1")
    assert seen.sees_algorithms == (mpi.family == "Open MPI")
    assert library_of(seen.library) == library_of(mpi.title)


def test_a_program_that_fails_is_an_error_that_says_what_it_said(
    watched: Callable[..., Watched],
) -> None:
    with pytest.raises(LaunchError, match="ended with status 1 in a test"):
        watched("no_such_operation:8:1")


def test_a_command_that_hangs_is_ended() -> None:
    ended = run_command(["sleep", "600"], {}, 0.5)
    assert ended.code is None
    assert ended.seconds < 60
