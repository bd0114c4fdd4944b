"""Files of shell that set environment variables: lines of `export NAME="value"`, and comments."""

import re
import shlex
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from contend.base.errors import FileFormatError
from contend.base.textfile import read_text
from contend.schedules.libraries import Library, LibraryAlgorithm, Version
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import Band, Piece, Unit, by_operation, notes_without_sizes, pieces
from contend.tune.exports.file_rules import always_right, head_lines, placed
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.format import Export, Format, Request
from contend.tune.exports.settings import Setting, settings_in, settings_of
from contend.tune.exports.settings.forms import settings_of_statement
from contend.tune.exports.settings.parser import checked, form_findings
from contend.tune.exports.settings.words import Statement, is_lookalike, statements
from contend.tune.exports.surroundings import Circumstances, Place, Surrounding, in_effect

_BEATEN = Faults(__file__)
_PLAIN = re.compile(r"[\w:;,@#\[\]./ -]*", re.ASCII)
LOADING = "Source this file before mpiexec. What is not named is left to the library."
Departure = tuple[Piece, Band, LibraryAlgorithm]  # processes, sizes, and what is to run
Departures = Mapping[str, Sequence[Departure]]  # by operation


class VariablesFormat(Format):
    """Base of the formats that are a file to source, which sets variables.

    What is left out is decided by the library itself; a default is left out.
    """

    family: ClassVar[str]  # what names of its variables begin with
    between: ClassVar[str]  # two parts of a value
    units: ClassVar[Mapping[str, Unit]]  # how sizes are counted; of others none is distinguished
    most: ClassVar[int]  # the largest size that is distinguished from larger ones

    def write(self, request: Request) -> Export:
        """Write rules for decisions, and what the old file sets for other operations."""
        kept = {} if request.old is None else kept_values(request.old)
        every, notes = placed(request)
        rules, left_out = always_right(every, request, self.library)
        notes += left_out
        departures = {
            operation: list(self._departures(operation, of_operation, request.version, notes))
            for operation, of_operation in by_operation(rules).items()
        }
        variables = self.variables(departures, kept, notes)
        about = head_lines(self.library.title, request, (LOADING,), notes, rules)
        return Export(exporting(about, variables), "\n".join(about), {}, tuple(notes))

    def _departures(
        self, operation: str, rules: Sequence[Rule], version: Version, notes: list[str]
    ) -> Iterator[Departure]:
        """Where an operation departs from the default; `notes` are added to."""
        unit = self.units.get(operation, "none")
        yield from departures_of(self.library, rules, unit, self.most, version, notes)

    @abstractmethod
    def variables(
        self, departures: Departures, kept: Mapping[str, str], notes: list[str]
    ) -> dict[str, str]:
        """All variables of a file, `kept` ones of an old file included; `notes` are added to."""

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What is wrong with a text, in the order of its lines."""
        settings = settings_of(text, lambda name: name.startswith(self.family))
        findings = [*form_findings(settings, self.between)]
        for setting in checked(settings):
            findings += self.check(setting, version, text)
        return by_line(findings)

    @abstractmethod
    def check(self, setting: Setting, version: Version, text: str) -> Iterator[Finding]:
        """What is wrong with a variable that a text sets."""

    def settings(self, path: str, version: Version) -> dict[str, str]:
        """What the file sets; nothing where it is not there yet."""
        file = Path(path)
        return values(read_text(file, errors="replace")) if file.is_file() else {}

    def obstacles(self, case: Circumstances) -> list[Finding]:
        """Other values of the variables that it sets, where they win over the environment."""
        names = case.loading if case.rules is not None else ()
        beaten = [
            _BEATEN("other", None, **vars(setting))
            for name, setting in in_effect(case.around).items()
            if name in names
            and setting.place < Place.environment
            and setting.value != case.loading[name]
        ]
        return [*beaten, *self.others(case.around)]

    def others(self, around: Sequence[Surrounding]) -> Iterator[Finding]:
        """Further variables of the library that win over its own."""
        yield from ()

    def recognises(self, text: str) -> bool:
        """Whether a variable of the family is set, or none, and the file is one of contend's."""
        is_ours = LOADING in text and bool(self.version_in(text))
        return is_ours or bool(settings_of(text, lambda name: name.startswith(self.family)))


def departures_of(
    library: Library, rules: Sequence[Rule], unit: Unit, most: int, version: Version,
    notes: list[str],
) -> Iterator[Departure]:  # fmt: skip
    """Where rules of one operation depart from the default; `notes` are added to."""
    operation = rules[0].operation
    if unit == "none":
        notes += notes_without_sizes(operation, rules, f"{library.title} tells none apart")
    for piece in pieces(rules, unit, most):
        for band in piece.bands:
            if rule := band.departure:
                algorithm = library.algorithm(operation, rule.algorithm, version)
                library.require_options(algorithm, rule.options)
                yield piece, band, algorithm


def values(text: str) -> dict[str, str]:
    """Variables that a file sets, of one that is set twice the last.

    Raises
    ------
    FileFormatError
        Where a line looks as if it set one, and does not.
    """
    held = [setting for setting in settings_in(text) if setting.is_read]
    for setting in filter(is_lookalike, held):
        raise FileFormatError(
            f"line {setting.line}: {setting.problem}", "type that line anew, in ASCII"
        )
    return {setting.name: setting.value for setting in held}


def kept_values(text: str) -> dict[str, str]:
    """Variables of a file that is written anew; an error where it holds more than those."""
    for statement in statements(text.replace("\r\n", "\n")):
        if not (statement.words and _only_sets(statement)):
            line = statement.words[0].line if statement.words else statement.here_line
            raise FileFormatError(
                f"the file that exists does more than set variables: line {line}",
                "write to a new file, and source that in it",
            )
    return values(text)


def _only_sets(statement: Statement) -> bool:
    is_shell = statement.words[0].text == "export" or "=" in statement.words[0].text
    settings = settings_of_statement(statement, 1, "sh")
    return is_shell and not statement.is_directive and bool(settings) and all(
        each.is_known and each.is_read and not each.scope for each in settings
    )  # fmt: skip


def exporting(about: Iterable[str], variables: Mapping[str, str]) -> str:
    """A file that sets the variables, after comments."""
    comments = "".join(f"# {line}\n" for line in about)
    return comments + "".join(f"export {name}={_quoted(v)}\n" for name, v in variables.items())


def _quoted(value: str) -> str:
    """The value in quotation marks, such that the shell takes it as it is."""
    return f'"{value}"' if _PLAIN.fullmatch(value) else shlex.quote(value)
