"""What a reader of foreign measurements is: text of another benchmark in, samples out."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from contend.base.errors import FileFormatError
from contend.base.registry import Registry
from contend.base.textfile import read_text
from contend.samples.sample import Sample, Statistic


@dataclass(frozen=True)
class ReadOptions:
    """What the user adds to what the file says; None where the file says it itself.

    `columns` maps a field of a sample to a column of the file, `where` a column to the value
    that a row must have to be read.
    """

    experiment: str | None = None
    algorithm: str | None = None
    n: int | None = None
    processes_per_node: int | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)
    statistic: Statistic | None = None


class Reader(ABC):
    """Base of the readers; a module in `samples/readers` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]
    is_general: ClassVar[bool] = False  # reads what another reader may know better
    says_all: ClassVar[bool] = False  # no option is needed: such a file is fitted as it is
    is_of_logs: ClassVar[bool] = False  # its tables may stand amid other text, and anywhere

    @abstractmethod
    def recognises(self, head: str) -> bool:
        """Whether the first 4000 characters of a file, all of a log, look like this format."""

    @abstractmethod
    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        """Samples of the file; FileFormatError names the line that is wrong."""

    def together(self, others: "Sequence[Reader]") -> "Reader":
        """A reader of what this one and others recognise in the same file."""
        return self


READERS: Registry[Reader] = Registry("sample reader", Reader, "contend.samples.readers")


def recognise(path: Path) -> Reader:
    """The one reader that recognises the file."""
    head = read_text(path, 4000, errors="replace")
    if not head.strip():
        raise FileFormatError(f"{path} is empty", "name what a benchmark printed")
    named = [
        reader for reader in READERS.all() if not reader.is_of_logs and reader.recognises(head)
    ]
    fitting = [reader for reader in named if not reader.is_general] or _of_log(path) or named
    if len(fitting) == 1 or (fitting and fitting[0].is_of_logs):
        return fitting[0].together(fitting[1:])
    names = ", ".join(reader.name for reader in fitting) or "no reader"
    raise FileFormatError(
        f"{names} recognises {path}", f"name one with --as reader=: {', '.join(READERS.names())}"
    )


def _of_log(path: Path) -> list[Reader]:
    """Readers of which a table may be anywhere in the file."""
    text = read_text(path, errors="replace")
    return [reader for reader in READERS.all() if reader.is_of_logs and reader.recognises(text)]
