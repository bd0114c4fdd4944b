"""Which MPI library a program is linked with, as the dynamic loader of this machine finds it."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ABI_LIBRARY = "libmpi_abi.so.1"  # of MPI-5, by the same name everywhere
_FAMILIES = {
    "libmpi.so.12": ("MPICH", "Intel MPI"),
    "libmpich.so.12": ("MPICH",),  # of Debian
    "libmpi.so.40": ("Open MPI",),
    ABI_LIBRARY: ("MPICH", "Open MPI", "Intel MPI"),
}
KNOWN_FAMILIES = frozenset(family for families in _FAMILIES.values() for family in families)
_LINE = re.compile(r"^\s*(libmpi(?:ch|_abi)?\.so\.\d+) => (not found|\S+)", re.MULTILINE)


@dataclass(frozen=True)
class LinkedMPI:
    """The name that a program asks for, and the file that it gets, None where there is none."""

    name: str
    path: Path | None

    @property
    def families(self) -> tuple[str, ...]:
        return _FAMILIES.get(self.name, ())

    @property
    def wrapper(self) -> str:
        return "mpicc_abi" if self.name.startswith("libmpi_abi") else "mpicc"


def linked_mpi(program: str | Path) -> LinkedMPI | None:
    """The MPI library of a program or a library, None where it is linked with none."""
    tool = shutil.which("ldd")
    if tool is None:
        return None
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    try:
        done = subprocess.run(
            [tool, str(program)], env=environment, capture_output=True, text=True, errors="replace",
            timeout=20, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    if (match := _LINE.search(done.stdout)) is None:
        return None
    name, path = match.groups()
    return LinkedMPI(name, None if path == "not found" else Path(path).resolve())
