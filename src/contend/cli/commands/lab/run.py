"""contend lab run: a command inside an emulated network."""

from typing import Annotated

import typer

from contend.api import run_in_lab
from contend.cli import completion, output
from contend.cli.options import argument

ORDER = 1
EXAMPLE = "contend lab run two-clusters -- mpiexec -n 16 ./my_app"
CONTEXT = {"ignore_unknown_options": True}
Name = Annotated[
    str,
    typer.Argument(
        help="Name of a profile, or a TOML file.",
        metavar="NAME_OR_FILE",
        autocompletion=completion.lab_names,
    ),
]


def command(
    lab: Name,
    program: list[str] | None = argument(
        "What to run; default a shell, in which mpiexec uses the hosts and 'ssh HOST' enters one.",
        metavar="COMMAND...",
        default=None,
    ),
) -> None:
    """Run a command inside, then say what the network did to its messages."""
    raise typer.Exit(run_in_lab(lab, program or (), output.note))
