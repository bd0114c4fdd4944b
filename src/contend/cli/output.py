"""Consoles and tables that `result` prints on: results on standard output, else on error."""

import re
import sys
from typing import TYPE_CHECKING, TextIO, TypeAlias

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contend.api import ContendError
from contend.api import command_line as command
from contend.api import next_step as following
from contend.cli.visible import VisibleConsole, visible

__all__ = ["command", "following"]

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    from rich.progress import Progress

    Rows: TypeAlias = pd.DataFrame | Mapping[str, Sequence[object]]  # a table by columns


is_markdown = False  # what tables are shown as, set by `contend --markdown`
is_json = False  # whether results are printed as JSON, set by `contend --json`


def console(width: int = 160) -> Console:
    """Console for results; a pipe has no width to fit in and gets the one given."""
    wanted = None if sys.stdout.isatty() else width
    return VisibleConsole(highlight=False, soft_wrap=True, width=wanted)


def messages() -> Console:
    """Console for progress, notes, warnings and errors."""
    return VisibleConsole(stderr=True, highlight=False, soft_wrap=True)


def show_text(text: str, end: str = "\n", style: str | None = None) -> None:
    """A text on standard output, as long as its lines are."""
    if style and sys.stdout.isatty():
        console().print(text, style=style, markup=False, end=end)
    else:
        print(visible(text), end=end)


class ProgramEnded(SystemExit):
    """The exit code of a command is that of the program that it ran, and means what that says."""


def note(text: str) -> None:
    """A sentence for the user."""
    messages().print(escape(text))


def show_error(error: ContendError) -> None:
    """What happened, and what to do."""
    messages().print(f"[bold red]error:[/] {escape(error.message)}")
    if error.remedy:
        messages().print(f"[bold]what to do:[/] {escape(error.remedy)}")


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Replacement of warnings.showwarning: no file and line, which mean nothing to a user."""
    warn(str(message))


def warn(message: str) -> None:
    messages().print(f"[yellow]warning:[/] {escape(message)}")


_NUMBER = re.compile(r"[-+~]?[\d–]")


def show_table(rows: "Rows", title: str | None = None, width: int = 160) -> None:
    """Rows on standard output, in columns of the console or as Markdown."""
    if not is_markdown:
        console(width).print(table(rows, title))
        return
    show_text("\n".join([f"{title}\n" if title else "", markdown(rows), ""]))


def markdown(rows: "Rows") -> str:
    """Table of Markdown; cells are text already. What a cell folds stands in one line."""
    head, *lines = (f"| {' | '.join(map(_one_line, row))} |" for row in (list(rows), *_lines(rows)))
    return "\n".join([head, "|" + "---|" * len(list(rows)), *lines])


def _lines(rows: "Rows") -> "Iterator[tuple[object, ...]]":
    return zip(*(rows[name] for name in rows), strict=True)


def _one_line(cell: object) -> str:
    return " ".join(str(cell).split()).replace("|", "\\|")


def table(rows: "Rows", title: str | None = None) -> Table:
    """Table for the console; cells are text already."""
    result = Table(
        title=title and escape(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for name in rows:
        result.add_column(
            str(name),
            justify="right" if _are_numbers(rows[name]) else "left",
            no_wrap=name == "algorithm",
            overflow="fold",
        )
    for row in _lines(rows):
        result.add_row(*(escape(str(cell)) for cell in row))
    return result


def _are_numbers(cells: "Sequence[object]") -> bool:
    """Whether most cells that hold something begin as a number does."""
    filled = [str(cell) for cell in cells if str(cell)]
    return 2 * sum(bool(_NUMBER.match(cell)) for cell in filled) > len(filled)


def progress_bar() -> "Progress":
    """Progress with what is being done, how far it is and the time left."""
    from rich import progress

    return progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(bar_width=30),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
        console=messages(),
        disable=not sys.stderr.isatty(),
    )
