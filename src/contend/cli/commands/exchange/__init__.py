"""contend exchange: an all-to-all that knows slow links; one command per file of this folder."""

import typer

from contend.cli.found import add_commands

ORDER = 7
PANEL = "Apply"
EXAMPLE = "contend exchange library"

command = typer.Typer(
    help="An all-to-all that knows slow links: library, plan, bench.",
    no_args_is_help=True,
)
add_commands(command, __name__, __path__)
