"""The library of ours that fits the MPI of a program, for its ranks to preload."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import MissingToolError
from contend.base.result import Line, Result
from contend.measure.build import preloaded_library, shipped_library
from contend.measure.lab.elf import is_static
from contend.measure.launcher import PRELOAD, LaunchCommand, preload_before
from contend.measure.linked_library import ABI_LIBRARY, KNOWN_FAMILIES, LinkedMPI, linked_mpi
from contend.measure.mpi import MPI, find_mpi, installed

_REMEDY = "name the compiler wrapper of its MPI with --mpicc"
_ABI_WRAPPER = "mpicc_abi"
_ABI = MPI(_ABI_WRAPPER, (), "MPI-5 ABI", "")


@dataclass(frozen=True)
class FittingLibrary:
    """A library of ours for the programs of an MPI: that of the ABI was built with contend."""

    path: Path
    mpi: MPI

    @property
    def origin(self) -> str:
        if self.mpi is _ABI:
            return "contend's one library for the MPI-5 ABI"
        return f"a library that was built with {self.mpi.mpicc}"

    @property
    def needed(self) -> str:
        """Name of the MPI library whose handles it knows; empty where that is unknown."""
        linked = linked_mpi(self.path)
        if linked is not None:
            return linked.name
        return ABI_LIBRARY if self.mpi is _ABI else ""

    @property
    def variables(self) -> dict[str, str]:
        """What ranks that preload it need, beside the variable of a mode."""
        return {
            PRELOAD: preload_before(self.path, os.environ.get(PRELOAD)),
            "CONTEND_MPI": self.needed,
        }


def library_by_wrapper(mpicc: str | None, launcher: str | None = None) -> FittingLibrary:
    """The library for the programs of a compiler wrapper.

    That of the ABI needs no wrapper, and is the same for each.
    """
    if mpicc is not None and Path(mpicc).name == _ABI_WRAPPER and (path := shipped_library()):
        return FittingLibrary(path, _ABI)
    mpi = find_mpi(mpicc, launcher)
    return FittingLibrary(preloaded_library(mpi), mpi)


def fitting_library(launch: LaunchCommand, mpicc: str | None = None) -> FittingLibrary:
    """The library for the program of a launch.

    An executable says which MPI library it needs, and which file the loader gives it: what is
    built has to need the same file, for otherwise the program would get another MPI than its own.
    One of the MPI-5 ABI gets what was built with contend, where that is there. A script or an
    interpreter says nothing; then it is the launcher's MPI. `mpicc` names it where that is not so.
    Of several programs all have to use the same one.

    Raise MissingToolError where the MPI is unknown, is not installed with its compiler wrapper, or
    does not compile, and where the program is linked statically.
    """
    program, linked = _linked_program(launch)
    if mpicc is not None:
        library = library_by_wrapper(mpicc, _launcher_word(launch))
        if linked and library.needed not in ("", linked.name):
            raise MissingToolError(
                f"{program} uses {linked.name}, {mpicc} has {library.needed}", _remedy(linked)
            )
        return library
    if linked is None:
        mpi = _of_launcher(launch)
        return FittingLibrary(preloaded_library(mpi), mpi)
    if linked.name == ABI_LIBRARY and (path := shipped_library()):
        return FittingLibrary(path, _ABI)
    others = []
    for mpi in _nearest_first(linked, launch):
        path = preloaded_library(mpi)
        built = linked_mpi(path)
        if (
            built
            and built.name == linked.name
            and (built.path == linked.path or linked.path is None)
        ):
            return FittingLibrary(path, mpi)
        others.append(mpi.mpicc)
    families = " or ".join(linked.families) or "an MPI that contend does not know"
    tried = f"; not of {', '.join(others)}" if others else ""
    raise MissingToolError(
        f"{program} uses {linked.path or linked.name} ({families}), and there is no compiler "
        f"wrapper of that library here{tried}",
        _remedy(linked),
    )


def _linked_program(launch: LaunchCommand) -> tuple[Path | None, LinkedMPI | None]:
    """The first program that is linked with an MPI library, with which all others have to be."""
    first: tuple[Path, LinkedMPI] | None = None
    for program in launch.program_paths:
        if is_static(program):
            raise MissingToolError(
                f"{program} is linked statically, so that it preloads nothing",
                "link it with the shared library of its MPI",
            )
        if (linked := linked_mpi(program)) is None:
            continue
        if first and linked.name != first[1].name:
            raise MissingToolError(
                f"{first[0]} uses {first[1].name}, {program} uses {linked.name}, and all programs "
                "of a launch preload one library",
                "link all of them with the same MPI library",
            )
        first = first or (program, linked)
    if first is None:
        return None, None
    _check_launcher(launch, *first)
    return first


def _check_launcher(launch: LaunchCommand, program: Path, linked: LinkedMPI) -> None:
    """By the launcher of another MPI, each process would be a run of its own, or none."""
    if launch.family in KNOWN_FAMILIES and launch.family not in (linked.families or KNOWN_FAMILIES):
        families = " or ".join(linked.families)
        raise MissingToolError(
            f"{program} uses {linked.path or linked.name} ({families}), and its launcher is of "
            f"{launch.family}",
            f"launch it with the mpiexec of {families}",
        )


def _remedy(linked: LinkedMPI) -> str:
    if linked.wrapper == "mpicc":
        return _REMEDY
    return f"{_REMEDY}: --mpicc {linked.wrapper}, by its path where it is not on PATH"


def _launcher_word(launch: LaunchCommand) -> str | None:
    return None if launch.launcher is None else launch.words[launch.launcher]


def _nearest_first(linked: LinkedMPI, launch: LaunchCommand) -> Iterator[MPI]:
    """Installed MPIs of the family, that of the launcher first, then those near the library."""

    def distance(mpi: MPI) -> tuple[bool, int]:
        wrapper = Path(mpi.mpicc).resolve().parts
        library = linked.path.parts if linked.path else ()
        pairs = zip(wrapper, library, strict=False)
        shared = next((i for i, (a, b) in enumerate(pairs) if a != b), len(library))
        return not _is_launched_by(mpi, launch), -shared

    here = installed(_beside(linked, launch), linked.wrapper)
    fitting = (mpi for mpi in here if mpi.family in linked.families)
    yield from sorted(fitting, key=distance)


def _beside(linked: LinkedMPI | None, launch: LaunchCommand) -> list[Path]:
    """Folders that belong to the library and the launcher, on PATH or not."""
    folders = [launch.launcher_path.absolute().parent] if launch.launcher_path else []
    if linked and linked.path:
        folders.append(linked.path.parent.parent / "bin")
    return folders


def _is_launched_by(mpi: MPI, launch: LaunchCommand) -> bool:
    used, launcher = launch.launcher_path, Path(mpi.launcher[0])
    return used is not None and used.resolve() == launcher.resolve()


def _of_launcher(launch: LaunchCommand) -> MPI:
    candidates = [mpi for mpi in installed(_beside(None, launch)) if mpi.family == launch.family]
    for mpi in candidates:
        if _is_launched_by(mpi, launch):
            return mpi
    name = launch.words[launch.program or 0]
    if launch.launcher is not None and launch.launcher_path is None:
        raise MissingToolError(
            f"there is no {launch.words[launch.launcher]} here, which is to launch the program",
            "put it on PATH or name its file; 'contend doctor' says which MPI is here",
        )
    if launch.launcher is None:
        raise MissingToolError(
            f"{name} is linked with no MPI library, and nothing launches it",
            f"put contend before the launcher, in a script where that has it, or {_REMEDY}",
        )
    if launch.family in ("unknown", "Slurm"):
        raise MissingToolError(
            f"{name} is linked with no MPI library, and the launcher does not tell which it uses",
            _REMEDY,
        )
    if not candidates:
        raise MissingToolError(
            f"{name} is launched by {launch.family}, of which no compiler wrapper is here", _REMEDY
        )
    return candidates[0]


def exchange_library(program: str | Path | None = None, mpicc: str | None = None) -> Result:
    """Return the path of the library that programs preload, built if it is not there.

    It is that for the MPI of a `program`, if one is named, else that of a compiler wrapper.

    >>> exchange_library(mpicc="mpicc").data["library"].suffix
    '.so'
    """
    if program is None:
        library = library_by_wrapper(mpicc)
    else:
        launch = LaunchCommand((str(Path(program).absolute()),), None, "unknown", 0)
        library = fitting_library(launch, mpicc)
    data = {"library": library.path, "mpi": library.mpi.title, "mpicc": library.mpi.mpicc}
    return Result(data, [Line(str(library.path))])
