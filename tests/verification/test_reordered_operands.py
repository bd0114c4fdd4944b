"""Operations that do not commute are seen, whoever made them, and so is what reorders operands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from contend.measure.build import preloaded_library
from contend.measure.launcher import parse_launch
from contend.measure.mpi import MPI
from contend.schedules.libraries import library_of
from contend.tune.verification.calls import Calls, Kind, Watched, added
from contend.tune.verification.operands import Rules, together
from contend.tune.verification.runs import run_watched
from support.decisions import decided, rule
from support.formats import target_named
from support.mpis import launch_settings

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]

HERE = Path(__file__).parent
RANKS = 4
SIZES = {"reduce": {40}, "allreduce": {80, 240}, "reduce_scatter": {120},
         "reduce_scatter_block": {160}}  # fmt: skip
WRONG = {"reduce": "binomial", "allreduce": "ring", "reduce_scatter": "ring"}


def has_fortran(mpi: MPI) -> bool:
    beside = Path(mpi.mpicc).resolve().parent
    return mpi.family == "Open MPI" and any(beside.glob("mpif*"))


@pytest.fixture
def run(mpi: MPI, compiled: Callable[..., Path], monkeypatch) -> Callable[..., Watched]:
    """What is seen of the calls of ordered.c under some environment variables."""
    for name, value in launch_settings(mpi).items():
        monkeypatch.setenv(name, value)
    fortran = ("-DWITH_FORTRAN", "-lmpi_mpifh") if has_fortran(mpi) else ()
    program = compiled(mpi.mpicc, "-std=c11", HERE / "ordered.c", *fortran)
    launch = parse_launch([*mpi.launcher, "-n", str(RANKS), str(program)])

    def of(variables: dict[str, str]) -> Watched:
        return run_watched(launch, preloaded_library(mpi), variables, 90.0, "in a test").watched

    return of


def test_every_reduction_says_whether_its_operation_commutes(mpi: MPI, run) -> None:
    seen = run({})
    found = {(one.kind.operation, one.kind.m, one.kind.is_ordered): one.calls for one in seen.calls}
    fortran = {60} if has_fortran(mpi) else set()
    has_large = any(m == 240 for _, m, _ in found)  # from MPI-4 on
    for operation, sizes in (SIZES | {"reduce": {40} | fortran}).items():
        for m in sizes - (set() if has_large else {240}):
            assert found[operation, m, True] == found[operation, m, False] == 1


def test_what_ran_is_found_with_its_rule_also_inside_of_other_calls(
    mpi: MPI, run, tmp_path: Path
) -> None:
    library, version = library_of(mpi.title)
    if library.name != "openmpi":
        pytest.skip(f"{mpi.title} does not show which algorithm runs")
    openmpi = target_named(f"openmpi-{mpi.version}")
    decisions = decided(*(rule(*one) for one in WRONG.items() if one[0] != "reduce_scatter"))
    text = openmpi.write(decisions, all_commute=True).text
    path = tmp_path / "rules"
    path.write_text(text)
    seen = run(openmpi.loading(path))
    calls, inner = added([seen.calls]), added([seen.inner])
    found = list(Rules(openmpi.form, version, text).seen(calls, inner, "single-node"))
    by = {(one.operation, one.m, one.reduction, one.algorithm) for one in found}
    expected = {
        ("reduce", 40, "reduce", "binomial"),
        ("allreduce", 80, "allreduce", "ring"),
        ("reduce_scatter", 120, "reduce", "binomial"),
        ("reduce_scatter_block", 160, "reduce", "binomial"),
        ("allreduce", 200, "reduce", "binomial"),  # between two groups
    }
    assert expected <= by
    assert {one[3] for one in by} == {"binomial", "ring"}
    for one in found:
        assert one.rule is not None
        assert (one.rule.operation, one.rule.algorithm) == (one.reduction, one.algorithm)
    assert not [one for one in added([run({}).calls]) if one.kind.ran == "binomial"]


def test_nothing_is_found_without_rules(mpi: MPI, run) -> None:
    library, version = library_of(mpi.title)
    if library.name != "openmpi":
        pytest.skip(f"{mpi.title} does not show which algorithm runs")
    openmpi = target_named(f"openmpi-{mpi.version}")
    seen, rules = run({}), Rules(openmpi.form, version, openmpi.write(decided()).text)
    assert not list(rules.seen(added([seen.calls]), added([seen.inner]), "single-node"))


def calls(operation: str, m: int = 64, **more: object) -> Calls:
    kind = Kind(operation, RANKS, m, is_ordered=True, **more)  # type: ignore[arg-type]
    return Calls(kind, 3, {0: 1.0})


def of_openmpi(*text: str) -> Rules:
    openmpi = target_named("openmpi-5.0.11")
    return Rules(openmpi.form, openmpi.version, "\n".join(text))


RULES = ("1", "2", "1", "2", "1", "0 4 0 0")


@pytest.mark.parametrize(
    "one, is_wrong",
    [
        (calls("allreduce", asked="ring", ran="ring"), True),
        # It serves fewer elements than ranks by another, which keeps the order.
        (calls("allreduce", asked="ring", ran="recursive_doubling"), False),
        (calls("allreduce", asked="segmented_ring", ran="ring"), True),
        (calls("allreduce", asked="rabenseifner", ran="basic_linear"), False),
        (calls("allreduce", m=0, asked="ring", ran="ring"), False),
        (calls("bcast", asked="binomial", ran="binomial"), False),
        (calls("reduce", asked="binomial", ran="binomial"), True),
        (calls("allreduce"), False),
    ],
)
def test_what_ran_in_the_end_counts(one: Calls, is_wrong: bool) -> None:
    found = list(of_openmpi(*RULES).seen([one], [], "any"))
    assert bool(found) == is_wrong
    for each in found:
        assert (each.rule is not None) == (one.kind.asked == "ring")  # else a variable forces it


def test_of_a_library_that_shows_nothing_the_file_tells() -> None:
    """Of MPICH a path that does not ask whether the operation commutes, and one that does."""
    mpich, intel = target_named("mpich-5.0.2"), target_named("intel-2021.18")
    ring = '{"algorithm=MPIR_Allreduce_intra_ring": {}}'
    other = '{"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}'
    asked = f'{{"is_commutative=yes": {ring}, "is_commutative=no": {other}}}'
    for below, is_wrong in ((ring, True), (asked, False)):
        text = f'{{"collective=allreduce": {{"comm_type=intra": {below}}}}}'
        found = list(Rules(mpich.form, mpich.version, text).due([calls("allreduce")], "any"))
        assert bool(found) == is_wrong
    for value, is_wrong in (("2", True), ("2:0-32@2-3", True), ("1:0-32@2-4;2:0-32@5-8", False)):
        text = f'export I_MPI_ADJUST_REDUCE_SCATTER_BLOCK="{value}"'
        one = calls("reduce_scatter_block")
        found = list(Rules(intel.form, intel.version, text).due([one], "any"))
        assert bool(found) == is_wrong, value


def test_sizes_of_the_same_rule_are_told_together() -> None:
    ran = {"asked": "ring", "ran": "ring"}
    found = of_openmpi(*RULES).seen([calls("allreduce", m, **ran) for m in (8, 64)], [], "any")
    (own,) = together(found)
    assert [one.m for one in own] == [8, 64]
