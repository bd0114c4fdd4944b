"""contend lab: a command inside an emulated network."""

import typer

from contend.api import run_in_lab
from contend.cli import completion, output
from contend.cli.options import argument

ORDER = 6
PANEL = "Measure"
EXAMPLE = "contend lab two-clusters -- mpiexec -n 16 ./my_app"
CONTEXT = {"ignore_unknown_options": True}


def command(
    lab: str = argument(
        "Name of a network, of 'contend list labs', or a TOML file.",
        metavar="NAME_OR_FILE",
        autocompletion=completion.lab_names,
    ),
    program: list[str] | None = argument(
        "What to run; default a shell, in which mpiexec uses the hosts and 'ssh HOST' enters one.",
        metavar="COMMAND...",
        default=None,
    ),
) -> None:
    """Run a command inside an emulated network, then say what that did to its messages."""
    raise typer.Exit(run_in_lab(lab, program or (), output.note))
