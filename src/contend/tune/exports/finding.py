"""What is wrong with a file of rules: where, what comes of it, and what to do."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from contend.base.near_names import nearest_name

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


class Faults:
    """Findings by code, as the file of TOML beside a module has them.

    A table is named by its code; what stands behind a colon tells tables of one code apart. It has
    the message under its level, and the remedy, with names of what is put into both: `words` into
    all, others into one.
    """

    def __init__(self, module_file: str, **words: object) -> None:
        self.path, self.words = Path(module_file).with_suffix(".toml"), words

    @cached_property
    def table(self) -> dict[str, dict[str, str]]:
        return tomllib.loads(self.path.read_text())

    def __call__(self, key: str, line: int | None, /, **given: object) -> Finding:
        fault, values = self.table[key], self.words | given
        level = next(level for level in LEVELS if level in fault)
        message, remedy = (fault[name].format(**values) for name in (level, "remedy"))
        return Finding(level, key.partition(":")[0], message, remedy, line)


def meant(name: str, names: Iterable[str], otherwise: str = "remove it") -> str:
    """Return the remedy of a name that is not known: the nearest that is, or else another.

    >>> meant("bcst", ["bcast", "reduce"]), meant("x", ["bcast"])
    ('write bcast', 'remove it')
    """
    near = nearest_name(name, names)
    return f"write {near}" if near else otherwise


def worst(findings: Iterable[Finding]) -> Level | None:
    """The gravest level; None where there is no finding.

    >>> worst([Finding("note", "a", "", ""), Finding("warning", "b", "", "")])
    'warning'
    """
    levels = {finding.level for finding in findings}
    return next((level for level in LEVELS if level in levels), None)


def by_line(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in the order of their lines, each once; those of the whole file first."""
    return sorted(dict.fromkeys(findings), key=lambda finding: finding.line or 0)
