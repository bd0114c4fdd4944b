"""contend watch: a program whose collective calls are noted in a site's file."""

from dataclasses import dataclass
from pathlib import Path

from contend.api import WatchOptions, watch_program
from contend.cli import options, output
from contend.cli.options import argument, option

ORDER = 8
PANEL = "Measure"
EXAMPLE = "contend watch -o site.jsonl -- mpiexec -n 16 ./my_app"
CONTEXT = {"allow_interspersed_args": False}  # options after the first word are the program's


@dataclass(frozen=True)
class Options(WatchOptions):
    """What the options ask for."""

    site: Path | None = option(
        "Site's file, which jobs are appended to; default $CONTEND_WATCH, else "
        "contend-watch.jsonl.",
        "-o",
        "--output",
        metavar="FILE",
    )
    name: str | None = option("Name for the record; without it, it names nobody.", "--name")
    summary: bool = option("Say what the calls cost, in six lines.", "--summary", default=False)
    tries: bool = option(
        "Let a few calls be made by other algorithms of the MPI library, and keep what is faster.",
        "--try",
        default=False,
    )
    mpicc: options.MpiccOfProgram = None


def command(
    wanted: Options,
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
) -> None:
    """Run a program and append what its collective calls cost to a site's file.

    The file collects all jobs; 'contend report site.jsonl' says who loses how much in which call.
    In any doubt the program runs as without contend. The exit code is the program's.
    """
    raise output.ProgramEnded(watch_program(program, wanted, output.note))
