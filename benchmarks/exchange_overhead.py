"""What the exchange library adds to a call that stays native, with every MPI that is installed.

    python -m benchmarks.exchange_overhead [PAIRS [RANKS]]

Small exchanges of local ranks, in launches with the library preloaded and without it, which of
them first by turns. Two paired differences, of means over launches with 95 % intervals (Student's
t): within a launch, chunks of MPI_ against chunks of PMPI_, which passes the library by; and
between the two launches of a pair, MPI_ with the library against MPI_ without it. A launch counts
by the median of its chunks.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy import stats

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, installed

SOURCE = Path(__file__).with_suffix(".c")
PLAN = (
    "contend-exchange 1\nlevel cluster\ngroup a host a\ngroup b host b\nchoose cluster 0 native\n"
)
BYTES, CHUNKS, CALLS = 8, 60, 1000


@dataclass(frozen=True)
class Case:
    """Why a call stays native."""

    title: str
    operation: str = "alltoall"
    hosts: str = "a"  # of the ranks, by turns
    has_plan: bool = False
    variables: dict[str, str] = field(default_factory=dict)

    def of_rank(self, rank: int, library: Path, plan: Path) -> dict[str, str]:
        """Variables of a rank with the library."""
        named = {"CONTEND_EXCHANGE_PLAN": str(plan)} if self.has_plan else {}
        host = self.hosts[rank % len(self.hosts)]
        own = {"LD_PRELOAD": str(library), "CONTEND_EXCHANGE": "1", "CONTEND_EXCHANGE_HOST": host}
        return {**own, **named, **self.variables}


FORCED = {"CONTEND_EXCHANGE_ALGORITHM": "lg_balanced"}
CASES = (
    Case("alltoall, preloaded alone"),
    Case("alltoall, one node", variables=FORCED),
    Case("alltoall, two groups, native chosen", hosts="ab", has_plan=True),
    Case("alltoallv, two groups, native chosen", "alltoallv", hosts="ab", has_plan=True),
)


def launch(mpi: MPI, command: list[str], variables: list[dict[str, str]]) -> np.ndarray:
    """Medians over chunks of the time per call by MPI_ and by PMPI_; variables of each rank."""
    each: list[str] = []
    for own in variables:
        each += [":"] if each else []
        each += ["-n", "1", "env", *(f"{name}={value}" for name, value in own.items()), *command]
    done = subprocess.run(
        [*mpi.launcher, *each],
        env={**os.environ, **settings(mpi, len(variables), LaunchOptions())},
        capture_output=True,
        text=True,
        check=True,
    )
    found = np.array([line.split() for line in done.stdout.splitlines()], dtype=float)
    return np.median(found, axis=0)


def difference(values: np.ndarray) -> str:
    """Mean in microseconds, with its interval."""
    mean = values.mean()
    low, high = stats.t.interval(0.95, len(values) - 1, mean, stats.sem(values))
    return f"{mean * 1e6:+.3f} [{low * 1e6:+.3f}, {high * 1e6:+.3f}] us"


def compare(mpi: MPI, case: Case, folder: Path, pairs: int, ranks: int) -> str:
    """Line of a case."""
    library, plan = preloaded_library(mpi), folder / "plan"
    plan.write_text(PLAN)
    words = (case.operation, BYTES, CHUNKS, CALLS)
    command = [str(folder / "overhead"), *map(str, words)]
    preloaded = [case.of_rank(rank, library, plan) for rank in range(ranks)]
    alone: list[dict[str, str]] = [{} for _ in range(ranks)]
    times = np.empty((pairs, 2, 2))  # with and without the library, MPI_ and PMPI_
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            times[pair, which] = launch(mpi, command, alone if which else preloaded)
    (ours, beside), (theirs, control) = (times[:, which].T for which in (0, 1))
    return (
        f"{case.title}: {np.median(theirs) * 1e6:.3f} us without; with it "
        f"{difference(ours - beside)} within a launch, {difference(ours - theirs)} between "
        f"launches; MPI_ against PMPI_ without it {difference(theirs - control)}"
    )


def main(pairs: int = 12, ranks: int = 2) -> None:
    """Print a line for each MPI and case."""
    for mpi in installed():
        print(f"{mpi.title}, {ranks} local ranks, {BYTES} B, {pairs} pairs of launches")
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "overhead"
            subprocess.run([mpi.mpicc, "-O2", "-o", program, SOURCE], check=True)
            for case in CASES:
                print(f"  {compare(mpi, case, Path(name), pairs, ranks)}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
