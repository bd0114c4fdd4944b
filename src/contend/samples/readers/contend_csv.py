"""What `contend export csv` writes: a row per repetition with all fields of a sample, or per point.

Layout: see `contend.samples.tidy`. Rows that agree in all columns but repetition, is_warmup, time_s
and rank_times_s are one sample, wherever they stand; `repetition` orders them. Of a table of points
each row is a sample of its median. A column that neither table has is an error. `where` of the
options keeps the rows whose column is exactly that text.

Restrictions: everything else of the options is in the file, and refused.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.textfile import csv_rows, read_text
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._text import sample_at
from contend.samples.sample import Sample
from contend.samples.tidy import (
    COLUMNS,
    HEAD,
    OF_ROW,
    POINT_HEAD,
    Row,
    fields_of,
    fields_of_point,
    key_of,
)

_RESTORE = "write it anew by 'contend export csv', or map its columns with --as reader=csv_columns"


class ContendCsvReader(Reader):
    name = "contend_csv"
    title = "samples as 'contend export csv' writes them"

    def recognises(self, head: str) -> bool:
        _, first = next(csv_rows(head.splitlines()[:1]), (1, []))
        return any(first[: len(head)] == list(head) for head in (HEAD, POINT_HEAD))

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        _refuse(options, path)
        groups: dict[object, tuple[int, list[Row]]] = {}
        for line, row in _rows(path):
            if all(row.get(column) == text for column, text in options.where.items()):
                key = line if "median_s" in row else key_of(row)
                groups.setdefault(key, (line, []))[1].append(row)
        if not groups:
            raise FileFormatError(f"{path} has no rows (that are asked for)", "name another file")
        for line, rows in groups.values():
            where = f"{path} line {line}"
            try:
                fields = self._fields(rows, path)
            except ValueError as error:
                raise FileFormatError(f"{where}: {error}, which is no value", _RESTORE) from None
            yield sample_at(where, **fields)

    def _fields(self, rows: list[Row], path: Path) -> dict[str, object]:
        if "median_s" not in rows[0]:
            return fields_of(rows)
        return fields_of_point(rows[0]) | {"provenance": {"source": f"{self.name}: {path.name}"}}


def _rows(path: Path) -> Iterator[tuple[int, Row]]:
    lines = read_text(path).splitlines(keepends=True)
    table = csv_rows(lines)
    _, names = next(table, (1, []))
    columns = {*COLUMNS, *OF_ROW} | ({*POINT_HEAD} if "median_s" in names else set())
    if unknown := [name for name in names if name not in columns]:
        raise FileFormatError(f"{path}: a sample has no column {unknown[0]!r}", _RESTORE)
    for begin, cells in table:
        if len(cells) not in (0, len(names)):
            raise FileFormatError(
                f"{path} line {begin}: {len(cells)} cells where {len(names)} are due", _RESTORE
            )
        if cells:
            yield begin, dict(zip(names, cells, strict=True))


def _refuse(options: ReadOptions, path: Path) -> None:
    for field in fields(options):
        if field.name != "where" and getattr(options, field.name):
            raise InvalidInputError(
                f"{path} says itself what --{field.name.replace('_', '-')} would say",
                "leave it out",
            )
