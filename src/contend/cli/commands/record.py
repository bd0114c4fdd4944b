"""contend record: every MPI call of an unmodified program, with its times, to a folder."""

import os
from pathlib import Path

from contend.base.errors import FileFormatError, InvalidInputError, StorageError
from contend.cli import options, output
from contend.cli.options import argument, option
from contend.measure.foreground import run_in_foreground
from contend.measure.launcher import parse_launch, with_variables
from contend.measure.linked_library import LinkedMPI
from contend.measure.preload import FittingLibrary, fitting_library
from contend.programs.traces.endings import early_ends
from contend.programs.traces.recording.files import read_rank, read_title

ORDER = 7
PANEL = "Measure"
EXAMPLE = "contend record -o trace -- mpiexec -n 16 ./my_app"
CONTEXT = {"allow_interspersed_args": False}  # options after the first word are the program's

_VARIABLE = "CONTEND_RECORD"
_OTHER_MPI = "other-mpi.txt"  # of the recorder: the library that a rank uses in place of its own


def command(
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
    folder: Path = option("Folder for the trace, new or empty.", "-o", "--output", default=...),
    mpicc: options.MpiccOfProgram = None,
) -> None:
    """Run a program and record its MPI calls, message by message.

    The exit code is the program's. What was recorded of one that was killed is kept.
    """
    launch = parse_launch(program)
    library = fitting_library(launch, mpicc)
    variables = {**library.variables, _VARIABLE: str(_empty(folder))}
    variables |= {name: os.environ[name] for name in (f"{_VARIABLE}_BUFFER",) if name in os.environ}
    code = run_in_foreground(*with_variables(launch, variables))
    _show(folder, library)
    raise output.ProgramEnded(code)


def _empty(folder: Path) -> Path:
    """The folder, made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InvalidInputError(
                f"{folder} holds files already", "name a new folder, or remove it"
            )
    except OSError as error:
        raise StorageError.of(folder, error) from None
    return folder.resolve()


def _show(folder: Path, library: FittingLibrary) -> None:

    _warn_of_other(folder / _OTHER_MPI, library.needed)
    try:
        title = read_title(folder)
    except FileFormatError:
        output.note(f"{folder}: nothing was recorded, as no rank has called MPI_Init under contend")
        return
    output.note(f"{folder}: recorded {title.ranks} ranks of {title.library}, by {library.origin}")
    try:
        early = early_ends(read_rank(folder, rank, title).cut for rank in range(title.ranks))
    except FileFormatError as error:
        output.warn(str(error))
        return
    if early:
        output.warn(f"{folder} ends early: {early}; a replay ends where all ranks came")
    output.note(output.following("contend", "trace", "info", folder))


def _warn_of_other(file: Path, needed: str) -> None:
    """Say which MPI library ranks used that is not the recorder's, and how to record them."""
    try:
        other = Path(file.read_text().strip())
        file.unlink()
    except OSError:
        return
    wrapper = LinkedMPI(other.name, other).wrapper
    output.warn(
        f"a program uses {other}, and was to be recorded as one of {needed or 'none'}: "
        f"its ranks have no trace; name the compiler wrapper of its MPI: --mpicc {wrapper}, by its "
        "path where another one is on PATH"
    )
