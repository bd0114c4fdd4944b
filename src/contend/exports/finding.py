"""What is wrong with a file of rules: where, what comes of it, and what to do."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")


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


def worst(findings: Iterable[Finding]) -> Level | None:
    """The gravest level; None where there is no finding.

    >>> worst([Finding("note", "a", "", ""), Finding("warning", "b", "", "")])
    'warning'
    """
    found = {one.level for one in findings}
    return next((level for level in LEVELS if level in found), None)
