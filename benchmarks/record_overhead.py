"""What recording adds to a call, and to a run, with every MPI that is installed.

    python -m benchmarks.record_overhead [PAIRS [RANKS]]

Local ranks, in launches with the recorder preloaded and without it, which of them first by turns.
Of small calls, two paired differences, of means over launches with 95 % intervals (Student's t):
within a launch, chunks by MPI_ against chunks by the library's own functions, which pass the
recorder by; and between the two launches of a pair. A launch counts by the median of its chunks.
Of steps of a stencil (computation, a message to and from two neighbours, a sum: 6 calls), the
difference of the whole run, as a share of it.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.exchange_overhead import difference

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, installed

SOURCE = Path(__file__).with_suffix(".c")
CHUNKS, ROUNDS = 60, 1000
STEPS, COMPUTED_US = 2000, 500


@dataclass(frozen=True)
class Case:
    """Which calls."""

    title: str
    words: tuple[object, ...]


CALLS = (
    Case("MPI_Isend, MPI_Irecv and two MPI_Wait, to itself", ("self", CHUNKS, ROUNDS)),
    Case("MPI_Test of nothing", ("test", CHUNKS, ROUNDS)),
    Case("MPI_Send and MPI_Recv, ping-pong", ("pingpong", CHUNKS, ROUNDS)),
    Case("MPI_Allreduce", ("allreduce", CHUNKS, ROUNDS)),
)
RUN = Case(f"{STEPS} steps of {COMPUTED_US} us", ("steps", STEPS, COMPUTED_US))


def launch(mpi: MPI, program: Path, case: Case, ranks: int, is_recorded: bool) -> np.ndarray:
    """The numbers that it prints, (lines, 2)."""
    with tempfile.TemporaryDirectory() as folder:
        preload = {"LD_PRELOAD": str(preloaded_library(mpi)), "CONTEND_RECORD": folder}
        own = [f"{name}={value}" for name, value in preload.items()] if is_recorded else []
        words = [str(program), *map(str, case.words)]
        done = subprocess.run(
            [*mpi.launcher, "-n", str(ranks), "env", *own, *words],
            env={**os.environ, **settings(mpi, ranks, LaunchOptions())},
            capture_output=True,
            text=True,
            check=True,
        )
    return np.array([line.split() for line in done.stdout.splitlines()], dtype=float)


def compare_calls(mpi: MPI, program: Path, case: Case, pairs: int, ranks: int) -> str:
    """Line of a case of calls."""
    times = np.empty((pairs, 2, 2))  # without the recorder and with it, by MPI_ and passing it by
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            found = launch(mpi, program, case, ranks, bool(which))
            times[pair, which] = np.median(found, axis=0)
    (theirs, _), (ours, beside) = (times[:, which].T for which in (0, 1))
    return (
        f"{case.title}: {np.median(theirs) * 1e6:.3f} us a call without; with it "
        f"{difference(ours - beside)} within a launch, {difference(ours - theirs)} between launches"
    )


def compare_runs(mpi: MPI, program: Path, pairs: int, ranks: int) -> str:
    """Line of the whole run."""
    times = np.empty((pairs, 2))
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            times[pair, which] = launch(mpi, program, RUN, ranks, bool(which))[0, 0]
    without, recorded = times.T
    shares = 100 * (recorded / without - 1)
    half = 1.96 * shares.std(ddof=1) / np.sqrt(pairs)
    return (
        f"{RUN.title}: {np.median(without):.3f} s without; with it {shares.mean():+.2f} % of the "
        f"run [{shares.mean() - half:+.2f}, {shares.mean() + half:+.2f}], "
        f"median {np.median(shares):+.2f} %"
    )


def main(pairs: int = 12, ranks: int = 2) -> None:
    """Print a line for each MPI and case."""
    for mpi in installed():
        print(f"{mpi.title}, {ranks} local ranks, 8 B, {pairs} pairs of launches")
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "overhead"
            words = [mpi.mpicc, "-O2", "-D_GNU_SOURCE", "-o", str(program), str(SOURCE), "-ldl"]
            subprocess.run(words, check=True)
            for case in CALLS:
                print(f"  {compare_calls(mpi, program, case, pairs, ranks)}", flush=True)
            print(f"  {compare_runs(mpi, program, pairs, ranks)}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
