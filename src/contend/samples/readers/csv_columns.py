"""A CSV file, plain or gzipped, whose columns the user maps to fields of a sample.

Source: RFC 4180, with comma, semicolon, tab or blanks as delimiter.

Layout: a header line and a row per measurement, or, where every mapped column is a number
(counted from 0), rows alone; a mark # before the names counts for nothing. `columns` maps m, n,
processes_per_node, launch, experiment, algorithm and one of time (seconds), time_ms, time_us,
time_ns to columns; a column that bears such a name needs no map. What is the same in all rows comes
from the options instead. `where` keeps the rows whose column is exactly that text.

One value is what the time column holds. Rows of the same point are repetitions of one sample, in
file order. Launches may have any names (jobs, dates); they are
numbered from 0 in order of first appearance.

Restrictions: no line break within quotes. The file does not say whether a time is one repetition
or a mean, median or minimum of several: `statistic` of the options does.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from contend.errors import FileFormatError, InvalidInputError
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._table import decimals, wholes
from contend.samples.readers._text import sample_at
from contend.samples.sample import Sample
from contend.textfile import csv_rows, read_text, read_words, words_of

if TYPE_CHECKING:
    import pandas as pd

PER_SECOND = {"time": 1.0, "time_ms": 1e3, "time_us": 1e6, "time_ns": 1e9}
CONSTANTS = ("experiment", "algorithm", "n", "processes_per_node")  # may come from the options
LEAST = {"n": 2, "processes_per_node": 1, "m": 0}
POINT = ["experiment", "algorithm", "n", "processes_per_node", "m", "launch"]
SHOWN = 10  # values of a column that an error lists
BLANKS = " "  # any number of them between two words
_NAME = re.compile(r"(?=.*[A-Za-z_])[\w .:/%#()\[\]-]+")
_NUMBER = re.compile(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?")


class CsvColumnsReader(Reader):
    """Reader of CSV files with a column map."""

    name = "csv_columns"
    title = "CSV with a map from columns to m, time, n, ..."
    is_general = True

    def recognises(self, head: str) -> bool:
        """Whether names, or nothing, stand above as many values a line, of which some are numbers.

        Between blanks all of them are, so that no prose is a table; without names two are.
        """
        first, *lines = head.splitlines() or [""]
        lines = [line for line in lines if line.strip()]
        if not lines or "\0" in head or any(line.startswith("#") for line in lines):
            return False
        delimiter = _delimiter(first)
        names, values = (_words(line, delimiter) for line in (first, lines[0]))
        if not 1 < len(names) == len(values):
            return False
        numbers, above = (sum(map(_is_number, words)) for words in (values, names))
        if delimiter == BLANKS and numbers < len(values):
            return False
        if above and not first.startswith("#"):
            return min(above, numbers) > 1
        return numbers > 0 and len(set(names)) == len(names) and all(map(_NAME.fullmatch, names))

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        """Samples of the rows that `options.where` keeps, in order of first appearance."""
        options = _with_names(options, path)
        _check_map(options, path)
        constants = {field: getattr(options, field) for field in CONSTANTS}
        point = [field for field in POINT if field in options.columns]
        table = _measured(_rows(path, options), options.columns, path)
        for values, rows in table.groupby(point, sort=False):
            yield sample_at(
                f"{path} line {rows.index[0]}",
                **constants | dict(zip(point, values, strict=True)),
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


def _words(line: str, delimiter: str) -> list[str]:
    """Words of a line, without the mark of a comment before the first."""
    if line.startswith("#"):
        line = line.lstrip("#").lstrip()
    if delimiter == BLANKS:
        return line.split()
    return next((row for _, row in csv_rows([line], delimiter=delimiter)), [])


def _table(path: Path) -> "pd.DataFrame":
    """Words of all lines, by line number."""
    first = _first_line(path)
    delimiter = _delimiter(first)
    if delimiter != BLANKS and not first.startswith("#"):
        return read_words(path, delimiter)
    lines = read_text(path).split("\n")
    lines[0] = delimiter.join(_words(lines[0], delimiter))
    if delimiter == BLANKS:
        lines = ["\t".join(line.split()) for line in lines]
    try:
        return words_of("\n".join(lines), "\t" if delimiter == BLANKS else delimiter)
    except FileFormatError as error:
        raise FileFormatError(f"{path} {error.message}", error.remedy) from None


def _first_line(path: Path) -> str:
    return read_text(path, 4000, errors="replace").partition("\n")[0]


def _with_names(options: ReadOptions, path: Path) -> ReadOptions:
    """Options in which a column that bears the name of a field stands for it, unless mapped."""
    there = _first_line(path)
    fields, taken = {*POINT, *PER_SECOND}, set(options.columns.values())
    named = {
        name: name
        for name in (word.strip() for word in _words(there, _delimiter(there)))
        if name in fields and name not in taken and getattr(options, name, None) is None
    }
    if set(options.columns) & set(PER_SECOND):
        named = {name: column for name, column in named.items() if name not in PER_SECOND}
    return replace(options, columns={**named, **options.columns})


def _check_map(options: ReadOptions, path: Path) -> None:
    """Raise an error that says what to map where a field is unknown, missing or given twice."""
    columns = options.columns
    fields = {*POINT, *PER_SECOND}
    if unknown := sorted(set(columns) - fields):
        raise InvalidInputError(
            f"a sample has no field {', '.join(unknown)}", f"map one of {', '.join(sorted(fields))}"
        )
    wanted = [] if "m" in columns else ["--map m=COLUMN"]
    if len(fields.intersection(PER_SECOND, columns)) != 1:
        wanted.append(f"one of {', '.join(f'--map {field}=COLUMN' for field in PER_SECOND)}")
    for field in ("n", "experiment", "algorithm"):
        if field not in columns and getattr(options, field) is None:
            wanted.append(f"--{field} or --map {field}=COLUMN")
    if wanted:
        there = _first_line(path)
        words = _words(there, _delimiter(there))
        names = ", ".join(words)
        if any(map(_is_number, words)):
            names = f"no names, but 0 to {len(words) - 1} as their numbers; first row {names}"
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


def _rows(path: Path, options: ReadOptions) -> "pd.DataFrame":
    """Words of the rows to read, columns by their names."""
    names = [*options.columns.values(), *options.where]
    words = _table(path)
    if all(name.isdigit() for name in names):
        words.columns = words.columns.astype(str)
    else:
        words.columns = words.iloc[0].str.strip()
        words = words.iloc[1:]
    there = list(words.columns)
    for name in names:
        if there.count(name) != 1:
            raise InvalidInputError(
                f"{path} has {there.count(name)} columns {name!r}",
                f"choose from {', '.join(there)}",
            )
    return _select(words, options.where, path)


def _select(words: "pd.DataFrame", where: Mapping[str, str], path: Path) -> "pd.DataFrame":
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


def _measured(words: "pd.DataFrame", columns: Mapping[str, str], path: Path) -> "pd.DataFrame":
    """Table with a column per mapped field, the time as `seconds`; its index is the line."""
    import pandas as pd

    table: pd.DataFrame = pd.DataFrame(index=words.index)
    for field, column in columns.items():
        if field in LEAST:
            table[field] = wholes(words[column], path, column, LEAST[field])
        elif field in PER_SECOND:
            table["seconds"] = decimals(words[column], path, column) / PER_SECOND[field]
        else:
            table[field] = pd.factorize(words[column])[0] if field == "launch" else words[column]
    return table
