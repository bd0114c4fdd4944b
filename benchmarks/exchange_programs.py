"""Intel's MPI benchmarks with the exchange library and without it, each checking what it receives.

    python benchmarks/exchange_programs.py [RANKS]

Builds IMB-MPI1 from a copy of $CONTEND_PROGRAMS/intel-mpi-benchmarks with -DCHECK, by every MPI
that is installed and has a C++ wrapper, and runs Alltoall and Alltoallv on ranks of two groups that
take turns: alone, then with the library forced to some of its algorithms. The check compares all
bytes; prints the sizes that were run, the greatest defect and the calls that the library served.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from contend.measure.build import exchange_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, installed

ROOT = Path(__file__).parents[1]
WITNESS = ROOT / "tests" / "exchange" / "programs" / "witness.c"
PLAN = "contend-exchange 1\nlevel cluster\ngroup a host a*\ngroup b host b*\n"
ALGORITHMS = ("lg_balanced", "node_aware")
OPERATIONS = ("Alltoall", "Alltoallv")
WORDS = ("-msglog", "0:16", "-iter", "10", "-iter_policy", "off")
ROW = re.compile(r"^ +(\d+) +\d+ +\S+ +\S+ +\S+ +(\S+)$", re.MULTILINE)


def build(mpi: MPI, source: Path, folder: Path) -> Path | None:
    """IMB-MPI1 with its check, or None where the MPI has no C++ wrapper."""
    cxx = Path(mpi.mpicc).with_name(Path(mpi.mpicc).name.replace("mpicc", "mpicxx"))
    if not cxx.exists():
        return None
    copy = folder / "imb"
    shutil.copytree(source, copy)
    without_cpp_names = "-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"  # they do not pass its -Werror
    command = ["make", "-j2", "IMB-MPI1", f"CC={mpi.mpicc}", f"CXX={cxx} {without_cpp_names}"]
    subprocess.run([*command, "CPPFLAGS=-DCHECK"], cwd=copy, check=True, capture_output=True)
    return copy / "IMB-MPI1"


def run(mpi: MPI, command: list[str], ranks: int, variables: dict[str, str]) -> tuple[str, str]:
    """Output and errors of a launch."""
    each: list[str] = []
    for rank in range(ranks):
        own = {**variables, "CONTEND_EXCHANGE_HOST": f"{'ab'[rank % 2]}{rank // 4}"}
        each += [":"] if each else []
        each += ["-n", "1", "env", *(f"{name}={value}" for name, value in own.items()), *command]
    done = subprocess.run(
        [*mpi.launcher, *each],
        env={**os.environ, **settings(mpi, ranks, LaunchOptions())},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr + done.stdout)
    return done.stdout, done.stderr


def report(mpi: MPI, program: Path, ranks: int, folder: Path) -> None:
    """Print a line for each operation and algorithm."""
    plan, witness = folder / "plan", folder / "witness.so"
    plan.write_text(PLAN)
    flags = ["-shared", "-fPIC", "-o", str(witness), str(WITNESS), "-ldl"]
    subprocess.run([mpi.mpicc, *flags], check=True)
    served = {
        "LD_PRELOAD": f"{exchange_library(mpi)}:{witness}",
        "CONTEND_EXCHANGE_PLAN": str(plan),
    }
    for operation in OPERATIONS:
        command = [str(program), operation, "-npmin", str(ranks), *WORDS]
        for name in ("", *ALGORITHMS):
            variables = {**served, "CONTEND_EXCHANGE_ALGORITHM": name} if name else {}
            output, errors = run(mpi, command, ranks, variables)
            rows = ROW.findall(output)
            if not rows:
                raise RuntimeError(output)
            print(f"  {operation}, {name or 'alone'}: {said(rows, errors, name)}", flush=True)


def said(rows: list[tuple[str, str]], errors: str, name: str) -> str:
    """Sizes, the greatest defect, and what the witness tells of an algorithm."""
    defect = max(float(found) for _, found in rows)
    text = f"{len(rows)} sizes up to {rows[-1][0]} B, greatest defect {defect:g}"
    if not name:
        return text
    calls = max(map(int, re.findall(rf" {name}=(\d+)", errors)))
    held = max(map(int, re.findall(r"held=(\d+)", errors)))
    return f"{text}, {calls} calls served, {held} things held at the end"


def main(ranks: int = 6) -> None:
    """Print what every MPI gave."""
    beside = ROOT.parent / "shared" / "programs"
    source = Path(os.environ.get("CONTEND_PROGRAMS", beside)) / "intel-mpi-benchmarks"
    if not source.is_dir():
        print("no intel-mpi-benchmarks here; set CONTEND_PROGRAMS to the folder that has it")
        return
    for mpi in installed():
        with tempfile.TemporaryDirectory() as name:
            program = build(mpi, source, Path(name))
            print(f"{mpi.title}, {ranks} ranks{'' if program else ': no mpicxx'}", flush=True)
            if program:
                report(mpi, program, ranks, Path(name))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
