"""JSON with the line of every value, and with names that stand twice, for findings about a file.

Idea: the readers of the standard library, which note where each value begins. Names of
an object are kept in order and as often as they stand. What is no JSON raises an error with its
line.
"""

import json
from bisect import bisect_left
from dataclasses import dataclass
from json.decoder import JSONArray, JSONObject  # type: ignore[attr-defined]  # parts of it
from typing import Any

from contend.base.errors import FileFormatError

DEEPEST = 100  # of objects within each other
_KINDS = {str: "string", int: "integer", float: "number"}


class NoJSONError(FileFormatError):
    """A text that is no JSON: the `problem` with it in which line."""

    def __init__(self, problem: str, line: int, remedy: str = "mend it there") -> None:
        super().__init__(f"line {line} is no JSON: {problem}", remedy)
        self.problem = problem
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
        return self.content if self.kind == "array" else ()

    def get(self, name: str) -> "Value | None":
        """The value of a name; of those that stand twice, the first."""
        members = self.content if self.kind == "object" else ()
        return next((member.value for member in members if member.name == name), None)


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
    """
    reader, begin = _Reader(text), len(text) - len(text.lstrip(" \t\n\r"))
    try:
        value, end = reader.value(text, begin)
    except StopIteration as stop:
        raise NoJSONError("Expecting value", reader.line(stop.value)) from None
    except json.JSONDecodeError as error:
        raise NoJSONError(error.msg, error.lineno) from None
    if rest := text[end:].lstrip(" \t\n\r"):
        raise NoJSONError("something follows the end", reader.line(len(text) - len(rest)))
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.depth = text, 0
        self.ends = [place for place, char in enumerate(text) if char == "\n"]
        decoder: Any = json.JSONDecoder(parse_constant=int)  # which refuses words
        self.plain = decoder.scan_once

    def line(self, place: int) -> int:
        return bisect_left(self.ends, place) + 1

    def value(self, text: str, place: int) -> tuple[Value, int]:
        """The value that begins at a place, and the place behind it."""
        line, kind = self.line(place), {"{": "object", "[": "array"}.get(text[place : place + 1])
        if kind is None:
            try:
                content, end = self.plain(text, place)
            except json.JSONDecodeError:
                raise
            except ValueError:  # NaN, Infinity, and more digits than are read
                raise NoJSONError(f"{text[place : place + 20]!r} is no value", line) from None
            return Value(content, line, _KINDS.get(type(content), "word")), end
        if self.depth > DEEPEST:
            raise NoJSONError(f"more than {DEEPEST} objects within each other", line)
        lines: list[int] = []

        def member(text: str, place: int) -> tuple[Value, int]:
            lines.append(self.line(text.rindex('"', 0, place)))
            return self.value(text, place)

        self.depth += 1
        if kind == "array":
            content, end = JSONArray((text, place + 1), self.value)
        else:
            pairs, end = JSONObject((text, place + 1), True, member, None, list)
            named = zip(pairs, lines, strict=True)
            content = [Member(name, line, value) for (name, value), line in named]
        self.depth -= 1
        return Value(tuple(content), line, kind), end
