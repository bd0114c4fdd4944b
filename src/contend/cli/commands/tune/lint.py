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
    from contend.textfile import read_text

    found: dict[str, list[Finding]] = {}
    for path in rules_files:
        text = read_text(path, errors="replace")
        format, said = _format(path, text, target)
        version = format.version(said or format.version_in(text))
        found[str(path)] = format.lint(text, version)
        if not as_json:
            _show(path, format, version, found[str(path)])
    if as_json:
        output.show_json({path: [asdict(one) for one in of] for path, of in found.items()})
    if any(worst(of) == "error" for of in found.values()):
        raise typer.Exit(1)


def _format(path: Path, text: str, target: str | None) -> "tuple[Format, str]":
    """The format that is wanted, or that the text says, or of the newest library it looks like."""
    from contend.exports import FORMATS, format_named
    from contend.kinds import KINDS, schema_of

    if target:
        return format_named(target)
    fitting = [one for one in FORMATS.all() if one.recognises(text)]
    if not fitting and (kind := KINDS.get(schema_of(text) or "")):
        raise InvalidInputError(
            f"{path} is {kind[0]}, and a file of rules is due in its place",
            "name one, such as 'contend tune export' makes of decisions",
        )
    if not fitting:
        raise InvalidInputError(
            f"{path} looks like no file of rules that is known",
            f"say its library with --for; known are {', '.join(FORMATS.names())}",
        )
    return max(fitting, key=lambda one: (bool(one.version_in(text)), one.first)), ""


def _show(path: Path, format: "Format", version: "Version", findings: "list[Finding]") -> None:
    from rich.markup import escape

    from contend.libraries import version_text

    console = output.console()
    console.print(f"{path}: {format.title}, read as by {version_text(version)}", markup=False)
    for one in findings:
        place = "" if one.line is None else f"line {one.line}: "
        console.print(f"  [{COLOURS[one.level]}]{one.level:<8}[/]{place}{escape(one.message)}")
        console.print(f"          -> {one.remedy}", markup=False)
    if not findings:
        console.print("  nothing found")
