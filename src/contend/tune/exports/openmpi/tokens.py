"""What files of rules of coll/tuned and coll/han are made of: counts, and behind each its parts.

Source: ompi_coll_base_file_getnext_long, that is fscanf("%li"), which takes 010 for eight and 0x10
for sixteen; where it finds no number a character is skipped without a word, and from # on the line.
Where a word is due, as in files of coll/han, the next one is taken, whatever it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Generic, TypeVar

from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.openmpi.collectives import IDS

LONG_MAX = 2**63 - 1
NUMBER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
DECIMAL = re.compile(r"[+-]?[0-9]{1,24}")
_WORD = re.compile(r"[^ \t\n\v\f\r]{1,32}")
_BLANKS = re.compile(r"(?:[ \t\n\v\f\r]+|#[^\n]*)*")
_MOST_DIGITS = 24  # more than a long has, in any base
_FAULT = Faults(__file__)
Part = TypeVar("Part")


@dataclass(frozen=True)
class Token:
    """A number or a word, as written and as read."""

    text: str
    value: int
    line: int
    is_glued: bool = False  # to what stands before it, as the 9 of 09 and the 5 of 2.5


@dataclass(frozen=True)
class SizeRule:
    """From `size` bytes on: numbers of coll/tuned, or a component of coll/han and its algorithm."""

    size: Token
    rest: tuple[Token, ...]
    algorithm: str = ""
    has_segments: bool = False


@dataclass
class Counted(Generic[Part]):
    """A collective, a level or a number of processes, how many parts are announced, and these."""

    key: Token
    count: Token
    parts: list[Part] = field(default_factory=list)

    @property
    def operation(self) -> str:
        return IDS[self.key.value]


Block = Counted[SizeRule]  # for a number of processes and more


class Stop(Exception):
    """Where the library gives up."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class Reader:
    """Takes numbers and words one after the other, from a place of a text on."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text, self.at, self.line = text, at, 1 + text.count("\n", 0, at)
        self.tokens: list[Token] = []
        self.skipped: list[tuple[str, int]] = []  # what is no number, and the line of it
        self._end = -1  # of what was read or skipped before

    def number(self, pattern: re.Pattern[str] = NUMBER) -> Token | None:
        """The next number; what is none before it is skipped. None at the end of the text."""
        while not self.is_at_end():
            if match := pattern.match(self.text, self.at):
                read = value_of if pattern is NUMBER else int
                return self._token(match[0], read(match[0]))
            self._skip()
        return None

    def word(self) -> Token | None:
        """The next word; None at the end of the text."""
        self.is_at_end()
        match = _WORD.match(self.text, self.at)
        return self._token(match[0], 0) if match else None

    def takes(self, char: str) -> bool:
        """Whether the next character is this one, which is taken then."""
        is_next = not self.is_at_end() and self.text[self.at] == char
        self.at += is_next
        return is_next

    def is_at_end(self) -> bool:
        """Whether nothing but blanks and comments remains, which are left behind in any case."""
        if match := _BLANKS.match(self.text, self.at):
            self.line += match[0].count("\n")
            self.at = match.end()
        return self.at >= len(self.text)

    def _token(self, text: str, value: int) -> Token:
        token = Token(text, value, self.line, is_glued=self.at == self._end)
        self.at = self._end = self.at + len(text)
        self.tokens.append(token)
        return token

    def _skip(self) -> None:
        """Leave out a character, which joins those left out right before it."""
        before, line = self.skipped[-1] if self.skipped else ("", 0)
        if before and line == self.line and self.text.endswith(before, 0, self.at):
            self.skipped[-1] = before + self.text[self.at], line
        else:
            self.skipped.append((self.text[self.at], self.line))
        self.at = self._end = self.at + 1


def value_of(text: str) -> int:
    """The value as strtol with base 0 gives it."""
    digits = text.lstrip("+-")
    if len(digits) > _MOST_DIGITS:
        value = LONG_MAX
    else:
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
        value = min(int(digits, base), LONG_MAX)
    return -value if text[0] == "-" else value


def twice(named: Sequence[tuple[str, Token]]) -> Iterator[Finding]:
    """Findings on what is given a second time, by name."""
    seen: dict[str, int] = {}
    for name, token in named:
        if name in seen:
            yield _FAULT("twice", token.line, what=name, first=seen[name])
        seen[name] = token.line


def descending(keys: Sequence[Token], subject: str) -> Iterator[Finding]:
    """Findings on keys that are not above the one before."""
    for before, key in pairwise(keys):
        if key.value <= before.value:
            yield _FAULT("order", key.line, what=subject, key=key.value, before=before.value)
