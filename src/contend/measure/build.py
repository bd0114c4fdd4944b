"""The MPI programs, compiled with the user's own mpicc on first use and cached.

The cache folder's name holds what a program depends on: library, version, what the wrapper runs,
and the sources. A change of any of them builds anew beside the old ones.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from contend.base.errors import InvalidInputError, MissingToolError, StorageError
from contend.base.near_names import choose_from
from contend.measure.mpi import MPI
from contend.measure.scratch import scratch

LIBRARY = "libcontend.so"  # what programs preload


@dataclass(frozen=True)
class Program:
    """A built experiment and what it says of itself."""

    name: str
    path: Path
    experiment: str
    algorithms: tuple[str, ...]
    processes_min: int
    processes_max: int | None
    arguments: tuple[str, ...] = ()  # before those that all experiments have
    before: tuple[str, ...] = ()  # words before its path, such as env NAME=VALUE
    is_renamed: bool = False  # its samples are of algorithms[0], whatever it calls it itself
    warmup: int = 0  # repetitions that it needs before all others, where options say fewer
    setup: int | None = None  # of what it reads, a number that its samples carry: another, another


def source_folder() -> Path:
    """The C sources: of the source tree that contend runs from, else of the installed package."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parents[1] / "mpi", package / "mpi"):
        if (folder / "Makefile").is_file():
            return folder
    raise MissingToolError("the MPI programs' sources are missing", "install contend again")


def cache_folder() -> Path:
    """Where built programs are kept: $CONTEND_CACHE, or contend in the user's cache."""
    named = os.environ.get("CONTEND_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(base) / "contend"


def program_names() -> list[str]:
    return sorted(path.stem for path in (source_folder() / "bench").glob("*.c"))


def build(mpi: MPI) -> dict[str, Program]:
    folder = built_folder(mpi)
    return {name: _describe(name, folder / name) for name in program_names()}


def built_folder(mpi: MPI) -> Path:
    """Where the programs for an MPI library are; builds them if they are not there."""
    folder = cache_folder() / "programs" / _key(mpi)
    if not folder.is_dir():
        _build_into(folder, mpi)
    return folder


def preloaded_library(mpi: MPI) -> Path:
    return built_folder(mpi) / LIBRARY


def probe_program(mpi: MPI) -> Path:
    return built_folder(mpi) / "probe"


def shipped_library() -> Path | None:
    """The same for all programs of the MPI-5 ABI, as it was built with contend.

    None where that was built without the ABI's header, and in a source tree that has changed since.
    """
    path = Path(str(files("contend").joinpath("mpi", "abi", LIBRARY)))
    if not path.is_file():
        return None
    sources, built = source_folder() / "interpose", path.stat().st_mtime_ns
    is_tree = (sources.parents[1] / "pyproject.toml").is_file()
    is_old = is_tree and any(
        source.stat().st_mtime_ns > built for source in sources.rglob("*.[chd]*")
    )
    return None if is_old else path


def exchange_algorithms() -> tuple[str, ...]:
    """Names of the algorithms that the exchange library has, in the order of its list."""
    text = (source_folder() / "interpose" / "exchange" / "algorithms.def").read_text()
    return tuple(re.findall(r"^ALGORITHM\((\w+)\)", text, re.MULTILINE))


def choose(programs: dict[str, Program], name: str) -> Program:
    if name not in programs:
        raise InvalidInputError(f"no experiment is named {name!r}", choose_from(name, programs))
    return programs[name]


def _key(mpi: MPI) -> str:
    digest = hashlib.sha256()
    shown = subprocess.run([mpi.mpicc, "-show"], capture_output=True, text=True, check=False)
    wrapper = Path(mpi.mpicc).resolve()
    parts = (mpi.mpicc, shown.stdout, mpi.title, platform.machine(), wrapper.stat().st_mtime_ns)
    digest.update("\n".join(map(str, parts)).encode())
    for path in sorted(source_folder().rglob("*")):
        if path.suffix in (".c", ".h", ".def") or path.name == "Makefile":
            digest.update(path.read_bytes())
    family = mpi.family.lower().replace(" ", "")
    return f"{family}-{mpi.version or 'unknown'}-{digest.hexdigest()[:12]}"


def _build_into(folder: Path, mpi: MPI) -> None:
    """Build beside the folder and move there when all is done, so that a cache is never half."""
    if shutil.which("make") is None:
        raise MissingToolError("make is not installed", "install it, e.g. 'apt install make'")
    with ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            place = stack.enter_context(scratch(folder.parent, "building-"))
        except OSError as error:
            raise StorageError(
                f"cannot write {folder.parent}: {error.strerror}",
                "name a place with $CONTEND_CACHE",
            ) from None
        target = place / "built"
        command = ["make", "--no-print-directory", "-C", str(source_folder()), "-j2"]
        command += [f"MPICC={mpi.mpicc}", f"BUILD={target}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingToolError(
                f"{mpi.mpicc} could not compile the MPI programs:\n{done.stderr}{done.stdout}",
                "mend the compiler wrapper or name another by MPICC=/path/to/mpicc; see "
                "'contend doctor'",
            )
        try:
            target.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another contend has just built the same
                raise


def _describe(name: str, path: Path) -> Program:
    try:
        done = subprocess.run([path, "--describe"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise MissingToolError(
            f"{path} does not run: {error.strerror}", f"remove {path.parent}, it is built anew"
        ) from None
    if done.returncode:
        raise MissingToolError(f"{path} does not run:\n{done.stderr}", f"remove {path.parent}")
    data = json.loads(done.stdout)
    return Program(
        name, path, experiment=data["experiment"], algorithms=tuple(data["algorithms"]),
        processes_min=data["processes_min"], processes_max=data["processes_max"],
    )  # fmt: skip
