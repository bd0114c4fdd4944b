"""What an MPICH carries in its library: its own selection trees, and the names that it reads.

The trees are strings of libmpi: one for all communicators, one of compositions of a part per node
and one of shared memory, each of which a file replaces as a whole. Whatever the version, what is
found there is complete for it.
"""

import json
import mmap
import os
import re
import shutil
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from contend.base.errors import FileFormatError, MissingToolError
from contend.base.textfile import open_file

Tree = dict[str, "Tree"]
_START = re.compile(rb'\{\s*"collective=')
_NAME = re.compile(rb"(?:algorithm|composition)=[A-Za-z_0-9]+")
LONGEST = 2**20  # bytes of a tree; those of MPICH have 15 000
LIBRARIES = ("libmpi.so.12", "libmpich.so.12", "libmpi.so", "libmpich.so", "libmpi.12.dylib")
REMEDY = (
    "name it: --default FILE, where FILE is libmpi.so.12 of the MPICH that shall obey, or "
    "src/mpi/coll/coll_selection.json of its release (up to 4.3: maint/tuning/coll/mpir/"
    "generic.json)"
)


@dataclass(frozen=True)
class Shipped:
    """The trees of a library, by kind, and "algorithm=NAME" of all names; none where unknown."""

    path: str
    trees: dict[str, Tree]
    names: frozenset[str] = frozenset()

    @property
    def tree(self) -> Tree:
        """The tree that MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE replaces."""
        return self.trees["mpir"]


def kind_of(text: str) -> str:
    """Which of the library's trees a text is: "mpir", or "composition" or "posix" of its device."""
    if "composition=" in text:
        return "composition"
    return "posix" if "algorithm=MPIDI_POSIX" in text else "mpir"


def shipped(path: str | Path) -> Shipped:
    """What a library carries, or a file of JSON in its place.

    >>> shipped("/usr/lib/libmpi.so.12").tree["collective=barrier"]  # doctest: +SKIP
    """
    return _shipped(str(path), _stamp(path))


def _stamp(path: str | Path) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except OSError as error:
        raise FileFormatError(f"cannot read {path}: {error.strerror}", REMEDY) from None


@lru_cache(maxsize=8)
def _shipped(path: str, _stamp: int) -> Shipped:
    with open_file(Path(path)) as file, _mapped(file.fileno(), path) as data:
        texts = [_text(data, match.start()) for match in _START.finditer(data)]
        names = {match[0].decode() for match in _NAME.finditer(data)}
        is_library = data[:4] != b"{" and not data[:64].lstrip().startswith(b"{")
    trees = {kind_of(text): tree for text in texts if (tree := _tree(text)) is not None}
    if "mpir" not in trees:
        raise FileFormatError(
            f"{path} holds no tree of MPICH's algorithms", f"MPICH has them from 4.0 on; {REMEDY}"
        )
    return Shipped(path, trees, frozenset(names) if is_library else frozenset())


def _mapped(descriptor: int, path: str) -> mmap.mmap:
    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # empty, or no file
        raise FileFormatError(f"cannot read {path}: {error}", REMEDY) from None


def _text(data: mmap.mmap, start: int) -> str:
    end = data.find(b"\0", start, start + LONGEST)
    return data[start : end if end >= 0 else len(data)].decode(errors="replace")


def _tree(text: str) -> Tree | None:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict) else None


def installed(mpicc: str | None = None) -> Path:
    """The library of the MPICH whose wrapper or launcher is here; an error says how to name it.

    That is $MPICC's, one on PATH, or the one beside this interpreter, where the PyPI one is. A
    wrapper stands beside the folder lib of its library; Debian puts the libraries of all MPIs into
    one folder of the system.
    """
    for folder in _folders(mpicc):
        for name in LIBRARIES:
            library = folder / name
            if library.is_file() and _carries(library):
                return library
    raise MissingToolError("no library of MPICH is at hand, whose own rules are needed", REMEDY)


def _folders(mpicc: str | None) -> list[Path]:
    on_path = ("mpicc", "mpiexec", "mpicc.mpich", "mpiexec.mpich")
    beside_python = str(Path(sys.executable).parent / "mpicc")
    wrappers = [mpicc] if mpicc else [os.environ.get("MPICC", ""), *on_path, beside_python]
    prefixes = [
        prefix
        for wrapper in wrappers
        if (path := shutil.which(wrapper))
        for prefix in (Path(path).parent.parent, Path(path).resolve().parent.parent)
    ]
    places = [prefix / name for prefix in prefixes for name in ("lib", "lib64")]
    given = [Path(part) for part in os.environ.get("LD_LIBRARY_PATH", "").split(":") if part]
    system = [folder for folder in Path("/usr/lib").glob("*-linux-gnu*")]
    return list(dict.fromkeys([*given, *places, *system, Path("/usr/lib64"), Path("/usr/lib")]))


def _carries(path: Path) -> bool:
    try:
        shipped(path)
    except FileFormatError:
        return False
    return True
