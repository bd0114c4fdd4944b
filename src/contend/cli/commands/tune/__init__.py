"""contend tune: MPI libraries told what to take; one command per file of this folder."""

import typer

from contend.cli.found import add_commands

ORDER = 6
PANEL = "Apply"
EXAMPLE = "contend tune export decisions.json --for openmpi-5 -o rules.conf"

command = typer.Typer(help="MPI libraries told which algorithms to take.", no_args_is_help=True)
add_commands(command, __name__, __path__)
