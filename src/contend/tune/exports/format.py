"""What a format of rules for an MPI library is: decisions in, a text out; and back, and checked."""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import ClassVar

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.number_text import listed
from contend.base.registry import Registry
from contend.schedules.libraries import LIBRARIES, Library, Version, version_of, version_text
from contend.tune.choose.rules import Decisions
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Finding
from contend.tune.exports.marks import MARK, Made, made_by_shell, mark_finding
from contend.tune.exports.surroundings import Circumstances


class Poison(ABC):
    """How the rules of a format are poisoned, so that a call that is made by them ends its program.

    `strict` are variables by which the library also ends a call that its rule's algorithm cannot
    serve, in the place of running another; empty where it has none.
    """

    strict: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def leaves(self, text: str, operation: str, version: Version) -> tuple[str, ...]:
        """The library's names of the algorithms that a text has for an operation."""

    @abstractmethod
    def poisoned(
        self, text: str, operation: str, algorithms: Collection[str], n: int, m: int
    ) -> str:
        """The text with the rules of some algorithms poisoned, for calls of n ranks with m bytes.

        Calls of other sizes are spared where the format can say so, as those that the library
        makes when it starts.
        """


# In the first lines of what contend wrote, as `about` begins.
_WRITTEN_FOR = re.compile(r"^\W*Rules for ([^\n]*) (\d[\d.]*), by contend", re.MULTILINE)


@dataclass(frozen=True)
class Request:
    """What is exported: decisions, for which version, and of which placement of processes.

    `processes_per_node` chooses among decisions for several, where the format cannot tell
    placements apart; None where there is no choice. `library_rules` is a file with the library's
    own rules, or the library that holds them, for formats that replace them all; None: look for it.
    `all_commute`: the user says so of all reduction operations, here or when deciding. `old` is
    the text of a file that exists, whose rules stay of operations that nothing was decided on.
    """

    decisions: Decisions
    version: Version
    processes_per_node: int | None = None
    library_rules: str | None = None
    all_commute: bool = False
    notes: tuple[str, ...] = ()  # of what was left out of the decisions
    old: str | None = None

    @property
    def commutes(self) -> bool:
        """Whether algorithms that reorder operands are right for all programs."""
        return self.all_commute or self.decisions.all_commute

    @property
    def decided(self) -> set[str]:
        """The operations that something was decided on."""
        return {rule.operation for rule in self.decisions.rules}


@dataclass(frozen=True)
class Export:
    """A file of rules.

    `about` says what it is and how it is loaded; it stands in `text` where the format holds
    comments, else the command writes it beside the file. `settings` are environment variables that
    rules need and the format cannot hold. `notes` say what was decided and could not be exported.
    `beside` holds further files that belong to it: what their names have behind its own, and texts.
    """

    text: str
    about: str
    settings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)


def not_merged(why: object, remedy: str = "mend it, or name a new file") -> FileFormatError:
    """Return the error of an old file that rules cannot be added to."""
    return FileFormatError(f"the file that exists cannot be merged into: {why}", remedy)


