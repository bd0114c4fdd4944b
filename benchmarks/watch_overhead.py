"""What watching adds to a short collective call, with every MPI that is installed.

    python -m benchmarks.watch_overhead [PAIRS [RANKS]]

Local ranks, in launches with the library preloaded and CONTEND_WATCH set and in launches without
it, which of them first by turns; of each launch the median of its chunks. First the time of the
processor in a call without data, which ends at once in all libraries, so that the difference is
what stands before a call and behind it; two readings of the clock, which are part of that, are
timed beside it. Then 8 B all-reduces and barriers, and a whole program by the wall clock: gradients
of kernels.c, whose sums of one number and of rows are most of it. Paired differences with 95 %
intervals (Student's t).
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from benchmarks.exchange_overhead import difference

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, installed

SOURCE = Path(__file__).with_suffix(".c")
FAST, SLOW = (300_000, 7), (2000, 15)  # rounds and chunks
CASES = {"clock": FAST, "empty": FAST, "allreduce": SLOW, "barrier": SLOW}
KERNELS = ("patterns.c", "kernels.c")
PROGRAM = ("gradients", 40, 5600, 20)  # steps, bytes, microseconds of computation

Words = tuple[object, ...]


def launch(mpi: MPI, words: Words, ranks: int, site: Path | None) -> float:
    """Seconds that it prints: of a call, or of all."""
    own = [] if site is None else [f"LD_PRELOAD={preloaded_library(mpi)}", f"CONTEND_WATCH={site}"]
    done = subprocess.run(
        [*mpi.launcher, "-n", str(ranks), "env", *own, *map(str, words)],
        env={**os.environ, **settings(mpi, ranks, LaunchOptions())},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(np.median([float(line) for line in done.stdout.split()]))


def compare(mpi: MPI, words: Words, pairs: int, ranks: int, site: Path) -> tuple[float, str]:
    """Seconds without watching, and how many more with it."""
    times = np.empty((pairs, 2))
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            times[pair, which] = launch(mpi, words, ranks, site if which else None)
    without, watched = times.T
    return float(np.median(without)), difference(watched - without)


def compiled(mpi: MPI, program: Path, *sources: Path) -> Path:
    """Return the program."""
    subprocess.run([mpi.mpicc, "-O2", "-o", program, *sources, "-lm"], check=True)
    return program


def main(pairs: int = 8, ranks: int = 2) -> None:
    """Print a line for each MPI and case."""
    for mpi in installed():
        print(f"{mpi.title}, {ranks} local ranks, {pairs} pairs of launches")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            calls = compiled(mpi, folder / "calls", SOURCE)
            whole = compiled(mpi, folder / "whole", *map(SOURCE.with_name, KERNELS))
            clock = launch(mpi, (calls, "clock", *CASES["clock"]), ranks, None)
            print(f"  two readings of the clock: {clock * 1e6:.3f} us")
            cases = {
                case: (calls, case, *CASES[case]) for case in ("empty", "allreduce", "barrier")
            }
            for case, words in {**cases, "whole program": (whole, *PROGRAM)}.items():
                without, more = compare(mpi, words, pairs, ranks, folder / "site.jsonl")
                print(f"  {case}: {without * 1e6:.3f} us without; with it {more}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
