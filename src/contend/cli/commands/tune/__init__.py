"""contend tune: MPI libraries told what to take; one command per file of this folder."""

import typer

from contend.cli.found import add_commands

ORDER = 6
PANEL = "Apply"
EXAMPLE = "contend tune export decisions.json --for openmpi-5 -o rules.conf"

command = typer.Typer(
    help="Write rules that an MPI library obeys, and check them.",
    no_args_is_help=True,
)
add_commands(command, __name__, __path__)