class Format(ABC):
    """Base of the formats; a module in `exports/formats` that defines a subclass is one.

    `first` is the oldest version of the library that reads it; `end` the first that does not.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    library_name: ClassVar[str]
    first: ClassVar[Version]
    end: ClassVar[Version | None] = None
    has_comments: ClassVar[bool] = True
    names_algorithms: ClassVar[bool] = True  # else a file says only who chooses one
    behind: ClassVar[tuple[str, ...]] = ()  # what names of further files may have behind its own
    by_hand: ClassVar[str] = ""  # how to see what rules do, where they cannot be verified
    poison: ClassVar[Poison | None] = None  # of rules of a library that does not show what it runs

    @abstractmethod
    def write(self, request: Request) -> Export:
        """The file of rules for decisions.

        Raises
        ------
        InvalidInputError
            Where decisions cannot be expressed in this format, or name what the version lacks.
        FileFormatError
            For an old file that the library would not take.
        """

    @abstractmethod
    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules that the library takes from a text, the first that holds being used.

        Raises
        ------
        FileFormatError
            For a text of which the library takes nothing.
        """

    def read_ordered(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The same for reductions by operations that do not commute."""
        return self.read(text, version)

    def reorders_operands(self, operation: str, algorithm: str, version: Version) -> bool:
        """Whether a rule that names the algorithm makes such a reduction wrong."""
        return self.library.reorders_operands(operation, algorithm, version)

    @abstractmethod
    def lint(self, text: str, version: Version) -> list[Finding]:
        """What is wrong with a text, by line; never an exception, whatever the text."""

    def made_of_mark(self, text: str) -> Made:
        """What comes of a byte order mark before a text."""
        return made_by_shell(text)

    def lint_file(self, text: str, version: Version) -> list[Finding]:
        """`lint` of what a file holds, with a byte order mark or without."""
        rest = text.removeprefix(MARK)
        marked = [] if rest == text else [mark_finding(self.made_of_mark(rest))]
        return marked + self.lint(rest, version)

    @abstractmethod
    def settings(self, path: str, version: Version) -> dict[str, str]:
        """Environment variables that make the library take the file at `path` (absolute)."""

    def needs(self, text: str, version: Version) -> dict[str, str]:
        """Further environment variables without which some rules of a text are not looked at."""
        return {}

    def obstacles(self, case: Circumstances) -> list[Finding]:
        """What is set around a program and wins over rules, or keeps them from being looked at."""
        return []

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Whether a text looks like a file of this format, of whatever version."""

    def onto(self, old: str, merged: Export, request: Request) -> Export:
        """The merged file; the old one as it is where nothing departs from the default.

        Byte for byte then, unless it has rules that depart, of operations that were decided on:
        those are taken back.
        """
        is_left = all(rule.is_default for rule in request.decisions.rules)
        if not is_left or self._acting(old, request) != self._acting(merged.text, request):
            lost = self._lost_comments(old, merged.text)
            note = f"comments of the file that exists are not kept: line {listed(lost)}"
            return replace(merged, notes=(*merged.notes, *[note] * bool(lost)))
        note = "nothing departs from the default: the file stays as it is"
        return replace(merged, text=old, notes=(*merged.notes, note))

    def _lost_comments(self, old: str, new: str) -> tuple[int, ...]:
        """Lines of comments that are not in a new text, but those by which contend begins files."""
        lines = [line.strip() for line in old.splitlines()]
        is_ours = bool(self.version_in(old))
        head = len(list(takewhile(lambda line: line[:1] == "#", lines))) if is_ours else 0
        kept = {line.strip() for line in new.splitlines()}
        return tuple(
            number
            for number, line in enumerate(lines, start=1)
            if number > head and line[:1] == "#" and line.strip("# ") and line not in kept
        )

    def _acting(self, text: str, request: Request) -> list[FileRule]:
        """The rules of a text that do not leave the library to itself, wherever they stand."""
        rules = self.read(text, request.version)
        return [replace(rule, line=None) for rule in rules if not rule.is_default]

    def called(self, text: str) -> str:
        return self.title

    @property
    def library(self) -> Library:
        return LIBRARIES.get(self.library_name)

    def version_in(self, text: str) -> str:
        """The version that a text says it is for; nothing where it does not."""
        match = _WRITTEN_FOR.search(text)
        if match is None or not match[1].endswith(self.library.title):
            return ""
        return match[2] if self.serves(version_of(match[2])) else ""

    def serves(self, version: Version) -> bool:
        return self.first <= version and (self.end is None or version < self.end)

    def version(self, given: str) -> Version:
        """The version of a text, or the oldest that reads the format; an error for others."""
        version = version_of(given) if given else self.first
        if not self.serves(version):
            end = f", before {version_text(self.end)}" if self.end else ""
            raise InvalidInputError(
                f"{self.title} is not for {self.library.title} {version_text(version)}",
                f"it is read from {version_text(self.first)} on{end}",
            )
        return version


FORMATS: Registry[Format] = Registry(
    "format of rules", Format, "contend.tune.exports.formats", group="contend.exports.formats"
)


def format_named(name: str) -> tuple[Format, str]:
    """The format of a name such as "openmpi-5", "openmpi-5.0.7" or "mpich", and its version.

    The version is empty where the name does not say more than the format's does.

    >>> format_named("openmpi-5.0.7")[0].name, format_named("openmpi-5.0.7")[1]
    ('openmpi-5', '5.0.7')
    """
    wanted = name.strip().lower().replace("_", "-")
    if wanted in FORMATS.names():
        return FORMATS.get(wanted), ""
    head, dash, number = wanted.rpartition("-")
    if dash and number[:1].isdigit():
        if head in FORMATS.names():
            return FORMATS.get(head), number
        version = version_of(number)
        for candidate in FORMATS.all():
            if candidate.library_name == head and candidate.serves(version):
                return candidate, number
    return FORMATS.get(name), ""
