"""The reference of commands, from the commands themselves: what `--help` says, on one page.

It takes the place of a line `<!-- commands -->` of a document.
"""

import re
from collections.abc import Iterator
from typing import Any

import typer.main
from sphinx.application import Sphinx

from contend.cli.app import make_app
from contend.cli.folder import PANELS

MARK = "<!-- commands -->"
RICH = re.compile(r"\[/?(?:bold|dim|italic)\]")  # markup of the terminal


def page() -> str:
    """Markdown: a section per panel, in it one per command, and below it those of a group."""
    group: Any = typer.main.get_command(make_app())
    parts = [*_options(group, "contend")]
    for panel in PANELS:
        found = {n: c for n, c in group.commands.items() if c.rich_help_panel == panel}
        if found:
            parts.append(f"## {panel}")
        for name, command in found.items():
            parts += _command(command, f"contend {name}", 3)
    return "\n\n".join(parts)


def _command(command: Any, name: str, level: int) -> Iterator[str]:
    yield f"{'#' * level} {name}"
    yield _text(command.help or "")
    commands = getattr(command, "commands", {})
    if not commands:
        yield from _options(command, name)
    for inner, one in commands.items():
        yield from _command(one, f"{name} {inner}", level + 1)


def _options(command: Any, name: str) -> Iterator[str]:
    """How the command is called, its arguments and options, and its example."""
    context = command.context_class(command, info_name=name)
    yield f"```text\n{name} {' '.join(command.collect_usage_pieces(context))}\n```"
    records = [one.get_help_record(context) for one in command.get_params(context)]
    rows = [_row(*record) for record in records if record and "--help" not in record[0]]
    if rows:
        yield "\n".join(["| | |", "|---|---|", *rows])
    if command.epilog and "Example: " in command.epilog:
        yield f"```sh\n{RICH.sub('', command.epilog).removeprefix('Example: ')}\n```"


def _row(names: str, meaning: str) -> str:
    names = names.replace("|", "\\|")
    return f"| `{names}` | {_text(meaning)} |"


def _text(text: str) -> str:
    """Help as Markdown: what means something to Markdown stands for itself."""
    return re.sub(r"([\\`*_<>\[\]$#|])", r"\\\1", RICH.sub("", text)).strip()


def setup(app: Sphinx) -> dict[str, bool]:
    """Put the reference where a document has the mark."""

    def fill(_: Sphinx, __: str, source: list[str]) -> None:
        if MARK in source[0]:
            source[0] = source[0].replace(MARK, page())

    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
