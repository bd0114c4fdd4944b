"""Modes of the preloaded library: each gives together with others what it gives alone."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI
from contend.programs.traces.reader import read_trace
from contend.tune.verification.calls import read_watched
from support.mpis import any_mpi
from support.processes import completed

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

LATE = Path(__file__).parents[1] / "exchange" / "late.c"
FLAGS = ("-std=c11", "-O1", "-D_GNU_SOURCE", "-pthread", "-rdynamic")
RANKS, CALLS, BYTES = 4, 5, 300

mpi = any_mpi

Run = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def run(mpi: MPI, compiled: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A function that runs a program with all-to-all exchanges under modes: what each has left."""
    program, library = compiled(mpi.mpicc, *FLAGS, LATE, "-ldl", "-lm"), preloaded_library(mpi)

    def under(*modes: str, operation: str = "equal") -> dict[str, Any]:
        folder = tmp_path_factory.mktemp("modes")
        variables: dict[str, Any] = {"LD_PRELOAD": library}
        for mode in modes:
            (folder / mode).mkdir()
            variables[f"CONTEND_{mode}"] = folder / mode
        summary = folder / "summary.json"
        variables |= {"CONTEND_EXCHANGE_ALGORITHM": "paced", "CONTEND_EXCHANGE_SUMMARY": summary}
        words = ["env", *(f"{name}={value}" for name, value in variables.items())]
        words += [str(program), str(CALLS), str(BYTES), operation]
        environment = settings(mpi, RANKS, LaunchOptions())
        done = completed([*mpi.launcher, "-n", RANKS, *words], env=environment)
        assert done.returncode == 0, done.stderr
        assert "contend" not in done.stderr
        found = {"served": json.loads(done.stdout)["calls"]["paced"]}
        read = {"RECORD": recorded, "VERIFY": verified, "EXCHANGE": lambda _: summed_up(summary)}
        assert summary.exists() == ("EXCHANGE" in modes)
        return found | {mode: read[mode](folder / mode) for mode in modes}

    return under


def recorded(folder: Path) -> Counter[Any]:
    """How often each rank has called what with how many bytes."""
    trace = read_trace(folder)
    calls = (trace.calls[call] for call in trace.call)
    return Counter(zip(trace.rank.tolist(), calls, trace.bytes.tolist(), strict=True))


def verified(folder: Path) -> Counter[Any]:
    watched = read_watched(folder)
    assert watched is not None
    assert watched.files == RANKS
    found: Counter[Any] = Counter()  # whichever algorithms MPI took inside
    for one in watched.calls:
        found[one.kind.operation, one.kind.n, one.kind.m] += round(one.calls)
    return found


def summed_up(file: Path) -> list[Any]:
    rows = json.loads(file.read_text())["rows"]
    return [(row["call"], row["algorithm"], row["calls"], row["bytes"]) for row in rows]


@pytest.fixture(scope="session")
def alone(run: Run) -> dict[str, Any]:
    """What each mode gives without the others."""
    found: dict[str, Any] = {}
    for mode in ("RECORD", "VERIFY", "EXCHANGE"):
        found |= run(mode)
    return found


def test_without_a_mode_every_call_goes_on_untouched(run: Run) -> None:
    assert run() == {"served": 0}


def test_a_mode_alone_sees_what_the_program_calls(alone: dict[str, Any]) -> None:
    size = BYTES
    assert alone["EXCHANGE"] == [("MPI_Alltoall", "paced", CALLS * RANKS, CALLS * RANKS**2 * size)]
    assert alone["VERIFY"]["alltoall", RANKS, size] == CALLS
    assert alone["RECORD"][RANKS - 1, "MPI_Alltoall", size] == CALLS
    assert alone["RECORD"][0, "MPI_Finalize", 0] == 1


@pytest.mark.parametrize(
    "modes",
    [
        ("RECORD", "EXCHANGE"),
        ("VERIFY", "RECORD"),
        ("VERIFY", "EXCHANGE"),
        ("RECORD", "VERIFY", "EXCHANGE"),
    ],
    ids="+".join,
)
def test_modes_together_give_what_each_gives_alone(
    run: Run, alone: dict[str, Any], modes: tuple[str, ...]
) -> None:
    together = run(*modes)
    assert {mode: together[mode] for mode in modes} == {mode: alone[mode] for mode in modes}
    assert together["served"] == (CALLS if "EXCHANGE" in modes else 0)


def test_a_mode_that_is_off_by_its_variable_is_off(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setenv("CONTEND_EXCHANGE", "0")
    assert run()["served"] == 0


def test_what_comes_in_unequal_blocks_is_seen_and_served_too(run: Run) -> None:
    found = run("RECORD", "VERIFY", "EXCHANGE", operation="varying")
    assert found["served"] == CALLS
    assert found["VERIFY"]["alltoallv", RANKS, BYTES] == CALLS
    assert found["RECORD"][0, "MPI_Alltoallv", BYTES * RANKS] == CALLS
