"""Samples as rows of a table, and back: a row per repetition, every field a column; or of points.

Source: Wickham, "Tidy data", Journal of Statistical Software 59(10), 2014.
Idea: what a sample says of all its repetitions stands in each of their rows. A number has its unit
in the name of its column; parts of the provenance and of the emulated network begin with the name
of what they are of. Lists and parameters are JSON within a cell; a field that is absent is an empty
cell, and one that all samples lack has no column.
Restrictions: an empty text and an absent one are the same cell.
"""

import json
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin

from contend.base.document import Record
from contend.samples.by_setting import fields_of_setting
from contend.samples.lab import LabConditions
from contend.samples.sample import Provenance, Sample

Row = dict[str, str]
HEAD = (
    "experiment", "algorithm", "n", "processes_per_node", "m_bytes", "launch", "statistic",
    "repetition", "is_warmup", "time_s",
)  # fmt: skip
POINT_HEAD = (
    "experiment", "algorithm", "n", "processes_per_node", "m_bytes", "median_s", "low_s", "high_s",
    "bounds", "launches", "repetitions", "statistic",
)  # fmt: skip
OF_ROW = ("repetition", "is_warmup", "time_s", "rank_times_s")  # the others are of the sample
_RENAMED = {"m": "m_bytes", "provenance_clock_resolution": "provenance_clock_resolution_s"}
_PARTS: Mapping[str, type[Record]] = {"provenance": Provenance, "lab": LabConditions}


def _columns() -> dict[str, tuple[str, str, Any]]:
    """Column name to the part of the sample, its field and the type of that."""
    columns = {}
    for name, field in Sample.model_fields.items():
        if name in ("times_s", "warmup_s", "rank_times_s", *_PARTS):
            continue
        columns[_RENAMED.get(name, name)] = ("", name, field.annotation)
    for part, record in _PARTS.items():
        for name, field in record.model_fields.items():
            column = f"{part}_{name}"
            columns[_RENAMED.get(column, column)] = (part, name, field.annotation)
    return columns


COLUMNS = _columns()


def rows_of(sample: Sample) -> Iterator[Row]:
    """A row per repetition, those of the warm-up first; empty cells are left out."""
    data = sample.model_dump(mode="json", exclude_none=True)
    common: Row = {}
    for column, (part, name, _) in COLUMNS.items():
        value = (data.get(part) or {}).get(name) if part else data.get(name)
        if value is not None and value != []:
            common[column] = _cell(value)
    for warmup, times in ((True, sample.warmup_s), (False, sample.times_s)):
        for number, seconds in enumerate(times):
            row = common | {
                "repetition": str(number), "is_warmup": _cell(warmup), "time_s": repr(seconds)
            }  # fmt: skip
            if sample.rank_times_s is not None and not warmup:
                row["rank_times_s"] = _cell(sample.rank_times_s[number])
            yield row


def names_of(rows: Iterable[Row]) -> list[str]:
    """Columns that any row has something in, those of `HEAD` in any case and first."""
    given = {name for row in rows for name in row}
    columns = (*HEAD, *COLUMNS, "rank_times_s")
    return [name for name in dict.fromkeys(columns) if name in given or name in HEAD]


def key_of(row: Row) -> tuple[tuple[str, str], ...]:
    """What rows of one sample have in common."""
    return tuple((name, cell) for name, cell in row.items() if name not in OF_ROW)


def fields_of(rows: list[Row]) -> dict[str, Any]:
    """Fields of the sample that rows with one key belong to, in the order of their repetitions.

    Raise ValueError that names the column whose cell cannot be read.
    """
    fields: dict[str, Any] = {}
    for column, cell in rows[0].items():
        if column in OF_ROW:
            continue
        part, name, annotation = COLUMNS[column]
        is_needed = column == "provenance_source"
        if cell == "" and not is_needed:
            continue
        target = fields.setdefault(part, {}) if part else fields
        target[name] = cell if _is_text(annotation) else _value(column, cell)
    ordered = sorted(rows, key=lambda row: float(_value("repetition", row["repetition"])))
    of_kind: dict[bool, list[Row]] = {True: [], False: []}
    for row in ordered:
        of_kind[_value("is_warmup", row.get("is_warmup") or "false") is True].append(row)
    fields["times_s"] = [_value("time_s", row["time_s"]) for row in of_kind[False]]
    fields["warmup_s"] = [_value("time_s", row["time_s"]) for row in of_kind[True]]
    if any(row.get("rank_times_s") for row in of_kind[False]):
        fields["rank_times_s"] = [
            _value("rank_times_s", row.get("rank_times_s") or "") for row in of_kind[False]
        ]
    return fields


def fields_of_point(row: Row) -> dict[str, Any]:
    """Fields of the sample that a row of a table of points is, but for its provenance.

    Raise ValueError that names the column whose cell cannot be read.
    """
    fields: dict[str, Any] = {
        "experiment": row["experiment"],
        "statistic": "median",
        **fields_of_setting(row["algorithm"]),
    }
    for column, name in (
        ("n", "n"),
        ("processes_per_node", "processes_per_node"),
        ("m_bytes", "m"),
    ):
        if row[column]:
            fields[name] = _value(column, row[column])
    return fields | {"times_s": [_value("median_s", row["median_s"])]}


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _value(column: str, cell: str) -> Any:
    try:
        # "True", as pandas writes it
        return json.loads(cell.lower() if cell in ("True", "False") else cell)
    except ValueError:
        raise ValueError(f"{column} is {cell[:60]!r}") from None


def _is_text(annotation: Any) -> bool:
    if get_origin(annotation) in (Union, types.UnionType):
        return any(_is_text(arg) for arg in get_args(annotation) if arg is not types.NoneType)
    if get_origin(annotation) is Literal:
        return True
    return annotation is str
