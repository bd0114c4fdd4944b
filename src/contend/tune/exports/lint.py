"""Lint: what an MPI library will ignore, misread, abort or hang on in files of rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.kinds import KINDS, schema_of
from contend.base.result import Line, Result
from contend.base.textfile import read_text
from contend.schedules.libraries import Version, version_text
from contend.tune.exports import FORMATS, Finding, Format, format_named, worst
from contend.tune.exports.marks import MARK
from contend.tune.exports.settings import is_script, settings_in

COLOURS = {"error": "red", "warning": "yellow", "note": "dim"}


@dataclass(frozen=True)
class Lint:
    """Findings by file, and by each format that a file was read as, in words."""

    findings: dict[str, list[Finding]]
    readings: list[tuple[str, list[Finding]]]

    def result(self) -> Result:
        """Return them by file; exit code 1 where there is an error."""
        is_wrong = any(worst(each) == "error" for each in self.findings.values())
        lines = (line for title, each in self.readings for line in _lines(title, each))
        return Result(self.findings, lines, code=is_wrong)


def lint_rules(files: Sequence[str | Path], target: str | None = None) -> Lint:
    """Check files of rules line by line, as the library of a format (default: as they look) reads.

    >>> lint_rules(["rules.conf"], "openmpi-5.0.7").findings
    {'rules.conf': []}

    Raises
    ------
    ContendError
        For what looks like no file of rules.
    """
    findings: dict[str, list[Finding]] = {}
    readings: list[tuple[str, list[Finding]]] = []
    for path in map(Path, files):
        text = read_text(path, errors="replace", newline="", keeps_mark=True)
        findings[str(path)] = []
        unmarked = text.removeprefix(MARK)
        formats = _formats(path, unmarked, target)
        for format, named in formats:
            version = format.version(named or format.version_in(unmarked))
            faults = format.lint_file(text, version)
            findings[str(path)] += faults
            title = f"{path}: {format.called(unmarked)}, read as by {version_text(version)}"
            readings.append((title, faults))
        if not formats:
            readings.append((f"{path}: sets nothing that chooses algorithms of an MPI library", []))
    return Lint(findings, readings)


def _formats(path: Path, text: str, target: str | None) -> list[tuple[Format, str]]:
    """The format that is wanted, or those that the text says, of each library the newest.

    A script can set variables of several libraries, or of none.
    """
    if target:
        return [format_named(target)]
    by_library: dict[str, Format] = {}
    for candidate in FORMATS.all():
        before = by_library.get(candidate.library_name)
        if candidate.recognises(text) and (
            before is None or _rank(candidate, text) > _rank(before, text)
        ):
            by_library[candidate.library_name] = candidate
    if not by_library and (kind := KINDS.get(schema_of(text) or "")):
        raise InvalidInputError(
            f"{path} is {kind[0]}, and a file of rules is due in its place",
            "name one, such as 'contend tune export' makes of decisions",
        )
    if not by_library and not (is_script(text) or settings_in(text)):
        raise InvalidInputError(
            f"{path} looks like no file of rules that is known",
            f"say its library with --library; known are {', '.join(FORMATS.names())}",
        )
    return [(candidate, "") for candidate in by_library.values()]


def _rank(format: Format, text: str) -> tuple[bool, Version]:
    """How well a format fits a text that it recognises: what the text says, or the newer."""
    return bool(format.version_in(text)), format.first


def _lines(title: str, findings: list[Finding]) -> Iterator[Line]:
    yield Line(title)
    for finding in findings:
        place = "" if finding.line is None else f"line {finding.line}: "
        yield Line(f"  {finding.level:<8}{place}{finding.message}", COLOURS[finding.level])
        yield Line(f"          -> {finding.remedy}")
    if not findings:
        yield Line("  nothing found")
