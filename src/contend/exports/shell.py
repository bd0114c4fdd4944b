"""Files of shell that set environment variables: lines of `export NAME="value"`, and comments."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from contend.exports.finding import Finding
from contend.textfile import read_text

_SET = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z_0-9]*)=(.*)")
_PLAIN = re.compile(r"[\w:;,@#\[\]./ -]*", re.ASCII)
_COMMENT = re.compile(r"\s*(#.*)?")


@dataclass(frozen=True)
class Assignment:
    """A variable and its line; `problem` says what the shell makes of it, if not that."""

    name: str
    value: str
    line: int
    problem: str = ""


def assignments(text: str) -> Iterator[Assignment]:
    """What each line sets; a line that sets nothing has no name."""
    for number, line in enumerate(text.splitlines(), 1):
        if _COMMENT.fullmatch(line):
            continue
        match = _SET.fullmatch(line)
        if match is None:
            yield Assignment("", line.strip(), number, "it sets no variable")
        else:
            yield Assignment(match[1], *_value(match[2], number))


def _value(text: str, number: int) -> tuple[str, int, str]:
    try:
        words = shlex.split(text, comments=True)
    except ValueError:
        return text.strip("\"'"), number, "a quotation mark has no second one"
    unquoted = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
    if ";" in unquoted:
        return text.strip(), number, "the shell ends the value at the first ';' without quotes"
    if len(words) > 1:
        return words[0], number, "the shell ends the value at the first blank without quotes"
    return (words[0] if words else ""), number, ""


def misread(
    one: Assignment, seen: Mapping[str, int], example: str, between: str
) -> Iterator[Finding]:
    """What the shell makes of a line, and that it takes the place of an earlier one.

    `seen` has the lines of the variables before; `between` is what stands between two values.
    """
    if one.problem:
        what, remedy = f"{one.value!r:.80}: {one.problem}", f'write export {example}="value"'
        yield Finding("error", "shell", what, remedy, one.line)
    if one.name in seen:
        what = f"{one.name} is set in line {seen[one.name]} too: the last holds"
        remedy = f"make one value of both, with '{between}' between"
        yield Finding("warning", "repeated", what, remedy, one.line)


def values(text: str) -> dict[str, str]:
    """Variables that a file sets, of one that is set twice the last."""
    return {one.name: one.value for one in assignments(text) if one.name}


def values_in(path: str) -> dict[str, str]:
    """Variables that the file at a path sets; none where it is not there yet."""
    file = Path(path)
    return values(read_text(file, errors="replace")) if file.is_file() else {}


def exporting(about: Iterable[str], variables: Mapping[str, str]) -> str:
    """A file that sets the variables, after comments."""
    comments = "".join(f"# {line}\n" for line in about)
    return comments + "".join(f"export {name}={_quoted(v)}\n" for name, v in variables.items())


def _quoted(value: str) -> str:
    """The value in quotation marks, such that the shell takes it as it is."""
    return f'"{value}"' if _PLAIN.fullmatch(value) else shlex.quote(value)
