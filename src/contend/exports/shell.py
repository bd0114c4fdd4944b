"""Files of shell that set environment variables: lines of `export NAME="value"`, and comments."""

import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

from contend.errors import FileFormatError
from contend.exports.settings import settings_in
from contend.exports.settings.forms import settings_of_statement
from contend.exports.settings.words import Statement, statements
from contend.textfile import read_text

_PLAIN = re.compile(r"[\w:;,@#\[\]./ -]*", re.ASCII)


def values(text: str) -> dict[str, str]:
    """Variables that a file sets, of one that is set twice the last."""
    return {one.name: one.value for one in settings_in(text) if one.is_read}


def kept_values(text: str) -> dict[str, str]:
    """Variables of a file that is written anew; an error where it holds more than those."""
    for one in statements(text.replace("\r\n", "\n")):
        if not (one.words and _only_sets(one)):
            line = one.words[0].line if one.words else one.here_line
            raise FileFormatError(
                f"the file that exists does more than set variables: line {line}",
                "write to a new file, and source that in it",
            )
    return values(text)


def _only_sets(one: Statement) -> bool:
    is_shell = one.words[0].text == "export" or "=" in one.words[0].text
    found = settings_of_statement(one, 1, "sh")
    return is_shell and not one.is_directive and bool(found) and all(
        each.is_known and each.is_read and not each.scope for each in found
    )  # fmt: skip


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
