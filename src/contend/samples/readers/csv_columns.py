"""A CSV file, plain or gzipped, whose columns the user maps to fields of a sample.

Source: RFC 4180, with comma, semicolon, tab or blanks as delimiter.

Layout: a line of names and a row per measurement, or, where every mapped column is a number
(counted from 0), rows alone. Comments (#, %, //) may stand anywhere; the last above the rows is the
line of names where no other is and it has as many words. A first column without a name holds the
numbers of the rows, as pandas and R write them. What stands before the table, and lines of other
lengths below it, are passed over with a warning. `columns` maps m, n, processes_per_node, launch,
experiment, algorithm, a condition (memory, datatype, reduction, in_place, root) and one of time
(seconds), time_ms, time_us, time_ns to columns; a column that bears such a name needs no map, that
of a condition where it varies. Other columns of words, or of numbers of threads, nodes and the
like, that vary amid repetitions are warned of.
Between semicolons or tabs numbers may have a decimal comma; sizes are bytes, or like 64KiB. What is
the same in all rows comes from the options instead. `where` keeps the rows whose column is exactly
that text.

One value is what the time column holds. Rows of the same point are repetitions of one sample, in
file order. Launches may have any names (jobs, dates); they are
numbered from 0 in order of first appearance.

Restrictions: no line break within quotes. The file does not say whether a time is one repetition
or a mean, median or minimum of several: `statistic` of the options does.
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from contend.base.document import Column, Frame
from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.near_names import choose_from, operation_of
from contend.base.textfile import MOST_COLUMNS, csv_rows, read_text
from contend.base.units import parse_bytes
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._scanner import cleaned
from contend.samples.readers._scanner import decimals as decimals_of
from contend.samples.readers._table import decimals, wholes
from contend.samples.readers._text import AssumedWarning, SkippedWarning, sample_at
from contend.samples.sample import Sample

PER_SECOND = {"time": 1.0, "time_ms": 1e3, "time_us": 1e6, "time_ns": 1e9}
CONSTANTS = ("experiment", "algorithm", "n", "processes_per_node")  # may come from the options
CONDITIONS = ("memory", "datatype", "reduction", "in_place", "root")
LEAST = {"n": 2, "processes_per_node": 1, "m": 0}
POINT = ["experiment", "algorithm", "n", "processes_per_node", "m", "launch"]
SHOWN = 10  # values of a column that an error lists
BLANKS = " "  # any number of them between two words
_NAME = re.compile(r"(?=.*[A-Za-z_])[\w .:/%#()\[\]-]+")
_NUMBER = re.compile(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?")
# A unit of time at the end of a column's name: apart from the word before, or as in timeUs.
_UNIT = re.compile(
    r"(?:(?:^|[^A-Za-z])(?i:(micro|milli|nano|[num]|µ)?s(?:ec(?:ond)?s?)?)|(?<=[a-z])([NUM])s)"
    r"[^A-Za-z]*$"
)
_PER = re.compile(r"(?i:[ _]per[ _]|/).*$")  # of a call, an iteration
# What a column of numbers has to be called by to be a setting: any count may be of repetitions.
_SETTING = re.compile(
    r"(?i:thread|window|node|ppn|rank|proc|rail|nic|numa|channel|segment|depth|group|pair|root)"
)
# A unit of sizes other than the byte at the end of a column's name, as in m_KiB or "Size (MB)".
_UNIT_OF_SIZE = re.compile(r"(?:^|[^A-Za-z])([kKMG]i?[Bb](?:ytes?)?|[kKMG]?[Bb]its?)[^A-Za-z]*$")
_SIZE = re.compile(r"\d[\d.]*\s*[KMG]iB")
_UNITS_OF_TIME = {"time": "s", "time_ms": "ms", "time_us": "us", "time_ns": "ns"}
_COMMENT = re.compile(r"\s*(?:#|%|//)+\s*")
_COMMA = re.compile(r"^([+-]?\d+),(\d+(?:[eE][+-]?\d+)?)$")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:0,\d+|\d+,(?!\d{3}$)\d+)(?:[eE][+-]?\d+)?")
_DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LABEL = re.compile(r"\s*(?:\d+: ?|\[[^]\s]+\]<std\w+>: ?|\[\d+\] |> )")


@dataclass(frozen=True)
class Words:
    """The table of a text: its names, none where there are none, and the words of its rows."""

    names: Sequence[str]
    rows: Sequence[tuple[int, list[str]]]  # with the number of the line
    others: Sequence[int] = ()  # numbers of lines that are no rows

    @property
    def titles(self) -> Sequence[str]:
        return self.names or self.rows[0][1]


class CsvColumnsReader(Reader):
    name = "csv_columns"
    title = "CSV with a map from columns to m, time, n, ..."
    is_general = True

    def recognises(self, head: str) -> bool:
        """Whether names, or nothing, stand above as many values a line, of which some are numbers.

        Between blanks all of them are, so that no prose is a table; without names two are.
        """
        words = None if "\0" in head else _words_of(head)
        return words is not None and len(set(words.names)) == len(words.names)

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        words = _words(path)
        options = _with_names(options, words)
        _check_map(options, words, path)
        constants = {field: getattr(options, field) for field in CONSTANTS}
        chosen = _rows(path, words, options)
        options = _with_conditions(options, chosen)
        point = [field for field in (*POINT, *CONDITIONS) if field in options.columns]
        table = _measured(chosen, options.columns, path)
        _warn_of_mixed(chosen, options, table.groupby(point, sort=False).ngroup(), path)
        for values, rows in table.groupby(point, sort=False):
            fields = constants | dict(zip(point, values, strict=True))
            fields["experiment"] = operation_of(str(fields["experiment"]))
            conditions = {name: fields.pop(name) for name in CONDITIONS if fields.get(name)}
            yield sample_at(
                f"{path} line {rows.index[0]}",
                **{name: value for name, value in fields.items() if name not in CONDITIONS},
                conditions=conditions or None,
                times_s=rows["seconds"].tolist(),
                statistic=options.statistic or "repetition",
                provenance={"source": f"{self.name}: {path.name}"},
            )


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word.strip()) is not None


def _delimiter(line: str) -> str:
    """The one that the line has most of; blanks where it has none of them."""
    most = max(",;\t", key=line.count)
    return most if most in line else BLANKS


def _split(line: str, delimiter: str) -> list[str]:
    if delimiter == BLANKS:
        return line.split()
    row = next((row for _, row in csv_rows([line], delimiter=delimiter)), [])
    return [word.strip() for word in row]


def _lines(text: str) -> list[tuple[int, str]]:
    """Lines with their numbers, without blank ones, fences, and a label that all lines bear."""
    lines = [(number, cleaned(line)) for number, line in enumerate(text.split("\n"), start=1)]
    lines = [(number, line) for number, line in lines if line.strip() and not _FENCE.match(line)]
    labels = {match[0].strip() if (match := _LABEL.match(line)) else "" for _, line in lines}
    if len(labels) == 1 and labels != {""}:
        return [(number, _LABEL.sub("", line, count=1)) for number, line in lines]
    return lines


def _words_of(text: str) -> Words | None:
    """The first table of the text; None where it has none."""
    comment: str | None = None  # the last above
    plain = [(number, line) for number, line in _lines(text) if not _COMMENT.match(line)]
    comments = dict(line for line in _lines(text) if _COMMENT.match(line[1]))
    for index, (number, line) in enumerate(plain):
        above = max((other for other in comments if other < number), default=None)
        comment = None if above is None else _COMMENT.sub("", comments[above], count=1)
        delimiter = _delimiter(line)
        names = _names(line, [each for _, each in plain[index + 1 : index + 2]], delimiter)
        first = index + 1
        if names is None and comment is not None:
            names, first = _names(comment, [line], delimiter), index
        if names is None and index == 0 and _is_pair([each for _, each in plain[:2]], delimiter):
            names, first = [], 0
        if names is not None:
            return _table(names, plain[first:], delimiter, [other for other, _ in plain[:index]])
    return None


def _names(line: str, below: Sequence[str], delimiter: str) -> list[str] | None:
    """Names of the columns where the line has them and a row of as many values is below."""
    names = _split(line, delimiter)
    if not below or not _is_row(below[0], delimiter, least=1):
        return None
    if len(_split(below[0], delimiter)) == len(names) + 1 and delimiter != BLANKS:
        names = ["", *names]  # R names no column for the numbers of rows
    rest = names[1:] if names and not names[0] else names
    rest = rest[:-1] if rest and not rest[-1] else rest  # a comma at the end
    is_right = len(names) == len(_split(below[0], delimiter)) > 1 and all(
        map(_NAME.fullmatch, rest)
    )
    return names if is_right else None


def _is_row(line: str, delimiter: str, least: int) -> bool:
    """Whether at least so many of the values are numbers; between blanks all of them."""
    values = _split(line, delimiter)
    numbers = sum(map(_is_number, values))
    return numbers >= least and (delimiter != BLANKS or numbers == len(values)) and len(values) > 1


def _is_pair(lines: Sequence[str], delimiter: str) -> bool:
    """Whether there are two rows of as many values, of which two at least are numbers."""
    widths = {len(_split(line, delimiter)) for line in lines}
    return (
        len(lines) == 2
        and len(widths) == 1
        and all(_is_row(line, delimiter, least=2) for line in lines)
    )


def _table(
    names: Sequence[str], lines: Sequence[tuple[int, str]], delimiter: str, before: Sequence[int]
) -> Words:
    rows = [(number, _split(line, delimiter)) for number, line in lines]
    if delimiter in ";\t":
        rows = _with_points(rows)
    width = len(names) or len(rows[0][1])
    kept = [
        (number, words) for number, words in rows if len(words) == width and words != list(names)
    ]
    others = sorted({number for number, _ in rows} - {number for number, _ in kept})
    return Words(names, kept, [*before, *others])


def _with_points(rows: Sequence[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """The rows with a point for each decimal comma; as they are where it may be another comma."""
    words = [word for _, each in rows for word in each]
    if not any(map(_DECIMAL_COMMA.fullmatch, words)) or any(map(_DECIMAL_POINT.fullmatch, words)):
        return list(rows)
    return [(number, [_COMMA.sub(r"\1.\2", word) for word in each]) for number, each in rows]


def _words(path: Path) -> Words:
    """The table of the file, with a warning about lines that are no rows of it."""
    text = read_text(path)
    words = _words_of(text)
    if words is None:
        problem = "has no rows" if text.strip() else "is empty"
        raise FileFormatError(f"{path} {problem}", "name a file with rows below names")
    if len(words.titles) > MOST_COLUMNS:
        raise FileFormatError(
            f"{path} line {words.rows[0][0]} has {len(words.titles)} columns, where "
            f"{MOST_COLUMNS} are the most",
            "name a file with a row per measurement",
        )
    others, rows = list(words.others), list(words.rows)
    if not text.endswith("\n") and _is_torn(rows):
        others.append(rows.pop()[0])
    if others:
        shown = ", ".join(map(str, others[:SHOWN])) + (", ..." if len(others) > SHOWN else "")
        warnings.warn(
            f"{path}: {len(others)} lines are no rows of {len(words.titles)} columns (line "
            f"{shown}), so they were left out; restore them where they are measurements",
            SkippedWarning,
            stacklevel=2,
        )
    return replace(words, rows=rows)


def _is_torn(rows: Sequence[tuple[int, list[str]]]) -> bool:
    *others, last = [decimals_of(words[-1]) for _, words in rows]
    return len(set(others)) == 1 and None not in (*others, last) and last < others[0]  # type: ignore[operator]


def _with_names(options: ReadOptions, words: Words) -> ReadOptions:
    """Options in which a column that bears the name of a field stands for it, unless mapped."""
    fields, taken = {*POINT, *PER_SECOND}, set(options.columns.values())
    named = {
        name: name
        for name in words.names
        if name in fields and name not in taken and getattr(options, name, None) is None
    }
    if set(options.columns) & set(PER_SECOND):
        named = {name: column for name, column in named.items() if name not in PER_SECOND}
    return replace(options, columns={**named, **options.columns})


def _with_conditions(options: ReadOptions, rows: Frame) -> ReadOptions:
    """Options in which a column that bears the name of a condition, and varies, stands for it."""
    columns, titles = options.columns, list(rows.columns)
    named = {
        name: name
        for name in CONDITIONS
        if titles.count(name) == 1
        and name not in {*columns, *columns.values()}
        and rows[name].nunique() > 1
    }
    return replace(options, columns={**columns, **named})


def _warn_of_mixed(rows: Frame, options: ReadOptions, points: Column, path: Path) -> None:
    used = {*options.columns.values()}
    for name in [name for name in dict.fromkeys(rows.columns) if name and name not in used]:
        words = rows[name]
        if words.ndim > 1:
            continue
        are_numbers = all(word.isdecimal() for word in words.unique())
        if not (are_numbers and _SETTING.search(name)) and any(
            re.search(r"\d", word) for word in words.unique()
        ):
            continue  # the numbers of rows, hosts, dates
        if (words.groupby(points).nunique() > 1).any():
            warnings.warn(
                f"{path}: rows that differ in {name} ({', '.join(words.unique()[:SHOWN])}) were "
                f"taken for repetitions of one setting; choose with --where {name}=..., or --map "
                "what it is to it",
                AssumedWarning,
                stacklevel=3,
            )


def _unit_of(column: str) -> str:
    """Return the field of a time in the unit that a column's name ends with; empty for no unit.

    >>> _unit_of("lat_usec"), _unit_of("Latency [ms]"), _unit_of("timeNs"), _unit_of("bus")
    ('time_us', 'time_ms', 'time_ns', '')
    >>> _unit_of("microseconds per call"), _unit_of("time_s")
    ('time_us', 'time')
    """
    match = _UNIT.search(_PER.sub("", column))
    if match is None:
        return ""
    prefix = (match[1] or match[2] or "").lower()
    return f"time_{'u' if prefix in ('micro', 'µ') else prefix[0]}s" if prefix else "time"


def _check_map(options: ReadOptions, words: Words, path: Path) -> None:
    """Raise an error that says what to map where a field is unknown, missing or given twice."""
    columns = options.columns
    fields = {*POINT, *CONDITIONS, *PER_SECOND}
    if unknown := sorted(set(columns) - fields):
        turned = [f"{columns[name]}={name}" for name in unknown if columns[name] in fields]
        raise InvalidInputError(
            f"--map {unknown[0]}={columns[unknown[0]]}: {unknown[0]!r} is no name of contend",
            "write contend's name first, then the column of the file: "
            + (" ".join(f"--map {pair}" for pair in turned) or "--map m=bytes")
            + f"; names are {', '.join(sorted(fields))}",
        )
    for field in PER_SECOND.keys() & columns:
        if (unit := _unit_of(columns[field])) not in ("", field):
            raise InvalidInputError(
                f"by its name column {columns[field]!r} is no {field} in "
                f"{_UNITS_OF_TIME[field]}, as --map {field}={columns[field]} says",
                f"map it as --map {unit}={columns[field]}, or rename the column",
            )
    if match := _UNIT_OF_SIZE.search(columns.get("m", "")):
        raise InvalidInputError(
            f"by its name column {columns['m']!r} is no m in bytes, but in {match[1]}",
            "map a column of bytes, or write sizes like 64KiB and leave the unit out of the name",
        )
    wanted = [] if "m" in columns else ["--map m=COLUMN"]
    if len(fields.intersection(PER_SECOND, columns)) != 1:
        wanted.append(f"one of {', '.join(f'--map {field}=COLUMN' for field in PER_SECOND)}")
    for field in ("n", "experiment", "algorithm"):
        if field not in columns and getattr(options, field) is None:
            given = "-n" if field == "n" else f"--as {field}="
            wanted.append(f"{given} or --map {field}=COLUMN")
    if wanted:
        names = ", ".join(name for name in words.titles if name)
        if not words.names:
            names = (
                f"no names, but 0 to {len(words.titles) - 1} as their numbers; first row {names}"
            )
        raise InvalidInputError(
            f"{path} does not say which of its columns are which: {names}",
            f"give {'; '.join(wanted)}",
        )
    _refuse_twice(options)


def _refuse_twice(options: ReadOptions) -> None:
    for field in CONSTANTS:
        if field in options.columns and getattr(options, field) is not None:
            raise InvalidInputError(
                f"{field} is both a column and the option {getattr(options, field)}",
                "leave one out",
            )


def _rows(path: Path, words: Words, options: ReadOptions) -> Frame:
    import pandas as pd

    names = [*options.columns.values(), *options.where]
    titles = list(words.names)
    if all(name.isdigit() for name in names):
        titles = [str(index) for index in range(len(words.titles))]
    for name in names:
        if titles.count(name) != 1:
            count = titles.count(name)
            raise InvalidInputError(
                f"{path} has {count} columns {name!r}"
                if count
                else f"{path} has no column {name!r}",
                choose_from(name, filter(None, titles)),
            )
    numbers = [number for number, _ in words.rows]
    table = pd.DataFrame([row for _, row in words.rows], index=numbers, columns=titles, dtype=str)
    return _select(table, options.where, path)


def _select(words: Frame, where: Mapping[str, str], path: Path) -> Frame:
    for name, text in where.items():
        kept = words[words[name] == text]
        if kept.empty:
            raise InvalidInputError(
                f"{path} has no row with {name} {text!r} (and what else is asked for)",
                f"the column holds {', '.join(words[name].unique()[:SHOWN])}, ...",
            )
        words = kept
    if words.empty:
        raise FileFormatError(f"{path} has no rows", "name a file with measurements")
    return words


def _in_bytes(word: str) -> str:
    """Return a size such as 64KiB in bytes; any other word as it is."""
    return str(parse_bytes(word)) if _SIZE.fullmatch(word) else word


def _measured(words: Frame, columns: Mapping[str, str], path: Path) -> Frame:
    """Table with a column per mapped field, the time as `seconds`; its index is the line."""
    import pandas as pd

    table: Frame = pd.DataFrame(index=words.index)
    for field, column in columns.items():
        if field in LEAST:
            cells = words[column].map(_in_bytes) if field == "m" else words[column]
            also = ", or a size like 64KiB" if field == "m" else ""
            table[field] = wholes(cells, path, column, LEAST[field], also)
        elif field in PER_SECOND:
            table["seconds"] = decimals(words[column], path, column) / PER_SECOND[field]
        else:
            table[field] = pd.factorize(words[column])[0] if field == "launch" else words[column]
    return table
