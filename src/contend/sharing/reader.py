"""What a reader of contention graphs is: a file in, a table of flows out."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

import pandas as pd

from contend.errors import ContendError, FileFormatError
from contend.registry import Registry
from contend.sharing.columns import checked


class FlowReader(ABC):
    """Base of the readers; a module in `sharing/readers` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]  # in lower case, with the dot

    @abstractmethod
    def read(self, text: str) -> pd.DataFrame:
        """Columns as they stand in the text; `checked` turns them into hosts and numbers."""


READERS: Registry[FlowReader] = Registry(
    "format of contention graphs", FlowReader, "contend.sharing.readers"
)


def read_flows(path: str | Path, format: str | None = None) -> pd.DataFrame:
    """Columns src, dst (names), bytes, and where the file has them start, latency, route, requires.

    Parameters
    ----------
    format
        Name of a reader; without it the suffix of the file decides.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, lacks a column, or has a value that is none.
    """
    path = Path(path)
    reader = READERS.get(format) if format else _by_suffix(path)
    text = read_text(path)
    if not text.strip():
        raise FileFormatError(f"{path} is empty", "name a file with a message per line or edge")
    try:
        return checked(reader.read(text))
    except ContendError as error:
        raise FileFormatError(f"{path}: {error.message}", error.remedy) from None


def read_text(path: Path) -> str:
    """Text of a file of any of these formats; FileFormatError where there is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        raise FileFormatError(f"there is no file {path}", "name a file that exists") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is no text", "write it as text in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileFormatError(f"cannot read {path}: {reason}", "name a readable file") from None
    if "\0" in text:
        raise FileFormatError(f"{path} is no text", "write it as text in UTF-8")
    return text


def _by_suffix(path: Path) -> FlowReader:
    for reader in READERS.all():
        if path.suffix.lower() in reader.suffixes:
            return reader
    known = ", ".join(suffix for reader in READERS.all() for suffix in reader.suffixes)
    raise FileFormatError(
        f"the name {path.name} does not say what format it has",
        f"name it with one of {known}, or give the format: {', '.join(READERS.names())}",
    )
