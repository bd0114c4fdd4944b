"""contend record: every MPI call of an unmodified program, with its times, to a folder."""

from pathlib import Path

from contend.api import record
from contend.cli import options, output
from contend.cli.options import argument, option

ORDER = 2
PANEL = "Simulate"
EXAMPLE = "contend record -o trace -- mpiexec -n 16 ./my_app"
CONTEXT = {"allow_interspersed_args": False}  # options after the first word are the program's


def command(
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
    folder: Path = option("Folder for the trace, new or empty.", "-o", "--output", default=...),
    mpicc: options.MpiccOfProgram = None,
) -> None:
    """Run a program and record its MPI calls, message by message.

    The exit code is the program's. What was recorded of one that was killed is kept.
    """
    code = record(program, folder, mpicc=mpicc, note=output.note, warn=output.warn)
    raise output.ProgramEnded(code)
