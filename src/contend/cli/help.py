"""What `--help` of a command prints: a line for each option where that suffices, without frames."""

from collections.abc import Iterable, Iterator
from enum import Enum
from inspect import cleandoc
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table
from typer.core import TyperCommand

from contend.cli.visible import VisibleConsole


class Command(TyperCommand):
    """A command whose help is compact, so that it fits a screen."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print usage, what the command does, arguments, options and an example."""
        console = VisibleConsole(highlight=False)
        console.print(f"[bold]{escape(self.get_usage(ctx))}[/]\n")
        for paragraph in cleandoc(self.help or "").split("\n\n"):
            console.print(escape(" ".join(paragraph.split())), end="\n\n")
        shown = [
            parameter
            for parameter in self.get_params(ctx)
            if not getattr(parameter, "hidden", False) and parameter.name != "help"
        ]
        arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
        for title, parameters in (
            ("Arguments", arguments),
            ("Options", [parameter for parameter in shown if parameter not in arguments]),
        ):
            if parameters:
                console.print(f"[bold]{title}[/]")
                console.print(_table(parameters))
        if self.epilog:
            console.print(f"\n{self.epilog}")


def _table(parameters: Iterable[Any]) -> Table:
    """Return names beside what they mean."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(ratio=1)
    for parameter in parameters:
        table.add_row(f"  {escape(_name(parameter))}", escape(" ".join(_meaning(parameter))))
    return table


def _name(parameter: Any) -> str:
    """Return the name of an argument, or the short and a long name of an option."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    short = [name for name in parameter.opts if not name.startswith("--")]
    long = [name for name in parameter.opts if len(name) > len("--n")][:1]
    if parameter.secondary_opts and parameter.default is True:
        long = [name.replace("--", "--[no-]", 1) for name in long]
    return ", ".join([*short, *long])


def _meaning(parameter: Any) -> Iterator[str]:
    """Yield how the value is written, the help of a parameter, and its default."""
    if (
        parameter.param_type_name == "option"
        and parameter.metavar
        and parameter.metavar not in parameter.help
    ):
        yield f"{parameter.metavar}:"
    yield parameter.help or ""
    default = parameter.default.value if isinstance(parameter.default, Enum) else parameter.default
    is_shown = isinstance(default, str | int | float | Path) and not isinstance(default, bool)
    if parameter.required:
        yield "[required]"
    elif is_shown and str(default) and parameter.show_default:
        yield f"[default: {default}]"
