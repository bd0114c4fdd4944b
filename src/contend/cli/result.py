"""Printing the result of a command: as text, as Markdown or as JSON."""

import json
from collections.abc import Iterable
from typing import Any

import typer

from contend.api import Cell, Line, Part, Result, Table, is_unknown, picture, plain, records
from contend.cli import output

__all__ = [
    "Cell", "Line", "Part", "Result", "Table", "is_unknown", "picture", "plain", "records",
    "show", "show_json", "show_parts",
]  # fmt: skip


def show(result: Result, *, as_json: bool) -> None:
    """Print a result, and end with its exit code."""
    for text in result.warnings:
        output.warn(text)
    for text in result.notes:
        output.note(text)
    if as_json:
        show_json(result.data)
    else:
        show_parts(result.parts)
    if result.code:
        raise typer.Exit(result.code)


def show_json(data: Any) -> None:
    """Print one JSON document on standard output."""
    print(json.dumps(plain(data), indent=1, default=str))


def show_parts(parts: Iterable[Part]) -> None:
    """Print tables and lines on standard output, notes on standard error."""
    for part in parts:
        if isinstance(part, Table):
            output.show_table(part.text(), part.title, part.width)
        elif isinstance(part, Line):
            output.show_text(part.text, part.end, part.style)
        else:
            output.note(part)
