"""Columns of a table of words, whose index is the line number, as numbers."""

from pathlib import Path

import numpy as np

from contend.base.document import Column, Floats
from contend.base.errors import FileFormatError


def decimals(words: Column, path: Path, name: str) -> Floats:
    """Finite numbers of 0 or more, shape (n_rows,); an error names the first line without one."""
    import pandas as pd

    values = np.asarray(pd.to_numeric(words, errors="coerce"), dtype=np.float64)
    _check(np.isfinite(values) & (values >= 0), words, path, name, "a number of 0 or more")
    return values


def wholes(words: Column, path: Path, name: str, least: int = 0, also: str = "") -> list[int]:
    """Whole numbers of at least `least`; an error names the first line without one.

    `also` says what else the file may hold, which was turned into numbers before.
    """
    import pandas as pd

    values = np.asarray(pd.to_numeric(words, errors="coerce"), dtype=np.float64)
    is_whole = np.isfinite(values) & (values >= least) & (values == np.floor(values))
    _check(is_whole, words, path, name, f"a whole number of {least} or more{also}")
    return [int(value) for value in values]


def _check(
    is_good: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]",
    words: Column,
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
