"""What Intel MPI makes of I_MPI_ADJUST variables is what is read from them.

Proof: a preset that there is none of ends a program, where the library is told not to run another
in its place, at a call that takes it; see `contend.tune.exports.presets`.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from contend.measure.mpi import MPI
from contend.schedules.libraries import library_of
from contend.tune.exports.filerule import rule_for
from contend.tune.exports.formats.intel import IntelVariables
from contend.tune.exports.presets import MOST
from contend.tune.verification.probe import Prober
from support.mpis import intel_mpi, launch_settings, probe_launch

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]
RANKS = 4
mpi = intel_mpi
Taken = Callable[..., str | None]
# Presets of the all-to-all that serve calls of all numbers of processes: Bruck, isend, pairwise.
NAMES = {1: "bruck", 2: "isend_irecv", 3: "pairwise"}


@pytest.fixture
def taken(mpi: MPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Taken:
    """A function that says which preset a call takes under a value; None: the default."""
    for name, value in launch_settings(mpi, RANKS).items():
        monkeypatch.setenv(name, value)
    launch = probe_launch(mpi, ranks=RANKS)
    program = Path(launch.words[launch.program or 0])
    version = library_of(mpi.title)[1]

    def preset(value: str, m: int, operation: str = "alltoall", n: int = RANKS) -> str | None:
        path = tmp_path / "rules.sh"
        path.write_text(f'export I_MPI_ADJUST_{operation.upper()}="{value}"\n')
        prober = Prober(launch, program, path, IntelVariables(), version)
        names = IntelVariables.poison.leaves(path.read_text(), operation, version)
        found = [
            name for name in names
            if prober.taken(tmp_path, operation, n, m, name) == frozenset((name,))
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    return preset


def read(value: str, m: int, operation: str = "alltoall", n: int = RANKS) -> str | None:
    text = f'export I_MPI_ADJUST_{operation.upper()}="{value}"\n'
    rule = rule_for(IntelVariables().read(text, (2021, 18)), operation, n, m)
    return rule.algorithm if rule else None


@pytest.mark.parametrize(
    ("value", "m"),
    [
        ("1:0-63;3:64-100", 63),
        ("1:0-63;3:64-100", 64),
        ("1:0-63;3:64-100", 5000),  # beyond all ends
        ("3:5000-6000@2-3", 8),  # neither the size nor the processes
        ("1:0-63@4-4;3:64-100@4-4", 8),  # the last of the same processes, for all sizes
        ("1:0-63@3-4;3:64-100@2-4", 100),  # the first that is not exceeded
        ("3:100-200;1:0-50", 30),  # by upper ends, in the order of the value
        ("3:100-200;1:0-50", 300),
        ("1:0-100@2-3;3:0-100@4-9", 8),
        ("1:0-100@5-9;3:0-100@2-3", 8),
        ("1:0-64;3:0-64@4-4", 8),  # without processes: all of them
    ],
)
def test_conditions_are_no_limits(taken: Taken, value: str, m: int) -> None:
    assert taken(value, m) == read(value, m) is not None


@pytest.mark.full
def test_random_values_are_taken_as_they_are_read(taken: Taken) -> None:
    rng = random.Random(1)
    for _ in range(12):
        with_processes = rng.random() < 0.5
        parts = []
        for number in rng.sample([1, 2, 3], rng.randint(2, 3)):
            low, high = sorted(rng.sample(range(200), 2))
            n, last = sorted(rng.choices(range(1, 8), k=2))
            parts.append(f"{number}:{low}-{high}" + f"@{n}-{last}" * with_processes)
        value, m = ";".join(parts), rng.randint(1, 250)
        assert taken(value, m) == read(value, m) is not None, (value, m)


@pytest.mark.parametrize(
    ("operation", "names", "m", "end"),
    [
        ("bcast", (1, 2), 100, 99),
        ("allgather", (1, 2), 100, 99),
        ("allgatherv", (1, 2), 100, 99),
        ("allreduce", (2, 3), 100, 99),
        ("reduce_scatter", (1, 3), 100, 4 * 100 - 1),
    ],
)
def test_sizes_are_counted_as_is_said(
    taken: Taken, operation: str, names: tuple[int, int], m: int, end: int
) -> None:
    """m is just beyond the end of the first condition, and within it where that is 1 longer."""
    below, above = names
    for last in (end, end + 1):
        value = f"{below}:0-{last};{above}:{last + 1}-{MOST}"
        assert taken(value, m, operation) == read(value, m, operation) is not None


def test_an_operation_without_sizes_takes_the_last_condition(taken: Taken) -> None:
    for value in (f"1:0-99;2:100-{MOST}", f"2:0-99;1:100-{MOST}"):
        assert taken(value, 10, "alltoallv") == read(value, 10, "alltoallv") is not None
