"""The result of a command or of a function of the door: data for machines, parts for people.

The command line prints it as text, as Markdown or as JSON.
"""

import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

Cell: TypeAlias = str | tuple[str, Callable[[Any], object]] | Callable[[Any], object]
Part: TypeAlias = "Table | Line | str"


@dataclass(frozen=True)
class Table:
    """Rows, and by their heads the columns that are shown of them.

    Rows are dataclasses, mappings, arrays by name or a table of pandas. A column is a field by its
    name; a field and the text of its value, a dash where that is unknown; or a function of a row.
    Without columns all fields are shown as they are.
    """

    rows: Any
    columns: Mapping[str, Cell] | None = None
    title: str | None = None
    width: int = 160

    def text(self) -> dict[str, list[str]]:
        """Return the cells of each column."""
        rows = records(self.rows)
        columns = self.columns or {name: name for name in (rows[0] if rows else ())}
        return {head: [_text(row, cell) for row in rows] for head, cell in columns.items()}


@dataclass(frozen=True)
class Line:
    """A line on standard output; a text alone is a note on standard error."""

    text: str
    style: str | None = None
    end: str = "\n"


@dataclass(frozen=True)
class Result:
    """What a command ends with: data for machines, parts for people, an exit code.

    `data` may hold dataclasses, models, tables and arrays by name; what is not a number becomes
    null. `parts` are not asked for where JSON is wanted. Warnings and notes are shown in either
    case.
    """

    data: Any
    parts: Iterable[Part] = ()
    code: int = 0
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()


def command_line(*words: object) -> str:
    """Return a command line that can be copied.

    >>> command_line("contend", "fit", "my samples.jsonl")
    "contend fit 'my samples.jsonl'"
    """
    return shlex.join(map(str, words))


def next_step(*words: object) -> str:
    """Return a command line that can be copied, as the next step.

    >>> next_step("contend", "fit", "samples.jsonl")
    'next: contend fit samples.jsonl'
    """
    return f"next: {command_line(*words)}"


def picture(path: object, **data: Any) -> Result:
    """Return the result of a command that has written a picture.

    >>> picture("a.svg", n=8).data
    {'picture': 'a.svg', 'n': 8}
    """
    return Result({"picture": str(path), **data}, [Line(f"picture: {path}")])


def records(rows: Any) -> list[Any]:
    """Return rows one by one: those of a table of pandas, or of arrays by name, as dictionaries.

    >>> records({"n": [4, 8], "m": [64, 64]})
    [{'n': 4, 'm': 64}, {'n': 8, 'm': 64}]
    """
    if hasattr(rows, "to_dict"):
        return list(rows.to_dict("records"))
    if isinstance(rows, Mapping):
        columns = [
            getattr(column, "tolist", lambda column=column: column)() for column in rows.values()
        ]
        return [dict(zip(rows, line, strict=True)) for line in zip(*columns, strict=True)]
    return list(rows)


def plain(value: Any) -> Any:
    """Return a value as JSON has it.

    >>> plain({"a": (1.0, float("nan")), 2: None})
    {'a': [1.0, None], '2': None}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(mode="json"))
    if hasattr(value, "to_dict"):
        return [plain(row) for row in value.to_dict("records")]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset | Iterator):
        return [plain(entry) for entry in value]
    return value


def _text(row: Any, cell: Cell) -> str:
    if callable(cell):
        return str(cell(row))
    name, text = (cell, str) if isinstance(cell, str) else cell
    value = row[name] if isinstance(row, Mapping) else getattr(row, name)
    if not isinstance(cell, str) and is_unknown(value):
        return "–"
    return "" if value is None else str(text(value))


def is_unknown(value: object) -> bool:
    """Return whether a value is None or no number.

    >>> is_unknown(float("nan")), is_unknown(0.0)
    (True, False)
    """
    return value is None or (isinstance(value, float) and math.isnan(value))
