"""Random calls of the exchange library against the native ones, byte for byte, in many launches.

    python -m benchmarks.exchange_fuzz [--mpicc WRAPPER] [--calls N] [--seconds S] [--seed S]
                                       [--ranks R] [--flags "..."] [--under "valgrind ..."]

Launches go in turn through all groups of two and of three sizes, and random communicators of 2 to
R ranks, with all algorithms as the plan says, as the check finds or as trials do, over a link that
all calls overflow, and with each one alone. Prints for every MPI how many calls each algorithm
served, and what it still held at the end; stops at the first byte that differs, with the launch
that showed it. Under sanitizers and memcheck:

    ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 python -m benchmarks.exchange_fuzz \\
      --flags "-fsanitize=address,undefined -fno-sanitize-recover=all" --calls 5000
    python -m benchmarks.exchange_fuzz --ranks 4 --calls 8000 --under "valgrind -q \\
      --num-callers=60 --error-exitcode=9 --suppressions=benchmarks/exchange_fuzz.supp"

With Open MPI add its own suppressions, share/openmpi/openmpi-valgrind.supp.
"""

import argparse
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from contend.alltoall.clusters.plan import PORTFOLIO
from contend.measure.build import source_folder
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, find_mpi, installed
from contend.measure.preload import library_by_wrapper

TESTS = Path(__file__).resolve().parents[1] / "tests" / "exchange"
PLAN, SHALLOW_LINK = TESTS / "every_algorithm.plan", TESTS / "shallow_link.plan"
HELD = ("memory", "communicators", "requests")
ALONE = (
    "lg window=1", "lg_balanced", "lg_balanced window=2", "lg_pipelined chunk=64 window=1",
    "lg_pipelined chunk=1000", "leaders leaders=1", "leaders leaders=3 window=1", "node_aware",
    "paced", "spaced", "spaced chunk=100 window=2", "throttled_pairwise window=3",
    "throttled_pairwise window=2147483647",
)  # fmt: skip
CALLS = 1000  # of a launch
HUNG = 3600.0  # seconds of a launch, also under valgrind, beyond which it is said to hang


def launches(seed: int, most: int) -> Iterator[tuple[list[str], int, dict[str, str]]]:
    """Arguments of the program, ranks, and variables of the library."""
    obeyed = {"CONTEND_EXCHANGE_CHECK": "0"}
    for number in count(seed):
        yield ["pairs", str(number), "6"], most, obeyed
        yield ["triples", str(number), "6"], most, obeyed
        yield ["tried", str(number), str(CALLS)], min(most, 4), {"CONTEND_TRY": "1"}
        overflowing = {"CONTEND_EXCHANGE_PLAN": str(SHALLOW_LINK)}
        yield ["met", str(number), str(CALLS)], max(most - number % 3, 3), overflowing
        for index in range(len(ALONE)):
            alone = ALONE[(number + index) % len(ALONE)]
            ranks = 2 + (number + index) % (most - 1)
            yield ["random", str(number), str(CALLS)], ranks, {} if index % 3 == 0 else obeyed
            variables = {"CONTEND_EXCHANGE_ALGORITHM": alone}
            yield (
                ["random", str(number), str(CALLS)],
                2 + (number + 3 * index) % (most - 1),
                variables,
            )


def build(mpi: MPI, folder: Path, flags: list[str]) -> tuple[Path, Path]:
    """The program and the library; with flags of their own where there are some."""
    program = folder / "fuzz"
    own = ["-std=c11", "-O1", "-g", "-D_GNU_SOURCE", *flags, "-o", str(program)]
    subprocess.run([mpi.mpicc, *own, str(TESTS / "fuzz.c"), "-ldl"], check=True)
    if not flags:
        return program, library_by_wrapper(mpi.mpicc).path
    library = folder / "libcontend.so"
    command = ["make", "-C", str(source_folder()), f"MPICC={mpi.mpicc}", f"BUILD={folder}"]
    command += [f"CFLAGS=-g {' '.join(flags)}", str(library)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return program, library


def fuzz(mpi: MPI, given: argparse.Namespace, flags: list[str], under: list[str]) -> Counter[str]:
    """What the launches said, summed; ends the script at the first that fails."""
    said: Counter[str] = Counter()
    end = time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as folder:
        program, library = build(mpi, Path(folder), flags)
        for arguments, ranks, variables in launches(given.seed, given.ranks):
            if said["calls"] >= given.calls or time.monotonic() > end:
                break
            wanted = {
                "LD_PRELOAD": library,
                "CONTEND_EXCHANGE": 1,
                "CONTEND_EXCHANGE_PLAN": PLAN,
                **variables,
            }
            set_here = ["env", *(f"{name}={value}" for name, value in wanted.items())]
            command = [*mpi.launcher, "-n", str(ranks), *set_here, *under, str(program)]
            command += [*arguments, *PORTFOLIO]
            known = {**os.environ, **settings(mpi, ranks, LaunchOptions())}
            done = subprocess.run(
                command, env=known, capture_output=True, text=True, timeout=HUNG, check=False
            )
            if done.returncode:
                sys.exit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
            if under or flags:
                sys.stderr.write(done.stderr)
            said.update(json.loads(done.stdout.splitlines()[-1]))
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description="Calls of the library against the native ones.")
    parser.add_argument("--mpicc", help="compiler wrapper of the MPI; all that are installed")
    parser.add_argument("--calls", type=int, default=2000, help="of each MPI, at least")
    parser.add_argument("--seconds", type=float, default=math.inf, help="then no more launches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", type=int, default=8, help="the most; at least 3, at most 16")
    parser.add_argument("--flags", default="", help="of the compiler, e.g. -fsanitize=address")
    parser.add_argument("--under", default="", help="command that runs the program, e.g. valgrind")
    given = parser.parse_args()
    for mpi in [find_mpi(given.mpicc)] if given.mpicc else installed():
        flags, under = shlex.split(given.flags), shlex.split(given.under)
        said = fuzz(mpi, given, flags, under)
        served = ", ".join(f"{name} {said[name]}" for name in PORTFOLIO)
        held = ", ".join(f"{said[kind]} {kind}" for kind in HELD)
        print(f"{mpi.title}: {said['calls']} calls as the native ones; by rank 0: {served}")
        print(f"  held at the end: {held}")


if __name__ == "__main__":
    main()
