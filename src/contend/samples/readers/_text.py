"""Text of foreign files: numbered lines, the user's word beside the file's, checked samples.

What a printed size means, by benchmark, version and operation, is in docs/samples.md.
It reads no format; it is what the readers beside it share.
"""

import math
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from contend.base.document import from_object
from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.textfile import read_text
from contend.samples.reader import ReadOptions
from contend.samples.sample import Sample

T = TypeVar("T")
_OPTIONS = {"n": "-n", "processes_per_node": "--ppn"}  # of facts that --as does not give
BYTES = {  # of an element, by the name of its MPI datatype
    "MPI_BYTE": 1, "MPI_CHAR": 1, "MPI_SIGNED_CHAR": 1, "MPI_SHORT": 2, "MPI_FLOAT16": 2,
    "MPI_INT": 4, "MPI_FLOAT": 4, "MPI_LONG": 8, "MPI_DOUBLE": 8,
}  # fmt: skip


class SkippedWarning(UserWarning):
    """A part of a foreign file that contend has no use for was left out."""


class AssumedWarning(UserWarning):
    """A foreign file does not say something, and what is usual was taken for it."""


@dataclass(frozen=True)
class Line:
    """One line of a file, which errors about it name."""

    path: Path
    number: int
    text: str

    @property
    def where(self) -> str:
        return f"{self.path} line {self.number}"

    def error(self, problem: str, remedy: str = "restore the line or remove it") -> FileFormatError:
        return FileFormatError(f"{self.where}: {problem}", remedy)

    def skip(self, problem: str, hint: str) -> None:
        warnings.warn(
            f"{self.where}: {problem}, so it was left out; {hint}", SkippedWarning, stacklevel=3
        )

    def whole(self, word: str, name: str) -> int:
        if re.fullmatch(r"[0-9]{1,18}", word) is None:
            raise self.error(f"{name} is {word!r}, not a whole number of 0 or more")
        return int(word)

    def decimal(self, word: str, name: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.error(f"{name} is {word!r}, not a number")
        return value

    def duration(self, word: str, name: str) -> float:
        """The number that `word` is, in the unit it is in, 0 or more."""
        value = self.decimal(word, name)
        if value < 0:
            raise self.error(f"{name} is {word}, which no duration can be")
        return value

    def date(self, text: str, whose: str) -> str:
        """The date that C's `asctime` has written, without a time zone, as ISO 8601 has it."""
        try:
            return datetime.strptime(text, "%a %b %d %H:%M:%S %Y").isoformat()
        except ValueError:
            remedy = "write it like Thu Mar 24 04:29:15 2022"
            raise self.error(f"{whose} has the date {text!r}", remedy) from None


def numbered_lines(path: Path) -> Iterator[Line]:
    for number, text in enumerate(read_text(path, errors="replace").split("\n"), start=1):
        yield Line(path, number, text)


def agree(held: T | None, given: T | None, name: str, where: str) -> T:
    """What the file says, or else the user; an error where neither or both differently do."""
    option = _OPTIONS.get(name, f"--as {name}=")
    if held is None:
        if given is None:
            raise InvalidInputError(f"{where} does not say {name}", f"add it with {option}")
        return given
    if given not in (None, held):
        raise InvalidInputError(
            f"{where} says {name} {held}, {option} says {given}", f"leave {option} out"
        )
    return held


def agreed(
    where: str, options: ReadOptions, experiment: str, algorithm: str, n: int, ppn: int | None
) -> dict[str, Any]:
    """Fields of a sample that a file says and the user may repeat, an error for others."""
    fields = {"experiment": experiment, "algorithm": algorithm, "n": n, "processes_per_node": ppn}
    return {
        name: None if value is None else agree(value, getattr(options, name), name, where)
        for name, value in fields.items()
    }


def warn_of(problems: Iterable[ContendError], stacklevel: int) -> None:
    """Warn of each thing that was left out, once."""
    for problem in {str(problem): problem for problem in problems}.values():
        warnings.warn(
            f"{problem.message}, so it was left out; {problem.remedy}",
            SkippedWarning,
            stacklevel=stacklevel + 1,
        )


def sample_at(where: str, **fields: Any) -> Sample:
    head = {"schema": Sample.schema_name, "version": Sample.schema_version}
    return from_object(Sample, head | fields, where)


def block(row: Line, size: int, n: int, element: int = 1) -> int:
    """The n-th part of `size` bytes; an error where blocks of whole elements would differ."""
    if size % (n * element):
        raise row.error(f"{size} bytes have no {n} equal blocks", "larger sizes have")
    return size // n
