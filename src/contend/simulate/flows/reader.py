"""What a reader of contention graphs is: a file in, a table of flows out."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

import pandas as pd

from contend.base.errors import ContendError, FileFormatError
from contend.base.registry import Registry
from contend.base.textfile import read_text
from contend.simulate.flows.columns import checked
from contend.simulate.flows.matrix import is_matrix


class FlowReader(ABC):
    """Base of the readers; a module in `flows/readers` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]  # in lower case, with the dot
    may_be_matrix: ClassVar[bool] = False  # whether files of these names may be one
    has_head: ClassVar[bool] = False  # whether a line of names tells what is no matrix

    @abstractmethod
    def read(self, text: str) -> pd.DataFrame:
        """Columns as they stand in the text; `checked` turns them into hosts and numbers."""


READERS: Registry[FlowReader] = Registry(
    "format of contention graphs",
    FlowReader,
    "contend.simulate.flows.readers",
    group="contend.flows.readers",
)


def read_flows(path: str | Path, format: str | None = None) -> pd.DataFrame:
    """Columns src, dst (names), bytes, and where the file has them start, latency, route, requires.

    Parameters
    ----------
    format
        Name of a reader; without it the suffix of the file decides, and for tables of words whether
        they are a square matrix.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, lacks a column, or has a value that is none.
    """
    path = Path(path)
    reader = READERS.get(format) if format else _by_suffix(path)
    text = read_text(path)
    if not format and reader.may_be_matrix and is_matrix(text, may_be_edges=not reader.has_head):
        reader = READERS.get("matrix")
    if not text.strip():
        raise FileFormatError(f"{path} is empty", "name a file with a message per line or edge")
    try:
        return checked(reader.read(text))
    except ContendError as error:
        raise FileFormatError(f"{path}: {error.message}", error.remedy) from None


def _by_suffix(path: Path) -> FlowReader:
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    for reader in READERS.all():
        if suffix in reader.suffixes:
            return reader
    suffixes = ", ".join(suffix for reader in READERS.all() for suffix in reader.suffixes)
    raise FileFormatError(
        f"the name {path.name} does not say what format it has",
        f"name it with one of {suffixes}, or give the format: {', '.join(READERS.names())}; a GOAL "
        "schedule is replayed: contend replay",
    )
