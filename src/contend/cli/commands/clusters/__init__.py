"""contend clusters: which hosts sit behind slower links; one command per file of this folder."""

import typer

from contend.cli.found import add_commands

ORDER = 8
PANEL = "Measure"
EXAMPLE = "contend clusters discover --on lab:two-clusters"

command = typer.Typer(help="Find which hosts are groups behind slower links.", no_args_is_help=True)
add_commands(command, __name__, __path__)
