"""The MPI library to measure with: its compiler wrapper and its launcher."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import MissingToolError

_VERSIONS = {
    # What `mpiexec --version` says, by family.
    "Open MPI": re.compile(r"(?:Open MPI\)|OpenRTE\)|OpenMPI\)|prterun.*?)\s*v?(\d[\w.]*)"),
    "Intel MPI": re.compile(r"Intel\(R\) MPI Library.*?Version\s+(\S+)"),
    "MPICH": re.compile(r"HYDRA build details:.*?Version:\s+(\S+)", re.DOTALL),
    "Slurm": re.compile(r"^slurm\S*\s+(\S+)"),
}
_REMEDY = "'contend doctor' lists what this machine offers"


@dataclass(frozen=True)
class MPI:
    """A compiler wrapper and a launcher that belong together."""

    mpicc: str
    launcher: tuple[str, ...]
    family: str
    version: str

    @property
    def title(self) -> str:
        return f"{self.family} {self.version}".rstrip()


def find_mpi(mpicc: str | None = None, launcher: str | None = None) -> MPI:
    """The MPI that the user named, or the first there is.

    The wrapper is `mpicc`, $MPICC, mpicc on PATH, or the one of the Python package `mpich` beside
    this interpreter; the launcher is `launcher` (a command line), $MPIEXEC, or the mpiexec beside
    the wrapper.
    """
    wrapper = _find_wrapper(mpicc)
    command = launcher or os.environ.get("MPIEXEC")
    parts = tuple(shlex.split(command)) if command else (_launcher_beside(wrapper),)
    if shutil.which(parts[0]) is None:
        raise MissingToolError(f"the launcher {parts[0]} is not there", _REMEDY)
    names = (word for word in parts if shutil.which(word))  # "env A=1 mpiexec", "numactl ..."
    identified = (identity for word in names if (identity := identify(word))[0] != "unknown")
    return MPI(wrapper, parts, *next(identified, ("unknown", "")))


def _find_wrapper(mpicc: str | None) -> str:
    named = mpicc or os.environ.get("MPICC")
    if named:
        path = shutil.which(named) or shutil.which(str(Path(sys.executable).parent / named))
        if path is None:
            raise MissingToolError(f"the MPI compiler wrapper {named} is not there", _REMEDY)
        return str(Path(path).absolute())  # make runs in another folder
    beside_python = Path(sys.executable).parent / "mpicc"
    for candidate in ("mpicc", str(beside_python)):
        if path := shutil.which(candidate):
            return path
    raise MissingToolError(
        "no MPI compiler wrapper (mpicc) was found",
        "install an MPI library, or 'pip install mpich' into this environment; " + _REMEDY,
    )


def _launcher_beside(wrapper: str) -> str:
    """`mpiexec` in the folder of the wrapper, with its suffix (mpicc.openmpi, mpiexec.openmpi)."""
    path = Path(wrapper)
    beside = path.with_name(path.name.replace("mpicc", "mpiexec"))
    if beside.name != path.name and beside.exists():
        return str(beside)
    plain = path.with_name("mpiexec")
    return str(plain) if plain.exists() else "mpiexec"


def identify(launcher: str) -> tuple[str, str]:
    try:
        done = subprocess.run(
            [launcher, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown", ""
    for family, pattern in _VERSIONS.items():
        if match := pattern.search(done.stdout + done.stderr):
            return family, match.group(1)
    return "unknown", ""


def installed(others: Iterable[Path] = (), wrapper: str = "mpicc") -> list[MPI]:
    """Every MPI on PATH, beside this interpreter and in `others`, with suffixed wrappers."""
    on_path = [Path(folder) for folder in os.get_exec_path()]
    folders = [*on_path, Path(sys.executable).parent, *others]
    wrappers = [
        path
        for folder in dict.fromkeys(folders)
        for path in _entries(folder)
        if path.name == wrapper or path.name.startswith(f"{wrapper}.")
    ]
    different = {path.resolve(): path for path in reversed(wrappers)}
    mpis = []
    for path in different.values():
        try:
            mpis.append(find_mpi(str(path), _launcher_beside(str(path))))
        except MissingToolError:
            continue  # a wrapper without a launcher cannot be used
    return mpis


def _entries(folder: Path) -> list[Path]:
    """What lies in a folder, in order of name; nothing where it is none or may not be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
