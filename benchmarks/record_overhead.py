"""What recording adds to a call, and to a run, with every MPI that is installed.

    python -m benchmarks.record_overhead [--pairs N] [--ranks N]
    python -m benchmarks.record_overhead --before LIBCONTEND [--mpicc WRAPPER] [--pairs N]

Local ranks, in launches with the recorder preloaded and without it, which of them first by turns.
Of small calls, two paired differences, of means over launches with 95 % intervals (Student's t):
within a launch, chunks by MPI_ against chunks by the library's own functions, which pass the
recorder by; and between the two launches of a pair. A launch counts by the median of its chunks.
Of steps of a stencil (computation, a message to and from two neighbours, a sum: 6 calls), the
difference of the whole run, as a share of it.

With --before the CPU time of whole runs is compared with that under another build of the library
for the same MPI: launches by turns, the geometric mean of their ratios. Of one rank, as ranks that
wait for each other take CPU time by chance; with two ranks too, for what that is worth.
"""

import argparse
import os
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.exchange_overhead import difference

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, find_mpi, installed

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
WHOLE = (
    (1, Case("200000 steps, one rank", ("steps", 200_000, 0))),
    (1, Case("20000 steps of 20 us, one rank", ("steps", 20_000, 20))),
    (2, Case("20000 steps of 20 us, two ranks", ("steps", 20_000, 20))),
)


def launch(mpi: MPI, program: Path, case: Case, ranks: int, library: Path | None) -> np.ndarray:
    """The numbers that it prints, (lines, 2), recorded where there is a library."""
    with tempfile.TemporaryDirectory() as folder:
        own = [f"LD_PRELOAD={library}", f"CONTEND_RECORD={folder}"] if library else []
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
    libraries = (None, preloaded_library(mpi))
    times = np.empty((pairs, 2, 2))  # without the recorder and with it, by MPI_ and passing it by
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            found = launch(mpi, program, case, ranks, libraries[which])
            times[pair, which] = np.median(found, axis=0)
    (theirs, _), (ours, beside) = (times[:, which].T for which in (0, 1))
    return (
        f"{case.title}: {np.median(theirs) * 1e6:.3f} us a call without; with it "
        f"{difference(ours - beside)} within a launch, {difference(ours - theirs)} between launches"
    )


def compare_runs(mpi: MPI, program: Path, pairs: int, ranks: int) -> str:
    """Line of the whole run."""
    libraries = (None, preloaded_library(mpi))
    times = np.empty((pairs, 2))
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            times[pair, which] = launch(mpi, program, RUN, ranks, libraries[which])[0, 0]
    without, recorded = times.T
    shares = 100 * (recorded / without - 1)
    half = 1.96 * shares.std(ddof=1) / np.sqrt(pairs)
    return (
        f"{RUN.title}: {np.median(without):.3f} s without; with it {shares.mean():+.2f} % of the "
        f"run [{shares.mean() - half:+.2f}, {shares.mean() + half:+.2f}], "
        f"median {np.median(shares):+.2f} %"
    )


def cpu_seconds(mpi: MPI, program: Path, case: Case, ranks: int, library: Path) -> float:
    """CPU time of a recorded run and its launcher."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    launch(mpi, program, case, ranks, library)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compare_builds(
    mpi: MPI, program: Path, before: Path, case: Case, ranks: int, pairs: int
) -> str:
    """Line of CPU times under both builds."""
    libraries = (before, preloaded_library(mpi))
    times = np.empty((pairs, 2))
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            times[pair, which] = cpu_seconds(mpi, program, case, ranks, libraries[which])
    ratios = np.log(times[:, 1] / times[:, 0])
    half = 1.96 * ratios.std(ddof=1) / np.sqrt(pairs)
    mean, low, high = 100 * np.expm1([ratios.mean(), ratios.mean() - half, ratios.mean() + half])
    return (
        f"{case.title}: {np.median(times[:, 0]):.3f} s of CPU time before; now {mean:+.1f} % "
        f"[{low:+.1f}, {high:+.1f}], median {100 * np.expm1(np.median(ratios)):+.1f} %"
    )


def compiled(mpi: MPI, folder: str) -> Path:
    """The program, built into a folder."""
    program = Path(folder) / "overhead"
    words = [mpi.mpicc, "-O2", "-D_GNU_SOURCE", "-o", str(program), str(SOURCE), "-ldl"]
    subprocess.run(words, check=True)
    return program


def main() -> None:
    """Print a line for each MPI and case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--mpicc")
    given = parser.parse_args()
    for mpi in [find_mpi(given.mpicc)] if given.before else installed():
        print(f"{mpi.title}, 8 B, {given.pairs} pairs of launches")
        with tempfile.TemporaryDirectory() as name:
            program = compiled(mpi, name)
            if given.before:
                for ranks, case in WHOLE:
                    line = compare_builds(mpi, program, given.before, case, ranks, given.pairs)
                    print(f"  {line}", flush=True)
                continue
            for case in CALLS:
                line = compare_calls(mpi, program, case, given.pairs, given.ranks)
                print(f"  {line}", flush=True)
            print(f"  {compare_runs(mpi, program, given.pairs, given.ranks)}", flush=True)


if __name__ == "__main__":
    main()
