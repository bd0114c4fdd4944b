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
            one
            for one in self.get_params(ctx)
            if not getattr(one, "hidden", False) and one.name != "help"
        ]
        arguments = [one for one in shown if one.param_type_name == "argument"]
        for title, parameters in (
            ("Arguments", arguments),
            ("Options", [one for one in shown if one not in arguments]),
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
    for one in parameters:
        table.add_row(f"  {escape(_name(one))}", escape(" ".join(_meaning(one))))
    return table


def _name(one: Any) -> str:
    """Return the name of an argument, or the short and a long name of an option."""
    if one.param_type_name == "argument":
        return str(one.metavar or one.name.upper())
    short = [name for name in one.opts if not name.startswith("--")]
    long = [name for name in one.opts if len(name) > len("--n")][:1]
    if one.secondary_opts and one.default is True:
        long = [name.replace("--", "--[no-]", 1) for name in long]
    return ", ".join([*short, *long])


def _meaning(one: Any) -> Iterator[str]:
    """Yield how the value is written, the help of a parameter, and its default."""
    if one.param_type_name == "option" and one.metavar and one.metavar not in one.help:
        yield f"{one.metavar}:"
    yield one.help or ""
    default = one.default.value if isinstance(one.default, Enum) else one.default
    is_shown = isinstance(default, str | int | float | Path) and not isinstance(default, bool)
    if one.required:
        yield "[required]"
    elif is_shown and str(default) and one.show_default:
        yield f"[default: {default}]"
