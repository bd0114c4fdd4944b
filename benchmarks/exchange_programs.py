"""Programs that others wrote, with the exchange library and without it.

    python -m benchmarks.exchange_programs [imb] [FOLDER...]

imb: IMB-MPI1 from a copy of $CONTEND_PROGRAMS/intel-mpi-benchmarks with -DCHECK, by every MPI that
is installed and has a C++ wrapper; Alltoall and Alltoallv, whose check compares all bytes. Prints
the sizes that were run, the greatest defect and the calls that the library served.

The others are programs out of packages of Debian and PyPI (packaged/programs.py) with the inputs
of packaged/inputs/FOLDER, where they are installed for an MPI: alone, with each algorithm of the
library, and with its check of the first calls. Prints whether the results are those of the program
alone, and the calls served. A Python with mpi4py-fft is named by $CONTEND_MPI4PY. Without words
all of them.

Ranks are on two clusters that take turns.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.packaged.launched import Done, launch, preloaded
from benchmarks.packaged.programs import INPUTS, PROGRAMS, Program

from contend.measure.build import exchange_algorithms
from contend.measure.mpi import MPI, installed

ROOT = Path(__file__).parents[1]
RANKS = 6
ALGORITHMS = ("lg_balanced", "node_aware")
OPERATIONS = ("Alltoall", "Alltoallv")
WORDS = ("-npmin", str(RANKS), "-msglog", "0:16", "-iter", "10", "-iter_policy", "off")
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


def run(mpi: MPI, command: list[str], name: str, base: Path, folder: Path) -> Done:
    """A run alone, with the check, or with an algorithm of that name."""
    variables = {} if name == "alone" else preloaded(mpi, base)
    if name not in ("alone", "check"):
        variables["CONTEND_EXCHANGE_ALGORITHM"] = name
    done = launch(mpi, command, variables, folder, RANKS)
    if done.code:
        raise RuntimeError(done.errors + done.output)
    return done


def report_benchmarks(mpi: MPI, program: Path, base: Path) -> None:
    """Print a line for each operation and algorithm."""
    for operation in OPERATIONS:
        for name in ("alone", *ALGORITHMS):
            done = run(mpi, [str(program), operation, *WORDS], name, base, base)
            rows = ROW.findall(done.output)
            if not rows:
                raise RuntimeError(done.output)
            defect = max(float(found) for _, found in rows)
            text = f"{len(rows)} sizes up to {rows[-1][0]} B, greatest defect {defect:g}"
            print(f"  {operation}, {name}: {text}{served(done)}", flush=True)


def served(done: Done) -> str:
    """What the witness tells, nothing where the program was alone."""
    if not done.calls:
        return ""
    calls = ", ".join(f"{count} {name}" for name, count in done.calls.items() if count)
    return f"; calls: {calls or 'none'}; {done.held} things held at the end"


def report_program(mpi: MPI, program: Program, base: Path) -> None:
    """Print a line for each algorithm, with what the program alone gives compared."""
    alone = ""
    for name in ("alone", *exchange_algorithms()[1:], "check"):
        folder = base / f"{program.folder}-{name}"
        if (INPUTS / program.folder).is_dir():
            shutil.copytree(INPUTS / program.folder, folder)
        folder.mkdir(exist_ok=True)
        command = program.prepare(mpi, folder)
        if command is None:
            print(f"  {program.title}: not here for this MPI", flush=True)
            return
        done = run(mpi, command, name, base, folder)
        found = program.results(done.output, folder)
        alone = alone or found
        text = f"{len(found)} characters" if name == "alone" else "the same"
        told = text if found == alone and found else "DIFFERENT"
        print(f"  {program.title}, {name}: {told}{served(done)}", flush=True)


def main(*words: str) -> None:
    """Print what every MPI gave."""
    beside = ROOT.parent / "shared" / "programs"
    source = Path(os.environ.get("CONTEND_PROGRAMS", beside)) / "intel-mpi-benchmarks"
    is_imb_there = source.is_dir() and (not words or "imb" in words)
    if not source.is_dir():
        print("no intel-mpi-benchmarks here; set CONTEND_PROGRAMS to the folder that has it")
    for mpi in installed():
        print(f"{mpi.title}, {RANKS} ranks", flush=True)
        with tempfile.TemporaryDirectory() as name:
            base = Path(name)
            if is_imb_there and (benchmarks := build(mpi, source, base)):
                report_benchmarks(mpi, benchmarks, base)
            for program in PROGRAMS:
                if not words or program.folder in words:
                    report_program(mpi, program, base)


if __name__ == "__main__":
    main(*sys.argv[1:])
