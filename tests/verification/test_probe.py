"""What a probe says of a rule, where each call that is probed lives or dies as it is told."""

import json
from pathlib import Path

import pytest

from contend.measure.launcher import parse_launch
from contend.tune.exports import FileRule, format_named
from contend.tune.verification.probe import Prober, probe
from contend.tune.verification.verdict import Cell, Verdict

NAMES = ("smp", "binomial", "scatter_ring_allgather")
TREE = {
    f"comm_size<={size}": {f"algorithm=MPIR_Bcast_intra_{name}": {}}
    for size, name in enumerate(NAMES)
}
POISON = "algorithm=MPIR_Scatter_intra_binomial"


def rule(algorithm: str) -> FileRule:
    return FileRule("bcast", 2, 3, 0, None, algorithm)


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """The verdict on a rule of a library that takes some leaves for a call."""
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"collective=bcast": TREE}))

    def survives(prober: Prober, rules: Path, operation: str, n: int, m: int) -> bool:
        tree = json.loads(rules.read_text())[f"collective={operation}"]
        return not any(
            POISON in json.dumps(tree[f"comm_size<={NAMES.index(name)}"]) for name in taken
        )

    taken: list[str] = []
    monkeypatch.setattr(Prober, "survives", survives)
    monkeypatch.setenv("CONTEND_CACHE", str(tmp_path))
    prober = Prober(
        parse_launch(["mpiexec", "-n", "2", "true"]), Path("probe"), path,
        format_named("mpich")[0], (4, 0, 2),
    )  # fmt: skip

    def run(algorithm: str, *leaves: str):  # type: ignore[no-untyped-def]
        taken[:] = leaves
        cell = Cell("bcast", 2, rule(algorithm))
        return probe(prober, {cell: [4096]})[cell, 4096]

    return run


@pytest.mark.parametrize(
    ("algorithm", "taken", "verdict", "ran", "why"),
    [
        ("binomial", ["binomial"], Verdict.in_effect, "binomial", "by a probe"),
        ("smp", ["smp", "binomial"], Verdict.in_effect, "smp", "other rules decide its parts"),
        ("binomial", ["smp", "binomial"], Verdict.in_part, "binomial or others", "by a probe"),
    ],
)
def test_a_leaf_that_is_reached_is_in_effect(  # type: ignore[no-untyped-def]
    judged, algorithm: str, taken: list[str], verdict: Verdict, ran: str, why: str
) -> None:
    found = judged(algorithm, *taken)
    assert (found.verdict, found.ran) == (verdict, ran)
    assert why in found.why


@pytest.mark.parametrize("algorithm", ["binomial", "smp"])
def test_a_leaf_that_is_not_reached_is_not_in_effect(judged, algorithm: str) -> None:  # type: ignore[no-untyped-def]
    found = judged(algorithm, "scatter_ring_allgather")
    assert found.verdict is Verdict.not_in_effect
    assert found.ran == "scatter_ring_allgather"
    assert judged(algorithm).verdict is Verdict.not_in_effect


def test_nothing_is_claimed_where_the_library_meets_the_poison_before(  # type: ignore[no-untyped-def]
    judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Prober, "survives", lambda own, rules, *_: None if POISON in rules.read_text() else True
    )
    found = judged("binomial")
    assert (found.verdict, found.ran) == (Verdict.unknown, "?")


@pytest.mark.parametrize("is_served", [True, False])
def test_a_call_that_ends_only_where_another_may_run_is_not_in_effect(  # type: ignore[no-untyped-def]
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_served: bool
) -> None:
    """Of Intel MPI, which can be told to end a call whose preset does not serve it."""
    path = tmp_path / "rules.sh"
    path.write_text('export I_MPI_ADJUST_ALLTOALL="4"\n')

    def survives(own: Prober, rules: Path, *_: object, is_strict: bool = True) -> bool:
        is_poisoned = "99:" in rules.read_text()
        return not is_strict or (is_served and not is_poisoned)

    monkeypatch.setattr(Prober, "survives", survives)
    monkeypatch.setenv("CONTEND_CACHE", str(tmp_path))
    launch = parse_launch(["mpiexec", "-n", "2", "true"])
    prober = Prober(launch, Path("probe"), path, format_named("intel")[0], (2021, 18))
    cell = Cell("alltoall", 2, FileRule("alltoall", 1, None, 0, None, "plum"))
    found = probe(prober, {cell: [64]})[cell, 64]
    if is_served:
        assert (found.verdict, found.ran) == (Verdict.in_effect, "plum")
    else:
        assert (found.verdict, found.ran) == (Verdict.not_in_effect, "another")
        assert "plum does not serve it, and another runs in its place" in found.why
