"""What reading a file of rules costs MPICH by its heap, and what malloc's thresholds save.

    python -m benchmarks.heap RULES [--on lab:PROFILE] [-n N] [--rounds K] [--mpicc MPICC]

A program calls eight operations with 256 B, 4 KiB and 64 KiB, in rounds of four launches in random
order: as it is, with the file, with the variables that stand alongside it (`contend tune export`),
and with both. Of all calls and of those of each operation and size that differ anywhere, the time
as it is over that of the others: geometric means over rounds with 95 % intervals.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.tuned import OPERATIONS

from contend.base.units import format_bytes
from contend.cli.output import markdown
from contend.measure.build import preloaded_library, probe_program
from contend.measure.launcher import parse_launch
from contend.measure.mpi import find_mpi
from contend.schedules.libraries import version_of
from contend.tune.exports import format_named
from contend.tune.verification.calls import Watched, longest
from contend.tune.verification.gain import Gain, Pair, gain_of
from contend.tune.verification.runs import run_watched

SIZES = (256, 4096, 65536)
CALLS = 5
ALL = "all calls"
AS_IT_IS, FILE, VARIABLES, BOTH = "as it is", "file", "variables", "file and variables"


def measure(given: argparse.Namespace) -> None:
    """A line for each launch on stdout: the arm, and seconds of calls."""
    mpi, form = find_mpi(given.mpicc), format_named("mpich")[0]
    version = version_of(mpi.version)
    file = form.settings(str(Path(given.rules).resolve()), version)
    alongside = dict(form.library.alongside)
    arms = {AS_IT_IS: {}, FILE: file, VARIABLES: alongside, BOTH: alongside | file}
    calls = [f"{name}:{m}:{CALLS}" for name in OPERATIONS.split(",") for m in SIZES]
    words = [*mpi.launcher, "-n", str(given.n), str(probe_program(mpi)), *calls]
    launch, library = parse_launch(words), preloaded_library(mpi)
    rng = np.random.default_rng(1)
    for number in range(given.rounds):
        for arm in rng.permutation(list(arms)):
            run = run_watched(launch, library, arms[str(arm)], 600.0, str(arm))
            row = {"round": number, "arm": str(arm), "seconds": seconds(run.watched)}
            print(json.dumps(row), flush=True)


def seconds(watched: Watched) -> dict[str, float]:
    """Seconds in all calls, and in those of each operation and size."""
    found = {ALL: longest(watched.calls)}
    for one in watched.calls:
        found[f"{one.kind.operation}, {format_bytes(one.kind.m)}"] = longest([one])
    return found


def summary(rows: list[dict]) -> pd.DataFrame:
    """A row for all calls, and for each operation and size that differs in any arm."""
    times = {(row["round"], row["arm"]): row["seconds"] for row in rows}
    rounds = sorted({number for number, _ in times})
    found = []
    for call in times[0, AS_IT_IS]:
        gains = {
            arm: gain_of([Pair(times[r, AS_IT_IS][call], times[r, arm][call]) for r in rounds])
            for arm in (FILE, VARIABLES, BOTH)
        }
        if call == ALL or any(not gain.low <= 1 <= gain.high for gain in gains.values()):
            found.append({"calls": call, **{arm: said(gain) for arm, gain in gains.items()}})
    return pd.DataFrame(found)


def said(gain: Gain) -> str:
    """A gain and its interval."""
    return f"{gain.value:.2f} ({gain.low:.2f} to {gain.high:.2f})"


def main(words: list[str]) -> None:
    """Measure in the emulated network, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heap")
    parser.add_argument("rules")
    parser.add_argument("--on", default="lab:fast-ethernet,time_dilation=8")
    parser.add_argument("-n", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--mpicc")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if given.inside:
        measure(given)
        return
    command = [sys.executable, "-m", "contend", "lab", "run", given.on.removeprefix("lab:"), "--"]
    command += [sys.executable, "-m", "benchmarks.heap", *words, "--inside"]
    with tempfile.TemporaryFile("w+") as file:
        subprocess.run(command, stdout=file, check=True)
        file.seek(0)
        rows = [json.loads(line) for line in file if line.startswith("{")]
    print(markdown(summary(rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
