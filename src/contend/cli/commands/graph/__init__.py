"""contend graph: messages that share a network; one command per file of this folder."""

import typer

from contend.cli.found import add_commands

ORDER = 7
PANEL = "Simulate"
EXAMPLE = "contend graph solve flows.csv --bandwidth 1Gbit/s"

command = typer.Typer(
    help="Say when each of many concurrent messages ends.",
    no_args_is_help=True,
)
add_commands(command, __name__, __path__)
