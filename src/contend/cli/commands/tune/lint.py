"""contend tune lint: what an MPI library will ignore, misread, abort or hang on in its rules."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import completion, options, output
from contend.errors import InvalidInputError

if TYPE_CHECKING:
    from contend.exports import Finding, Format
    from contend.libraries import Version

ORDER = 2
EXAMPLE = "contend tune lint rules.conf --for openmpi-5.0.11"
COLOURS = {"error": "red", "warning": "yellow", "note": "dim"}


def command(
    rules_files: Annotated[
        list[Path], typer.Argument(metavar="RULES...", help="Files of rules, whoever wrote them.")
    ],
    target: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="LIBRARY",
            autocompletion=completion.rule_formats,
            help="Format, with a version or without: openmpi-5.0.7, mpich. Default: as it says, or "
            "looks.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Say, line by line, what is wrong with rules for an MPI library, and what to do about it.

    Exit code 1 where there is an error: the library ignores a rule or the file, aborts or hangs.
    """
    from contend.exports import worst
    from contend.libraries import version_text
    from contend.textfile import read_text

    found: dict[str, list[Finding]] = {}
    for path in rules_files:
        text = read_text(path, errors="replace", newline="")
        found[str(path)] = []
        formats = _formats(path, text, target)
        for format, said in formats:
            version = format.version(said or format.version_in(text))
            findings = format.lint(text, version)
            found[str(path)] += findings
            if not as_json:
                _show(
                    f"{path}: {format.called(text)}, read as by {version_text(version)}", findings
                )
        if not formats and not as_json:
            _show(f"{path}: sets nothing that chooses algorithms of an MPI library", [])
    if as_json:
        output.show_json({path: [asdict(one) for one in of] for path, of in found.items()})
    if any(worst(of) == "error" for of in found.values()):
        raise typer.Exit(1)


def _formats(path: Path, text: str, target: str | None) -> "list[tuple[Format, str]]":
    """The format that is wanted, or those that the text says, of each library the newest.

    A script can set variables of several libraries, or of none.
    """
    from contend.exports import FORMATS, format_named
    from contend.exports.settings import is_script, settings_in
    from contend.kinds import KINDS, schema_of

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


def _rank(format: "Format", text: str) -> "tuple[bool, Version]":
    """How well a format fits a text that it recognises: what the text says, or the newer."""
    return bool(format.version_in(text)), format.first


def _show(title: str, findings: "list[Finding]") -> None:
    from rich.markup import escape

    console = output.console()
    console.print(title, markup=False)
    for one in findings:
        place = "" if one.line is None else f"line {one.line}: "
        console.print(f"  [{COLOURS[one.level]}]{one.level:<8}[/]{place}{escape(one.message)}")
        console.print(f"          -> {one.remedy}", markup=False)
    if not findings:
        console.print("  nothing found")
