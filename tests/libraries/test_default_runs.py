"""What Open MPI is said to run by itself is what it runs, seen function by function."""

from collections.abc import Iterable

import pytest

from contend.measure.build import preloaded_library
from contend.measure.launcher import LaunchCommand, parse_launch
from contend.measure.mpi import MPI
from contend.schedules.libraries import Default, library_of
from contend.tune.verification.calls import Kind
from contend.tune.verification.runs import run_watched
from support.mpis import any_mpi, launch_settings, probe_launch

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(600)]
mpi = any_mpi

TO_ONE = ("bcast", "reduce", "allreduce", "gather", "scatter")
TO_ALL = ("alltoall", "alltoallv", "allgather", "allgatherv", "reduce_scatter",
          "reduce_scatter_block")  # fmt: skip
SIZES = (4, 8, 32, 64, 512, 1024, 4096, 8192, 32768, 131072, 524288, 2**20, 2**22)
MOST = 2**24  # bytes that all ranks send in a call
COUNTS = (2, 3, 4, 7, 8, 16)
# Rows of the tables begin at powers of two: with COUNTS, the n on both sides of each, even and odd
# ones between, and more ranks than most elements of a size that is handed on for having few.
MORE_COUNTS = (6, 9, 12, 15, 17, 31, 32)
ELEMENT = 4  # bytes, of what is reduced


def grid(n: int) -> list[tuple[str, int]]:
    """Operations and sizes of one launch of n ranks."""
    calls = [(name, m) for name in TO_ONE for m in SIZES if n * m <= MOST]
    calls += [(name, m) for name in TO_ALL for m in SIZES if n * n * m <= MOST]
    return [*calls, ("barrier", 0)]


def ran(mpi: MPI, launch: LaunchCommand, n: int, monkeypatch: pytest.MonkeyPatch) -> list[Kind]:
    """The calls of a launch, as seen by its ranks."""
    if library_of(mpi.title)[0].name != "openmpi":
        pytest.skip(f"{mpi.title} does not show which algorithm runs")
    for name, value in launch_settings(mpi, n).items():
        monkeypatch.setenv(name, value)
    watched = run_watched(launch, preloaded_library(mpi), {}, 300.0, "in a test").watched
    return [one.kind for one in watched.calls]


def shown(kind: Kind) -> tuple[object, ...]:
    """What was seen: the algorithm chosen, the one that ran, segment and fanout, where it has."""
    fanout = 1 if kind.ran == "chain" and kind.fanout == 0 else kind.fanout  # which it takes for 0
    return kind.asked, kind.ran, kind.segment, fanout


def foreseen(default: Default, kind: Kind) -> tuple[object, ...]:
    """The same by the tables; what the call does not show is as it was seen."""
    assert default.algorithm is not None, default.why
    options = default.options
    fanout = options.get("fanout", options.get("k", kind.fanout))
    segment = kind.segment if kind.segment is None else options.get("segment", 0)
    chosen = default.chosen or default.algorithm
    return chosen.name, default.algorithm.name, segment, fanout


def assert_as_in_the_tables(mpi: MPI, kinds: Iterable[Kind], **call: bool) -> None:
    library, version = library_of(mpi.title)
    wrong = {}
    for kind in kinds:
        element = ELEMENT if call or "reduce" in kind.operation else 1
        default = library.default(kind.operation, kind.n, kind.m, version, element=element, **call)
        if shown(kind) != foreseen(default, kind):
            wrong[kind.operation, kind.n, kind.m] = shown(kind), foreseen(default, kind)
    assert not wrong


@pytest.mark.parametrize(
    "n", [*COUNTS, *(pytest.param(n, marks=pytest.mark.full) for n in MORE_COUNTS)]
)
def test_each_call_runs_what_the_tables_say(
    mpi: MPI, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = grid(n)
    launch = probe_launch(mpi, *(f"{name}:{m}:1" for name, m in calls), ranks=n)
    kinds = ran(mpi, launch, n, monkeypatch)
    assert {(kind.operation, kind.m) for kind in kinds} == set(calls)
    assert_as_in_the_tables(mpi, kinds)


@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize(
    ("words", "operations", "call"),
    [
        ((), TO_ALL[:3], {"is_in_place": True}),
        (("ordered",), ("reduce", "allreduce", *TO_ALL[4:]), {"commutes": False}),
    ],
    ids=["in place", "ordered"],
)
def test_calls_in_place_and_in_order_run_what_the_tables_say(
    mpi: MPI, compiled, n: int, words, operations, call, request, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [(name, m) for name in operations for m in SIZES if n * n * m <= MOST]
    program = compiled(mpi.mpicc, request.path.with_name("variants.c"))
    texts = (f"{name}:{m}" for name, m in calls)
    launch = parse_launch([*mpi.launcher, "-n", str(n), str(program), *words, *texts])
    kinds = ran(mpi, launch, n, monkeypatch)
    assert {(kind.operation, kind.m) for kind in kinds} == set(calls)
    assert_as_in_the_tables(mpi, kinds, **call)
