"""Launches of a program with ranks on two made up clusters, and the exchange library or not."""

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI

ROOT = Path(__file__).parents[2]
WITNESS = ROOT / "tests" / "exchange" / "programs" / "witness.c"
HOSTS = ("a1", "b1", "a1", "b2", "b1", "a1")  # by rank: two clusters that take turns
PLAN = "contend-exchange 1\nlevel cluster\ngroup a host a*\ngroup b host b*\n"


@dataclass(frozen=True)
class Done:
    """What a launch left."""

    code: int
    output: str
    errors: str

    @property
    def calls(self) -> dict[str, int]:
        """Calls that each algorithm served, of the rank with the most."""
        found: dict[str, int] = {}
        for line in re.findall(r"witness: (.*) finalized=", self.errors):
            for name, count in re.findall(r"(\w+)=(\d+)", line):
                found[name] = max(found.get(name, 0), int(count))
        return found

    @property
    def held(self) -> int:
        """Pieces of memory, communicators and requests that were left at the end."""
        return max(map(int, re.findall(r"held=(-?\d+)", self.errors)), default=0)


def preloaded(mpi: MPI, folder: Path) -> dict[str, str]:
    """Variables by which the ranks get the library, the witness and the plan."""
    plan, witness = folder / "plan", folder / "witness.so"
    if not witness.exists():
        plan.write_text(PLAN)
        flags = ["-shared", "-fPIC", "-o", str(witness), str(WITNESS), "-ldl"]
        subprocess.run([mpi.mpicc, *flags], check=True)
    library = f"{preloaded_library(mpi)}:{witness}"
    return {"LD_PRELOAD": library, "CONTEND_EXCHANGE": "1", "CONTEND_EXCHANGE_PLAN": str(plan)}


def launch(
    mpi: MPI, command: Sequence[str], variables: dict[str, str], folder: Path, ranks: int
) -> Done:
    """A run of the command in a folder, its ranks with variables of their own."""
    each: list[str] = []
    for rank in range(ranks):
        own = {**variables, "CONTEND_EXCHANGE_HOST": HOSTS[rank % len(HOSTS)]}
        each += [":"] if each else []
        each += ["-n", "1", "env", *(f"{name}={value}" for name, value in own.items()), *command]
    done = subprocess.run(
        [*mpi.launcher, *each],
        env={**os.environ, **settings(mpi, ranks, LaunchOptions()), "OMP_NUM_THREADS": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)
