"""Every MPI call of an unmodified program, with its times, to a folder."""

import os
from collections.abc import Callable
from pathlib import Path

from contend.base.errors import FileFormatError, InvalidInputError, StorageError
from contend.base.result import next_step
from contend.measure.foreground import run_in_foreground
from contend.measure.launcher import parse_launch, with_variables
from contend.measure.linked_library import LinkedMPI
from contend.measure.preload import FittingLibrary, fitting_library
from contend.programs.traces.endings import early_ends
from contend.programs.traces.recording.files import read_rank, read_title

_VARIABLE = "CONTEND_RECORD"
_OTHER_MPI = "other-mpi.txt"  # of the recorder: the library that a rank uses in place of its own
Note = Callable[[str], object]


def record(
    program: list[str],
    folder: str | Path,
    *,
    mpicc: str | None = None,
    note: Note = lambda _: None,
    warn: Note = lambda _: None,
) -> int:
    """Run a launcher with a program, record its MPI calls to a folder, return its exit code.

    What was recorded goes to `note`, what is missing to `warn`; what was recorded of a program
    that was killed is kept.

    >>> record(["mpiexec", "-n", "4", "./my_app"], "new-trace")
    0
    """
    folder, launch = Path(folder), parse_launch(program)
    library = fitting_library(launch, mpicc)
    variables = {**library.variables, _VARIABLE: str(_empty(folder))}
    variables |= {name: os.environ[name] for name in (f"{_VARIABLE}_BUFFER",) if name in os.environ}
    code = run_in_foreground(*with_variables(launch, variables))
    _show(folder, library, note, warn)
    return code


def _empty(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InvalidInputError(
                f"{folder} holds files already", "name a new folder, or remove it"
            )
    except OSError as error:
        raise StorageError.of(folder, error) from None
    return folder.resolve()


def _show(folder: Path, library: FittingLibrary, note: Note, warn: Note) -> None:
    _warn_of_other(folder / _OTHER_MPI, library.needed, warn)
    try:
        title = read_title(folder)
    except FileFormatError:
        note(f"{folder}: nothing was recorded, as no rank has called MPI_Init under contend")
        return
    note(f"{folder}: recorded {title.ranks} ranks of {title.library}, by {library.origin}")
    try:
        early = early_ends(read_rank(folder, rank, title).cut for rank in range(title.ranks))
    except FileFormatError as error:
        warn(str(error))
        return
    if early:
        warn(f"{folder} ends early: {early}; a replay ends where all ranks came")
    note(next_step("contend", "trace", "show", folder))


def _warn_of_other(file: Path, needed: str, warn: Note) -> None:
    """Say which MPI library ranks used that is not the recorder's, and how to record them."""
    try:
        other = Path(file.read_text().strip())
        file.unlink()
    except OSError:
        return
    wrapper = LinkedMPI(other.name, other).wrapper
    warn(
        f"a program uses {other}, and was to be recorded as one of {needed or 'none'}: "
        f"its ranks have no trace; name the compiler wrapper of its MPI: --mpicc {wrapper}, by its "
        "path where another one is on PATH"
    )
