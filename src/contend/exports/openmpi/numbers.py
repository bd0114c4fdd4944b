"""Numbers of a rules file as Open MPI reads them, with the line of each.

Source: ompi_coll_base_file_getnext_long: fscanf("%li"), which takes 010 for eight and 0x10 for
sixteen; where that finds no number a character is skipped without a word, and from # on the line.
"""

import re
from dataclasses import dataclass

from contend.exports.settings import says_script

LONG_MAX = 2**63 - 1
NUMBER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_SPACE = re.compile(r"[ \t\n\v\f\r]*")
_DIGIT = re.compile(r"[ \t]*[0-9]")
_BEGIN = re.compile(r"[+-]?\d\w*(?:\s|#|$)")  # no date, address, item of a list or of CSV
_MOST_DIGITS = 24  # more than a long has, in any base


@dataclass(frozen=True)
class Number:
    """A number, as written and as read; `end` is the place in the text behind it."""

    value: int
    text: str
    line: int
    end: int
    is_glued: bool = False  # to what stands before it, as the 9 of 09 and the 5 of 2.5


@dataclass(frozen=True)
class Skipped:
    """Characters that the library skips without a word."""

    text: str
    line: int


def scan(text: str, start: int = 0) -> tuple[list[Number], list[Skipped]]:
    """Numbers and skipped characters of a text from a place on, in order.

    >>> numbers, skipped = scan("010 4k # rest 5")
    >>> [one.value for one in numbers], [one.text for one in skipped]
    ([8, 4], ['k'])
    """
    numbers: list[Number] = []
    skipped: list[Skipped] = []
    place, line, last = start, 1 + text.count("\n", 0, start), -1
    while True:
        after = _SPACE.match(text, place).end()  # type: ignore[union-attr]  # matches nothing too
        line += text.count("\n", place, after)
        place = after
        if place >= len(text):
            return numbers, skipped
        if match := NUMBER.match(text, place):
            numbers.append(Number(value_of(match[0]), match[0], line, match.end(), place == last))
            place = last = match.end()
        elif text[place] == "#":
            place = (text.find("\n", place) + 1 or len(text) + 1) - 1
        else:
            place = last = _skip(text, place, line, skipped)


def has_digit_next(text: str, place: int) -> bool:
    """Whether the next of the line but blanks is a digit, which the fifth number depends on."""
    return _DIGIT.match(text, place) is not None


def _skip(text: str, place: int, line: int, skipped: list[Skipped]) -> int:
    """The place behind a character that is skipped, which joins those skipped before it."""
    glued = skipped and text.endswith(skipped[-1].text, 0, place) and skipped[-1].line == line
    if glued:
        skipped[-1] = Skipped(skipped[-1].text + text[place], line)
    else:
        skipped.append(Skipped(text[place], line))
    return place + 1


def value_of(text: str) -> int:
    """The value as strtol with base 0 gives it."""
    digits = text.lstrip("+-")
    if len(digits) > _MOST_DIGITS:
        value = LONG_MAX
    else:
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
        value = min(int(digits, base), LONG_MAX)
    return -value if text[0] == "-" else value


def is_numbers(text: str) -> bool:
    r"""Whether a text looks like rules: the first line but comments, or most, begin with a number.

    >>> is_numbers("# rules\n1\n7\n"), is_numbers("# a script\nmodule load mpi\n")
    (True, False)
    """
    lines = [line for line in (each.strip() for each in text.splitlines()) if line[:1] not in "#"]
    begins = [_BEGIN.match(line) is not None for line in lines if line]
    is_most = 2 * sum(begins) >= len(begins) and not says_script(text)
    return bool(begins) and (begins[0] or is_most)
