"""Delimited text as a table of words whose index is the line number; columns of it as numbers.

Every word is kept as it stands in the file: nothing is guessed to be missing, a date or a number.
A line break within quotes is not supported: line numbers after it would be wrong.
"""

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from contend.document import Floats
from contend.errors import FileFormatError
from contend.samples.reader import read_text
from contend.textfile import require_few_columns

if TYPE_CHECKING:
    import pandas as pd

_TOO_MANY = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")


def read_words(path: Path, delimiter: str = ",") -> "pd.DataFrame":
    """Words of the file, columns 0, 1, ..., without blank lines; missing words are empty."""
    import pandas as pd

    try:
        text = require_few_columns(read_text(path), delimiter)
    except FileFormatError as error:
        raise FileFormatError(f"{path} {error.message}", error.remedy) from None
    try:
        words = pd.read_csv(
            io.StringIO(text),
            sep=delimiter,
            header=None,
            dtype=str,
            keep_default_na=False,
            skip_blank_lines=False,
            skipinitialspace=True,
        )
    except pd.errors.EmptyDataError:
        raise FileFormatError(f"{path} is empty", "name a file with rows") from None
    except pd.errors.ParserError as error:
        raise _parser_error(path, str(error)) from None
    words.index = pd.RangeIndex(1, len(words) + 1)
    filled: pd.DataFrame = words[(words != "").any(axis=1)]
    return filled


def _parser_error(path: Path, text: str) -> FileFormatError:
    remedy = "restore the line or remove it"
    if (match := _TOO_MANY.search(text)) is None:
        return FileFormatError(f"{path}: {text.strip()}", remedy)
    expected, line, seen = match.groups()
    return FileFormatError(f"{path} line {line}: {seen} fields where {expected} are due", remedy)


def decimals(words: "pd.Series[str]", path: Path, name: str) -> Floats:
    """Finite numbers of 0 or more, shape (n_rows,); an error names the first line without one."""
    import pandas as pd

    values = np.asarray(pd.to_numeric(words, errors="coerce"), dtype=np.float64)
    _check(np.isfinite(values) & (values >= 0), words, path, name, "a number of 0 or more")
    return values


def wholes(words: "pd.Series[str]", path: Path, name: str, least: int = 0) -> list[int]:
    """Whole numbers of at least `least`; an error names the first line without one."""
    import pandas as pd

    values = np.asarray(pd.to_numeric(words, errors="coerce"), dtype=np.float64)
    is_whole = np.isfinite(values) & (values >= least) & (values == np.floor(values))
    _check(is_whole, words, path, name, f"a whole number of {least} or more")
    return [int(value) for value in values]


def _check(
    is_good: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]",
    words: "pd.Series[str]",
    path: Path,
    name: str,
    rule: str,
) -> None:
    if is_good.all():
        return
    first = int(np.argmin(is_good))
    raise FileFormatError(
        f"{path} line {words.index[first]}: {name} is {words.iloc[first]!r}, not {rule}",
        "restore the line or remove it",
    )
