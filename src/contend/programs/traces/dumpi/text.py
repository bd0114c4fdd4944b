"""Calls in the text that dumpi2ascii prints.

A call is the line with which it is entered, a line per parameter, and that with which it returns:

    MPI_Send entering at walltime 12.000000100, cputime 0.000000100 seconds in thread 0.
    int count=4
    MPI_Datatype datatype=9 (MPI_INT)
    MPI_Send returning at walltime 12.000000200, cputime 0.000000200 seconds in thread 0.

What stands before the first and after the last call (its options -H, -K, -F, -X) is no call; sizes
of datatypes are taken from there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from contend.base.errors import FileFormatError
from contend.base.textfile import read_text

_EDGE = re.compile(
    r"(MPI\w+) (entering|returning) at walltime (\d{1,12})\.(\d{1,9})\b(?:.* in thread (\d{1,9}))?"
)
_UNTIMED = re.compile(r"(MPI\w+) (?:entering|returning) at walltime ([^,]*)")
_SIZE = re.compile(r"Datatype (\d{1,9}) \(.*\) has size (\d+)$")
_NUMBER = re.compile(r"-?\d+")
_STATUS = re.compile(r"bytes=(-?\d+), cancelled=(-?\d+), source=(-?\d+), tag=(-?\d+)")
_DIGITS = 12  # of numbers: more than those of MPI have
REMEDY = "print the trace again with dumpi2ascii"


class Status(NamedTuple):
    """What a receive or probe found."""

    bytes: int
    is_cancelled: int
    source: int  # in ranks of the communicator
    tag: int


@dataclass
class Call:
    path: Path  # of the file of the rank
    line: int
    name: str
    start: int  # ns of the clock of the rank
    end: int
    values: dict[str, str]  # of its parameters, as they stand
    thread: int = 0

    def error(self, problem: str, remedy: str = REMEDY) -> FileFormatError:
        """Return an error that names the call and its line."""
        return FileFormatError(f"{self.path} line {self.line}: {self.name} {problem}", remedy)

    def number(self, name: str) -> int:
        numbers = self.numbers(name)
        if len(numbers) != 1:
            raise self.error(f"{name} is {self.values[name][:40]!r}, not a number")
        return numbers[0]

    def has(self, name: str) -> bool:
        return name in self.values and bool(self.numbers(name))

    def numbers(self, name: str) -> list[int]:
        """Return the numbers of a parameter, none where it was not recorded."""
        if name not in self.values:
            raise self.error(f"has no {name}")
        text = self.values[name].partition("(")[0]  # a number's meaning is in parentheses
        return [self._parsed(name, word) for word in _NUMBER.findall(text)]

    def statuses(self, name: str) -> list[Status]:
        """Return the statuses of a parameter, none where they were not recorded."""
        statuses = _STATUS.findall(self.values.get(name, ""))
        return [Status(*(self._parsed(name, word) for word in words)) for words in statuses]

    def _parsed(self, name: str, word: str) -> int:
        if len(word) > _DIGITS:
            raise self.error(f"{name} {word[:40]} is too large")
        return int(word)


@dataclass
class RankText:
    path: Path
    calls: list[Call] = field(default_factory=list)
    sizes: dict[int, int] = field(default_factory=dict)  # bytes of datatypes that the file tells

    def error(self, line: int, problem: str) -> FileFormatError:
        return FileFormatError(f"{self.path} line {line}: {problem}", REMEDY)


def read_calls(path: Path) -> RankText:
    """Read the calls of a rank.

    Raise FileFormatError for a call within another, or for what is no call among them.
    """
    text = RankText(path)
    whole, _, torn = read_text(path, errors="replace").rpartition("\n")
    if _EDGE.match(torn) and torn.endswith("."):
        whole = f"{whole}\n{torn}"
    lines = enumerate(whole.split("\n"), start=1)
    stray = 0  # the first line since the last call that is none
    for number, line in lines:
        if (edge := _EDGE.match(line)) is None:
            _refuse_untimed(text, number, line)
            if size := _SIZE.match(line):
                text.sizes[int(size[1])] = int(size[2][:_DIGITS])
            elif line.strip() and not line.startswith("Perfcounters:"):
                stray = stray or number
            continue
        if text.calls and stray:
            raise text.error(stray, "stands between two calls and is none")
        if edge[2] != "entering":
            raise text.error(number, f"{edge[1]} returns and was not entered")
        stray = 0
        if (call := _call(text, lines, edge, number)) is None:
            break
        text.calls.append(call)
    if not text.calls:
        raise FileFormatError(f"{path}: no call of MPI is in it", REMEDY)
    return text


def _call(
    text: RankText, lines: Iterator[tuple[int, str]], edge: re.Match[str], begin: int
) -> Call | None:
    """Return the call; None where the file ends within it, as of a program that was killed."""
    values: dict[str, str] = {}
    last = ""
    for number, line in lines:
        if end := _EDGE.match(line):
            if end[2] != "returning" or end[1] != edge[1]:
                raise text.error(number, f"{end[1]} is {end[2]} where {edge[1]} returns")
            start, stop = (int(at[3]) * 10**9 + int(at[4].ljust(9, "0")) for at in (edge, end))
            if stop < start:
                raise text.error(number, f"{edge[1]} returns before it was entered")
            return Call(text.path, begin, edge[1], start, stop, values, int(edge[5] or 0))
        _refuse_untimed(text, number, line)
        head, sign, value = line.lstrip("]").partition("=")
        words = head.split(" ")
        if sign and len(words) == 2:
            last = words[1].partition("[")[0]
            values[last] = value
        elif last:  # ranges have several lines
            values[last] += f" {line}"
    return None


def _refuse_untimed(text: RankText, number: int, line: str) -> None:
    if "walltime" in line and (edge := _UNTIMED.match(line)):
        problem = f"the walltime of {edge[1]} is {edge[2][:40]!r}, not seconds from 0"
        raise text.error(number, problem)
