"""What is wrong with a file of rules: where, what comes of it, and what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
Fault = tuple[Level, str, str]  # level, message and remedy, with names of what is put into them


@dataclass(frozen=True)
class Finding:
    """A place in a file of rules where the library does not do what its author meant.

    An error: the library ignores a rule or the file, aborts or hangs. A warning: what the library
    does is hardly meant. A note: what to know besides.
    """

    level: Level
    code: str  # short, for machines: "first-size"
    message: str  # what stands there, and what the library makes of it
    remedy: str
    line: int | None = None  # counted from 1; None: of the whole file

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        return f"{place}{self.message}; {self.remedy}"


class Faults:
    """A table of faults by code; what stands behind a colon tells faults of one code apart.

    >>> str(Faults({"a": ("note", "{what} is odd", "see {where}")})("a", 3, what=1, where="b"))
    'line 3: 1 is odd; see b'
    """

    def __init__(self, table: Mapping[str, Fault]) -> None:
        self.table = table

    def __call__(self, key: str, line: int | None, /, **given: object) -> Finding:
        """Return the finding of a fault in a line."""
        level, message, remedy = self.table[key]
        code = key.partition(":")[0]
        return Finding(level, code, message.format(**given), remedy.format(**given), line)


def meant(name: str, known: Iterable[str], otherwise: str = "remove it") -> str:
    """Return the remedy of a name that is not known: the nearest that is, or else another.

    >>> meant("bcst", ["bcast", "reduce"]), meant("x", ["bcast"])
    ('write bcast', 'remove it')
    """
    near = get_close_matches(name, list(known), 1)
    return f"write {near[0]}" if near else otherwise


def worst(findings: Iterable[Finding]) -> Level | None:
    """The gravest level; None where there is no finding.

    >>> worst([Finding("note", "a", "", ""), Finding("warning", "b", "", "")])
    'warning'
    """
    levels = {one.level for one in findings}
    return next((level for level in LEVELS if level in levels), None)


def by_line(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in the order of their lines, each once; those of the whole file first."""
    return sorted(dict.fromkeys(findings), key=lambda one: one.line or 0)
