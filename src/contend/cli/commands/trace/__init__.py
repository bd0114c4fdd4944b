"""contend trace: traces of whole programs; one command per file of this folder."""

import typer

from contend.cli.found import add_commands

ORDER = 7
PANEL = "Inspect"
EXAMPLE = "contend trace info trace"

command = typer.Typer(help="Show and convert traces of whole programs.", no_args_is_help=True)
add_commands(command, __name__, __path__)
