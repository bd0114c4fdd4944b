"""Statements of a script as words, with quotation marks, comments and continued lines taken away.

Shells differ in little that counts here: marks of csh and of Tcl end within their line, and Tcl has
braces for marks. Texts of others are never run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

MCA = {"mca": "OMPI_MCA_", "gmca": "OMPI_MCA_", "omca": "OMPI_MCA_", "prtemca": "PRTE_MCA_",
       "pmixmca": "PMIX_MCA_"}  # fmt: skip
# What names of variables begin with that tune collective operations.
TUNING = ("I_MPI_ADJUST_", "UCC_TL_UCP_TU", "OMPI_MCA_coll", "PRTE_MCA_coll", "PMIX_MCA_coll",
          "MPIR_CVAR_", "MPIR_PARAM_")  # fmt: skip

KEPT = -1  # the scope of options that stand without a command, which gets them elsewhere


@dataclass(frozen=True)
class Setting:
    """A variable, its value and its line.

    `problem` says what is made of it, if not that. `scope` is 0 for what holds from there on, else
    tells commands apart that have it for themselves. `replaces` is the line of an earlier one that
    never takes effect.
    """

    name: str
    value: str
    line: int
    problem: str = ""
    is_known: bool = True  # false: the value is put in by a shell
    is_read: bool = True  # false: the name stands in a form that is not read
    is_exported: bool = True  # false: a variable of the shell alone
    scope: int = 0
    replaces: int | None = None


def is_lookalike(setting: Setting) -> bool:
    """Whether a setting would be one if a character of its line were what it looks like."""
    return setting.problem.startswith(LOOKALIKE[:16])


Dialect = Literal["sh", "csh", "tcl"]
_HERE = re.compile(r"<<[-~]?\s*(['\"]?)(\w+)\1")
_REDIRECTION = re.compile(r"[<>][<>&|]*")
_DIRECTIVE = re.compile(r"#(?:SBATCH|PBS|BSUB|PJM|MSUB|\$|flux:|FLUX:)\s+([^\r]*)")
_LONGEST = 4096  # characters of a substitution
CARRIAGE = "the shell takes the carriage return at the line's end for a part of the value"
# What looks like a blank, a dash, a quotation mark or nothing, as web pages have it.
LOOKALIKES = {
    **dict.fromkeys((0xA0, 0x202F, 0x3000, *range(0x2000, 0x200B)), " "),
    **dict.fromkeys((0x2028, 0x2029, 0xAD, 0xFEFF, 0x2060, *range(0x200B, 0x2010)), ""),
    **dict.fromkeys((0x2212, *range(0x2010, 0x2016)), "-"),
    **dict.fromkeys(range(0x2018, 0x201C), "'"),
    **dict.fromkeys(range(0x201C, 0x2020), '"'),
}
SPACED = "blanks beside '=' make it a word of its own, and the shell sets nothing"
LOOKALIKE = "the character U+{:04X} looks like another, or like none, and is taken as it is"
UNCLOSED = "a quotation mark has no second one"


@dataclass(frozen=True)
class Word:
    """A word as a program would get it; `is_known` is false where a shell puts something in."""

    text: str
    line: int
    is_known: bool = True
    problem: str = ""


@dataclass
class Statement:
    """Words up to a separator, `end`; `here` has the lines of a document that follows, and where.

    A directive is a comment that a batch system reads.
    """

    words: list[Word] = field(default_factory=list)
    end: str = "\n"
    is_directive: bool = False
    here: str = ""
    here_line: int = 0


def statements(text: str, dialect: Dialect = "sh", line: int = 1) -> Iterator[Statement]:
    yield from _Scanner(text, dialect, line).statements()


class _Scanner:
    def __init__(self, text: str, dialect: Dialect, line: int) -> None:
        self.text, self.dialect = text, dialect
        self.at, self.line = 0, line
        self.separators = "\n;" if dialect == "tcl" else "\n;|&()"
        self.ends = self.separators + (" \t" if dialect == "tcl" else " \t<>")

    def statements(self) -> Iterator[Statement]:
        current, delimiter = Statement(), ""
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in self.separators:
                self._skip(1)
                current.end = char
                if char == "\n" and delimiter:
                    current.here_line = self.line
                    current.here, delimiter = self._document(delimiter), ""
                if current.words or current.here:
                    yield current
                current = Statement()
            elif char in " \t" or self._continues():
                self._skip(1 if char in " \t" else self._to_end_of_line() + 1)
            elif char == "#":
                yield from self._comment()
            elif self.dialect != "tcl" and (match := _HERE.match(self.text, self.at)):
                delimiter = match[2]
                self._skip(len(match[0]))
            elif char in "<>" and char in self.ends:
                match = _REDIRECTION.match(self.text, self.at)
                self._skip(len(match[0]) if match else 1)
            else:
                current.words += self._word()
        if current.words:
            yield current

    def _continues(self) -> bool:
        return self.text.startswith(("\\\n", "\\\r\n"), self.at)

    def _skip(self, count: int) -> str:
        skipped = self.text[self.at : self.at + count]
        self.at += count
        self.line += skipped.count("\n")
        return skipped

    def _to_end_of_line(self) -> int:
        end = self.text.find("\n", self.at)
        return (len(self.text) if end < 0 else end) - self.at

    def _comment(self) -> Iterator[Statement]:
        line, comment = self.line, self._skip(self._to_end_of_line())
        if match := _DIRECTIVE.match(comment):
            for statement in _Scanner(match[1], "sh", line).statements():
                statement.is_directive = True
                yield statement

    def _document(self, delimiter: str) -> str:
        """The lines up to the delimiter; none where it does not come."""
        match = re.compile(rf"^[ \t]*{delimiter}[ \t\r]*$", re.MULTILINE).search(self.text, self.at)
        document = self._skip(match.start() - self.at) if match else ""
        self._skip(len(match[0]) if match else 0)
        return document

    def _word(self) -> list[Word]:
        """The next word; none where that is the carriage return of a line's end."""
        line, parts, is_known, problem = self.line, [], True, ""
        while self.at < len(self.text) and self.text[self.at] not in self.ends:
            char = self.text[self.at]
            if self._continues():
                self._skip(self._to_end_of_line() + 1)
            elif char == "\\":
                parts.append(self._skip(2)[1:])
            elif char in self._marks(bool(parts)):
                part, closed = self._quoted(char)
                is_known &= char in "'{" or not _puts_in(part)
                problem = problem or ("" if closed else UNCLOSED)
                parts.append(part)
            elif self.dialect == "sh" and self.text.startswith(("$'", '$"'), self.at):
                self._skip(1)  # the mark that follows has escapes, or is translated
            elif char in "$`":
                is_known &= not _puts_in(self.text[self.at : self.at + 2])
                parts.append(self._expansion())
            else:
                parts.append(self._skip(1))
        text = "".join(parts)
        if not text.endswith("\r") or self.dialect == "tcl":
            return [Word(text.rstrip("\r"), line, is_known, problem)]
        text = text.removesuffix("\r")
        return [Word(text, line, is_known, problem or CARRIAGE)] if text else []

    def _marks(self, is_within: bool) -> str:
        if self.dialect != "tcl":
            return "'\""
        is_closed = "}" in self.text[self.at : self.at + self._to_end_of_line()]
        return "" if is_within else '"{' if is_closed else '"'

    def _quoted(self, mark: str) -> tuple[str, bool]:
        """What stands in quotation marks, and whether they are closed; if not, the whole line."""
        closing = "}" if mark == "{" else mark
        end = self.at + 1
        most = len(self.text) if self.dialect == "sh" else self.at + self._to_end_of_line()
        while end < most and self.text[end] != closing:
            end += 2 if self.text[end] == "\\" and mark == '"' else 1
        if end >= most:
            return self._skip(self._to_end_of_line())[1:], False
        inside = self._skip(end + 1 - self.at)[1:-1]
        return (re.sub(r"\\(\n|[\"\\$`])", _unescaped, inside) if mark == '"' else inside), True

    def _expansion(self) -> str:
        """A substitution, as it stands; of a command up to its end."""
        rest = self.text[self.at : self.at + _LONGEST]
        closing = {"${": "}", "$(": ")"}.get(rest[:2], "`" if rest[0] == "`" else "")
        if not closing:
            return self._skip(1)
        depth, opening = 0, rest[1] if rest[0] == "$" else ""
        for index, char in enumerate(rest[1:], 1):
            depth += (char == opening) - (char == closing)
            if char == closing and depth <= 0:
                return self._skip(index + 1)
        return self._skip(1)


def _puts_in(text: str) -> bool:
    return bool(re.search(r"`|\$[\w{(:]", text))


def _unescaped(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]
