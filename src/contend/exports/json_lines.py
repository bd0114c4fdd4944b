"""JSON with the line of every value, and with names that stand twice, for findings about a file.

Source: RFC 8259. Names of an object are kept in order and as often as they stand. Nothing is
repaired: what is no JSON raises an error with its line.
"""

import re
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # of the standard library
from typing import Any

from contend.errors import FileFormatError

DEEPEST = 100  # of objects within each other
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None}
_MOST_DIGITS = 400  # of a number


class NoJSONError(FileFormatError):
    """A text that is no JSON: `what` is wrong with it in which line."""

    def __init__(self, what: str, line: int, remedy: str = "mend it there") -> None:
        super().__init__(f"line {line} is no JSON: {what}", remedy)
        self.what = what
        self.line = line


@dataclass(frozen=True)
class Value:
    """A value and its line; an object is a tuple of `Member`, an array a tuple of `Value`."""

    content: Any
    line: int
    kind: str  # object, array, string, integer, number, word

    def members(self) -> tuple["Member", ...]:
        """Names and values of an object; none of anything else."""
        return self.content if self.kind == "object" else ()

    def items(self) -> tuple["Value", ...]:
        """Values of an array; none of anything else."""
        return self.content if self.kind == "array" else ()

    def get(self, name: str) -> "Value | None":
        """The value of a name; of those that stand twice, the first."""
        return next((one.value for one in self.members() if one.name == name), None)


@dataclass(frozen=True)
class Member:
    """A name of an object, its line and its value."""

    name: str
    line: int
    value: Value


def parse_json(text: str) -> Value:
    r"""The value of a text.

    >>> [one.line for one in parse_json('[1,\n 2]').items()]
    [1, 2]

    Raises
    ------
    NoJSONError
        With the line.
    """
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.counted = 0, 1  # a place that was passed, and its line

    def parse(self) -> Value:
        value = self._value(0)
        self._skip()
        if self.place < len(self.text):
            raise self._error("something follows the end")
        return value

    def _value(self, depth: int) -> Value:
        if depth > DEEPEST:
            raise self._error(f"more than {DEEPEST} objects within each other")
        self._skip()
        line, head = self._line(), self.text[self.place : self.place + 1]
        if head == "{":
            return Value(tuple(self._members(depth)), line, "object")
        if head == "[":
            return Value(tuple(self._items(depth)), line, "array")
        if head == '"':
            return Value(self._string(), line, "string")
        return self._scalar(line)

    def _members(self, depth: int) -> list[Member]:
        found: list[Member] = []
        while self._goes_on("}", is_first=not found):
            self._skip()
            line = self._line()
            if self.text[self.place : self.place + 1] != '"':
                raise self._error("a name in double quotes is due")
            name = self._string()
            self._skip()
            if self.text[self.place : self.place + 1] != ":":
                raise self._error("a colon is due behind a name")
            self.place += 1
            found.append(Member(name, line, self._value(depth + 1)))
        return found

    def _items(self, depth: int) -> list[Value]:
        found: list[Value] = []
        while self._goes_on("]", is_first=not found):
            found.append(self._value(depth + 1))
        return found

    def _goes_on(self, close: str, *, is_first: bool) -> bool:
        """Whether another entry follows, the place being moved to it or behind the end."""
        if is_first:
            self.place += 1  # the bracket that opens
            self._skip()
            if self.text[self.place : self.place + 1] != close:
                return True
            self.place += 1
            return False
        self._skip()
        head = self.text[self.place : self.place + 1]
        if head not in (",", close) or not head:
            raise self._error(f"a comma or {close} is due")
        self.place += 1
        return head == ","

    def _string(self) -> str:
        try:
            text, self.place = scanstring(self.text, self.place + 1, True)
        except ValueError:
            raise self._error("a text without an end, or with a broken escape") from None
        return str(text)

    def _scalar(self, line: int) -> Value:
        if match := _NUMBER.match(self.text, self.place):
            self.place = match.end()
            if len(match[0]) > _MOST_DIGITS:
                raise self._error(f"a number of more than {_MOST_DIGITS} digits")
            is_whole = match[2] is None and match[3] is None
            number = int(match[0]) if is_whole else float(match[0])
            return Value(number, line, "integer" if is_whole else "number")
        for word, content in _WORDS.items():
            if self.text.startswith(word, self.place):
                self.place += len(word)
                return Value(content, line, "word")
        raise self._error("a value is due")

    def _skip(self) -> None:
        self.place = _SPACE.match(self.text, self.place).end()  # type: ignore[union-attr]

    def _line(self) -> int:
        passed, line = self.counted
        self.counted = self.place, line + self.text.count("\n", passed, self.place)
        return self.counted[1]

    def _error(self, what: str) -> NoJSONError:
        return NoJSONError(what, self._line())
