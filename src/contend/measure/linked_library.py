"""Which MPI library a program is linked with, as the dynamic loader of this machine finds it."""

import os
import re
import shutil
import struct
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
_LOADER = 3  # PT_INTERP, a kind of segment
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


def is_static(program: str | Path) -> bool:
    """Whether it is an executable that the dynamic loader has no part in, so preloads nothing.

    Its format is ELF of 64 bits: a header that says where the table of segments is, of which one is
    the name of the loader.
    """
    try:
        with Path(program).open("rb") as file:
            header = file.read(64)
            if len(header) < 64 or header[:5] != b"\x7fELF\x02":
                return False
            order = "<" if header[5] == 1 else ">"
            (begin,) = struct.unpack_from(f"{order}Q", header, 32)
            size, count = struct.unpack_from(f"{order}HH", header, 54)
            file.seek(begin)
            table = file.read(size * count)
    except OSError:
        return False
    kinds = (table[at : at + 4] for at in range(0, len(table), size))
    return struct.pack(f"{order}I", _LOADER) not in kinds
