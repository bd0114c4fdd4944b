"""What watching adds to a short collective call, with every MPI that is installed.

    python -m benchmarks.watch_overhead [PAIRS [RANKS]]

Local ranks, in launches with the library preloaded and CONTEND_WATCH set and in launches without
it, which of them first by turns; of each launch the median of its chunks. First the time of the
processor in a call without data, which ends at once in all libraries, so that the difference is
what stands before a call and behind it; two readings of the clock, which are part of that, are
timed beside it. Then 8 B all-reduces and barriers by the wall clock. Paired differences with 95 %
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


def launch(mpi: MPI, program: Path, case: str, ranks: int, site: Path | None) -> float:
    """Seconds of a call."""
    own = [] if site is None else [f"LD_PRELOAD={preloaded_library(mpi)}", f"CONTEND_WATCH={site}"]
    done = subprocess.run(
        [*mpi.launcher, "-n", str(ranks), "env", *own, program, case, *map(str, CASES[case])],
        env={**os.environ, **settings(mpi, ranks, LaunchOptions())},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(np.median([float(line) for line in done.stdout.split()]))


def compare(mpi: MPI, program: Path, case: str, pairs: int, ranks: int, site: Path) -> str:
    """Line of a case."""
    times = np.empty((pairs, 2))
    for pair in range(pairs):
        for which in (pair % 2, 1 - pair % 2):
            times[pair, which] = launch(mpi, program, case, ranks, site if which else None)
    without, watched = times.T
    return (
        f"{case}: {np.median(without) * 1e6:.3f} us a call without; "
        f"with it {difference(watched - without)}"
    )


def main(pairs: int = 8, ranks: int = 2) -> None:
    """Print a line for each MPI and case."""
    for mpi in installed():
        print(f"{mpi.title}, {ranks} local ranks, {pairs} pairs of launches")
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "overhead"
            subprocess.run([mpi.mpicc, "-O2", "-o", str(program), str(SOURCE)], check=True)
            clock = launch(mpi, program, "clock", ranks, None)
            print(f"  two readings of the clock: {clock * 1e6:.3f} us")
            for case in ("empty", "allreduce", "barrier"):
                line = compare(mpi, program, case, pairs, ranks, Path(name) / "site.jsonl")
                print(f"  {line}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
