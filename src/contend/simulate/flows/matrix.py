"""Square matrices of bytes: row i, column j is what host i sends to host j.

Idea: a matrix has as many rows as columns of numbers, and may name its columns, its rows or both.
An edge list has 3 to 5 columns, so that one with as many rows looks like a matrix of that size.
Zeros on the diagonal tell a matrix, hosts that are numbered from 0 or 1 without a gap an edge list;
a warning names what is read in either way.
"""

import math
import re
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.base.errors import ContendError, FileFormatError
from contend.base.units import parse_bytes
from contend.simulate.flows.columns import ALIASES, COLUMNS

_SEPARATOR = re.compile(r"[,;\s]+")
_EDGE_WORDS = range(3, 6)  # source, destination, bytes, perhaps start and latency
_KEPT_WORDS = {*COLUMNS, *ALIASES}


class AmbiguousFlowsWarning(UserWarning):
    """A file that is an edge list or a matrix, and as what it was read."""


@dataclass(frozen=True, eq=False)
class SquareMatrix:
    """Bytes from each host to each, (n, n), and names of the hosts, of columns and rows if any."""

    bytes: np.ndarray
    columns: list[str]
    rows: list[str]

    @property
    def names(self) -> list[str]:
        return self.columns or self.rows or [str(host) for host in range(len(self.bytes))]

    @property
    def has_zero_diagonal(self) -> bool:
        return not self.bytes.diagonal().any()

    def table(self) -> pd.DataFrame:
        """A row for each pair of hosts with bytes between; warns of a diagonal that is left out."""
        if not self.has_zero_diagonal:
            warnings.warn(
                "the diagonal of the matrix, what hosts send to themselves, is left out: it shares "
                "no network",
                AmbiguousFlowsWarning,
                stacklevel=2,
            )
        names = np.array(self.names, dtype=object)
        src, dst = np.nonzero(self.bytes * ~np.eye(len(self.bytes), dtype=bool))
        return pd.DataFrame({"src": names[src], "dst": names[dst], "bytes": self.bytes[src, dst]})


def square_matrix(text: str) -> SquareMatrix | None:
    """The matrix of a text; None where it is none.

    >>> square_matrix("0 1000, 2000 0".replace(",", chr(10))).bytes.tolist()
    [[0.0, 1000.0], [2000.0, 0.0]]
    """
    bare = (line.partition("#")[0] for line in text.splitlines())
    rows = [_words(line) for line in bare if line.strip()]
    if len(rows) < 2:
        return None
    has_names = any(_amount(word) is None for word in rows[0][1:])
    has_head = has_names or not rows[0][0] or len(rows[0]) == len(rows[1]) - 1
    head = rows.pop(0) if has_head else []
    count = len(rows)
    labels = [row[0] for row in rows] if all(len(row) == count + 1 for row in rows) else []
    cells = [row[1:] if labels else row for row in rows]
    if count < 2 or any(len(row) != count for row in cells):
        return None
    columns = head[1:] if len(head) == count + 1 else head
    if head and (len(columns) != count or _KEPT_WORDS & {name.lower() for name in head}):
        return None
    values = [_amount(word) for row in cells for word in row]
    named = [names for names in (columns, labels) if names]
    if None in values or any(len(set(names)) < count or "" in names for names in named):
        return None
    if labels and (columns != labels if columns else not _may_be_names(labels)):
        return None
    return SquareMatrix(np.array(values, dtype=float).reshape(count, count), columns, labels)


def _may_be_names(labels: list[str]) -> bool:
    """Whether words before rows are names: words, or numbers in order from 0 or 1."""
    numbers = [_amount(label) for label in labels]
    return None in numbers or numbers in (
        list(range(len(labels))), list(range(1, len(labels) + 1))
    )  # fmt: skip


def _words(line: str) -> list[str]:
    is_cut = "," in line or ";" in line
    bare = line.strip(" \r\n" if is_cut else None)
    words = [word.strip().strip('"') for word in re.split(r"[,;]", bare)]
    if is_cut and not any(len(word.split()) > 1 for word in words):
        return words[:-1] if len(words) > 1 and not words[-1] else words
    return [word.strip('"') for word in _SEPARATOR.split(line.strip())]


def _amount(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        try:
            number = float(parse_bytes(word))
        except ContendError:
            return None
    return number if math.isfinite(number) and number >= 0 else None


def is_matrix(text: str, *, may_be_edges: bool) -> bool:
    """Whether a text is a matrix; warns where it is an edge list as well, if that may be."""
    matrix = square_matrix(text)
    if matrix is None:
        return False
    count = len(matrix.bytes)
    words = count + bool(matrix.rows)
    is_certain = bool(matrix.columns) or words not in _EDGE_WORDS
    if not may_be_edges or is_certain:
        return True
    is_taken = matrix.has_zero_diagonal
    if is_taken or not _are_numbered(matrix):
        _warn(count, words, is_taken)
    return is_taken


def _are_numbered(matrix: SquareMatrix) -> bool:
    """Whether the first two columns are hosts from 0 or 1 without a gap, in no flow both the same.

    Where rows have names, these are the sources of edges.
    """
    given = [_amount(name) for name in matrix.rows] or matrix.bytes[:, 0].tolist()
    dst = matrix.bytes[:, 0 if matrix.rows else 1]
    if None in given:
        return False
    src = np.array(given, dtype=float)
    hosts = np.unique(np.concatenate([src, dst]))
    is_gapless = hosts[0] in (0, 1) and bool((np.diff(hosts) == 1).all())
    return is_gapless and bool((src != dst).all())


def _warn(count: int, words: int, is_matrix: bool) -> None:
    edges, matrix = f"an edge list of {count} messages", f"a matrix of bytes between {count} hosts"
    read, other = (matrix, edges) if is_matrix else (edges, matrix)
    warnings.warn(
        f"{count} lines of {words} words are read as {read}; they may be {other}: say which by "
        "--format matrix or --format edgelist",
        AmbiguousFlowsWarning,
        stacklevel=2,
    )


def matrix_table(text: str) -> pd.DataFrame:
    matrix = square_matrix(text)
    if matrix is None:
        raise FileFormatError(
            "is no square matrix of bytes",
            "write a line per host with its bytes to each, or give --format edgelist",
        )
    return matrix.table()
