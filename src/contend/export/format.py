"""What a format of other tools is: samples or a network in, a text out."""

import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from contend.base.errors import InvalidInputError
from contend.base.registry import Registry
from contend.base.result import Line, Part, Result
from contend.base.textfile import read_text
from contend.base.wholefile import is_special, make_folder, write_whole
from contend.models.network import Network
from contend.samples import Sample, read_samples


@dataclass(frozen=True)
class Wanted:
    """What the user asks for; a format takes those that it names, and refuses the others.

    `m` are bytes; `by` is what a row stands for; `topology` a word or file, `hosts` how many there
    are.
    """

    operation: str | None = None
    algorithm: str | None = None
    processes_per_node: int | None = None
    m: tuple[int, ...] | None = None
    by: str | None = None
    topology: str | None = None
    hosts: int | None = None


@dataclass(frozen=True)
class Written:
    """A file: its text, what is approximated or left out, and how it is used.

    `beside` holds further files that belong to it: what their names have behind its own, and texts.
    `usage` are lines with FILE in the place of its name. `figures` are what a program asks for.
    """

    text: str
    notes: tuple[str, ...] = ()
    usage: tuple[str, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)

    def result(self, format: str, path: str | Path | None = None) -> Result:
        """Return the text, or where it is in a file how that is used."""
        names = ("text", "beside", "notes", "figures")
        data = {"format": format, **{name: getattr(self, name) for name in names}}
        parts: list[Part] = [] if path else [Line(self.text, end="")]
        parts += [f"note: {note}" for note in self.notes]
        name = shlex.quote(str(path))
        parts += [f"next: {line.replace('FILE', name)}" for line in self.usage if path]
        return Result(data, parts)


BY = ("repetition", "point")  # what a row of samples is, the first by default
OPTION_OF = {"processes_per_node": "--ppn", "m": "-m"}


class Format(ABC):
    """Base of the formats; a module in `export/formats` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]
    takes: ClassVar[frozenset[str]] = frozenset()  # fields of `Wanted`
    example: ClassVar[str]  # file and options of a command line

    @abstractmethod
    def write(self, path: Path, wanted: Wanted) -> Written:
        """What a file of samples, or a network file, is in this format.

        Raises
        ------
        InvalidInputError
            For what the file does not hold, or the format cannot say.
        """

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Whether a text may be a file of this format, which a new one may replace."""

    def require(self, wanted: Wanted) -> None:
        """Raise an error for an option that the format has no use for."""
        for option in fields(wanted):
            if getattr(wanted, option.name) is not None and option.name not in self.takes:
                word = OPTION_OF.get(option.name, f"--{option.name.replace('_', '-')}")
                raise InvalidInputError(
                    f"{self.name} has no use for {word}",
                    f"leave it out, as in: contend export {self.name} {self.example}",
                )
        if wanted.by not in (None, *BY):
            raise InvalidInputError(f"no rows are by {wanted.by!r}", f"choose from {', '.join(BY)}")


class SamplesFormat(Format):
    """Base of those that hold samples."""

    def write(self, path: Path, wanted: Wanted) -> Written:
        self.require(wanted)
        return self.of_samples(chosen(read_samples(path), wanted), wanted)

    @abstractmethod
    def of_samples(self, samples: Sequence[Sample], wanted: Wanted) -> Written:
        """The samples in this format."""


class NetworkFormat(Format):
    """Base of those that say what is known of a network."""

    def write(self, path: Path, wanted: Wanted) -> Written:
        self.require(wanted)
        return self.of_network(Network.load(path), wanted)

    @abstractmethod
    def of_network(self, network: Network, wanted: Wanted) -> Written:
        """The network in this format."""


FORMATS: Registry[Format] = Registry(
    "format of other tools",
    Format,
    "contend.export.formats",
    group="contend.interchange.formats",
)


def chosen(samples: Sequence[Sample], wanted: Wanted) -> list[Sample]:
    """Samples of the operation, algorithm and placement that are asked for."""
    matching = [
        sample
        for sample in samples
        if wanted.operation in (None, sample.experiment)
        and wanted.algorithm in (None, sample.algorithm, sample.setting)
        and wanted.processes_per_node in (None, sample.processes_per_node)
    ]
    if not matching:
        held = sorted({f"{sample.experiment}/{sample.setting}" for sample in samples})
        raise InvalidInputError(
            "the file has no sample of what is asked for", f"it holds {', '.join(held)}"
        )
    return matching


def save(path: Path, format: Format, written: Written) -> None:
    """Write the file and what belongs to it, unless something else is there."""
    make_folder(path.parent)
    if path.is_file() and not is_special(path):
        old = read_text(path, errors="replace")
        if old.strip() and not format.recognises(old):
            raise InvalidInputError(
                f"{path} exists and is no {format.name} file", "name a new file, or remove it"
            )
    write_whole(path, written.text)
    for behind, text in written.beside.items():
        write_whole(path.with_name(path.name + behind), text)
