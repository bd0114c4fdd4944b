"""Programs out of packages, with small inputs, and what of their results has to be the same."""

import gzip
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from contend.measure.mpi import MPI

INPUTS = Path(__file__).with_name("inputs")
PSEUDOPOTENTIAL = Path(
    "/usr/share/doc/quantum-espresso/examples/EPW/sic/pp/Si.pz-vbc.UPF.gz"  # of Debian
)
SIDE = 12  # of a cubic grid

Prepare = Callable[[MPI, Path], list[str] | None]
Results = Callable[[str, Path], str]


@dataclass(frozen=True)
class Program:
    """A program: what it takes to run it, None where that is missing, and its results."""

    title: str
    folder: str
    prepare: Prepare
    results: Results


def _installed(*words: str) -> Prepare:
    """The words, where the first is on PATH and made for this MPI."""

    def prepare(mpi: MPI, _: Path) -> list[str] | None:
        path = shutil.which(words[0])
        return [path, *words[1:]] if path and _library(path) == _library_of(mpi) else None

    return prepare


def _library(path: str) -> str | None:
    """The MPI library that a program or a library gets; None where that is none, or several."""
    shown = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    found = set(map(os.path.realpath, re.findall(r"libmpi(?:ch)?\.so\S* => (\S+)", shown)))
    return found.pop() if len(found) == 1 else None


def _library_of(mpi: MPI) -> str | None:
    from contend.measure.build import preloaded_library

    return _library(str(preloaded_library(mpi)))


def _prepare_silicon(mpi: MPI, folder: Path) -> list[str] | None:
    if not PSEUDOPOTENTIAL.exists():
        return None
    (folder / "Si.pz-vbc.UPF").write_bytes(gzip.decompress(PSEUDOPOTENTIAL.read_bytes()))
    return _installed("pw.x", "-pd", ".true.", "-in", "silicon.in")(mpi, folder)


def _prepare_graph(mpi: MPI, folder: Path) -> list[str] | None:
    """A cubic grid in Scotch's format: of each vertex the number of neighbours, and these."""
    lines = []
    for place in product(range(SIDE), repeat=3):
        near = []
        for axis, step in product(range(3), (-1, 1)):
            other = list(place)
            other[axis] += step
            if 0 <= other[axis] < SIDE:
                near.append((other[0] * SIDE + other[1]) * SIDE + other[2])
        lines.append(" ".join(map(str, (len(near), *near))))
    edges = sum(int(line.split()[0]) for line in lines)
    text = "\n".join(["0", f"{len(lines)} {edges}", "0 000", *lines, ""])
    (folder / "grid.grf").write_text(text)
    return _installed("dgord-int32", "-Cd", "grid.grf", "grid.ord")(mpi, folder)


def _prepare_fftw(mpi: MPI, folder: Path) -> list[str] | None:
    flags = ["-O1", "-o", "transforms", "transforms.c", "-lfftw3_mpi", "-lfftw3", "-lm"]
    done = subprocess.run([mpi.mpicc, *flags], cwd=folder, capture_output=True, check=False)
    program = folder / "transforms"
    if done.returncode or _library(str(program)) != _library_of(mpi):
        return None
    return [str(program)]


def _prepare_pencils(mpi: MPI, _: Path) -> list[str] | None:
    python = os.environ.get("CONTEND_MPI4PY", sys.executable)
    probe = [python, "-c", "import mpi4py_fft.fftw.utilities as built; print(built.__file__)"]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    library = _library_of(mpi)
    if done.returncode or library is None:
        return None
    return ["env", f"MPI4PY_LIBMPI={library}", python, "pencils.py"]


def _lines(pattern: str) -> Results:
    """Lines of the output with the pattern."""

    def results(output: str, _: Path) -> str:
        return "\n".join(line for line in output.splitlines() if re.search(pattern, line))

    return results


def _files(*patterns: str) -> Results:
    """Files that a program has written."""

    def results(_: str, folder: Path) -> str:
        paths = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
        return "\n".join(path.read_text() for path in paths)

    return results


def _without_times(output: str, _: Path) -> str:
    return re.sub(r"(?m)^.*(CPU|WALL|cpu|starts on|terminated on|Mb|MB).*\n", "", output)


def _sorted(name: str) -> Results:
    """The lines of a file, whose order is not always the same."""

    def results(_: str, folder: Path) -> str:
        return "\n".join(sorted((folder / name).read_text().splitlines()))

    return results


def _hpcc(_: str, folder: Path) -> str:
    """What is checked; MPIRandomAccess may lose updates, as others make them at the same time."""
    wanted = r"(?m)^(?:Success|PTRANS_residual|MPIFFT_(?:N|maxErr))=.*|.*PASSED$"
    return "\n".join(re.findall(wanted, (folder / "hpccoutf.txt").read_text()))


PROGRAMS = (
    Program("hpcc (HPC Challenge)", "hpcc", _installed("hpcc"), _hpcc),
    Program("quantum-espresso, pw.x", "silicon", _prepare_silicon, _without_times),
    Program("cp2k", "water", _installed("cp2k.popt", "-i", "water.inp"), _files("*.xyz")),
    Program("lammps, PPPM", "salt", _installed("lmp", "-in", "salt.in"), _files("salt.dump")),
    Program("ptscotch, dgord", "graph", _prepare_graph, _sorted("grid.ord")),
    Program("libfftw3-mpi-dev, transforms.c", "fftw", _prepare_fftw, _lines(".")),
    Program("mpi4py-fft of PyPI, pencils.py", "pencils", _prepare_pencils, _lines(".")),
)
