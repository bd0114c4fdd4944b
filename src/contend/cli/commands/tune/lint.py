"""contend tune lint: what an MPI library will ignore, misread, abort or hang on in its rules."""

from collections.abc import Iterator
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.kinds import KINDS, schema_of
from contend.base.textfile import read_text
from contend.cli import completion
from contend.cli.options import argument, option
from contend.cli.result import Line, Result
from contend.schedules.libraries import Version, version_text
from contend.tune.exports import FORMATS, Finding, Format, format_named, worst
from contend.tune.exports.marks import MARK
from contend.tune.exports.settings import is_script, settings_in

ORDER = 2
EXAMPLE = "contend tune lint rules.conf --for openmpi-5.0.11"
COLOURS = {"error": "red", "warning": "yellow", "note": "dim"}


def command(
    rules_files: list[Path] = argument("Files of rules, whoever wrote them.", metavar="RULES..."),
    target: str | None = option(
        "Format, with a version or without: openmpi-5.0.7, mpich. Default: as it says, or looks.",
        "--for",
        metavar="LIBRARY",
        autocompletion=completion.rule_formats,
    ),
) -> Result:
    """Say, line by line, what is wrong with rules for an MPI library, and what to do about it.

    Exit code 1 where there is an error: the library ignores a rule or the file, aborts or hangs.
    """
    found: dict[str, list[Finding]] = {}
    read: list[tuple[str, list[Finding]]] = []  # by each format that a file is read as
    for path in rules_files:
        text = read_text(path, errors="replace", newline="", keeps_mark=True)
        found[str(path)] = []
        unmarked = text.removeprefix(MARK)
        formats = _formats(path, unmarked, target)
        for format, said in formats:
            version = format.version(said or format.version_in(unmarked))
            findings = format.lint_file(text, version)
            found[str(path)] += findings
            title = f"{path}: {format.called(unmarked)}, read as by {version_text(version)}"
            read.append((title, findings))
        if not formats:
            read.append((f"{path}: sets nothing that chooses algorithms of an MPI library", []))
    is_wrong = any(worst(findings) == "error" for findings in found.values())
    lines = (line for title, findings in read for line in _lines(title, findings))
    return Result(found, lines, code=is_wrong)


def _formats(path: Path, text: str, target: str | None) -> list[tuple[Format, str]]:
    """The format that is wanted, or those that the text says, of each library the newest.

    A script can set variables of several libraries, or of none.
    """
    if target:
        return [format_named(target)]
    by_library: dict[str, Format] = {}
    for one in FORMATS.all():
        before = by_library.get(one.library_name)
        if one.recognises(text) and (before is None or _rank(one, text) > _rank(before, text)):
            by_library[one.library_name] = one
    if not by_library and (kind := KINDS.get(schema_of(text) or "")):
        raise InvalidInputError(
            f"{path} is {kind[0]}, and a file of rules is due in its place",
            "name one, such as 'contend tune export' makes of decisions",
        )
    if not by_library and not (is_script(text) or settings_in(text)):
        raise InvalidInputError(
            f"{path} looks like no file of rules that is known",
            f"say its library with --for; known are {', '.join(FORMATS.names())}",
        )
    return [(one, "") for one in by_library.values()]


def _rank(format: Format, text: str) -> tuple[bool, Version]:
    """How well a format fits a text that it recognises: what the text says, or the newer."""
    return bool(format.version_in(text)), format.first


def _lines(title: str, findings: list[Finding]) -> Iterator[Line]:
    yield Line(title)
    for one in findings:
        place = "" if one.line is None else f"line {one.line}: "
        yield Line(f"  {one.level:<8}{place}{one.message}", COLOURS[one.level])
        yield Line(f"          -> {one.remedy}")
    if not findings:
        yield Line("  nothing found")
