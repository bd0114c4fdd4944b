"""What a program gained by rules, in a file; where it was slower, the default stays.

Source: `contend.verification`, pairs of runs with rules and without.
Idea: samples time calls that all processes begin together. In a program these come apart, calls
overlap, and memory is elsewhere than in a benchmark: where that is to the advantage of the default,
all that was to gain over it is in doubt, not by one algorithm alone. So at the n and m of calls
that were surely slower by a rule, nothing takes the place of the default; where one algorithm has
to serve all sizes, at that n.
Restrictions: at these n and m, as far as a choice of theirs reaches (`contend.choose.tile`).
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from pydantic import Field, model_validator

from contend.choose.rules import meet
from contend.choose.safe import Grid
from contend.choose.tile import edges
from contend.document import Document, Record, read_document_file
from contend.errors import InvalidInputError
from contend.units import format_bytes
from contend.wholefile import write_whole


class VerifiedCalls(Record):
    """Calls of an operation on n processes that one rule was for, from m to m_last bytes."""

    operation: str
    n: int = Field(ge=1, description="processes")
    processes_per_node: int | None = Field(None, ge=1, description="absent: they differ")
    m: int = Field(ge=0, description="bytes, as in decisions: of the smallest call")
    m_last: int = Field(ge=0, description="of the largest")
    algorithm: str = Field(description="the library's own name")
    options: dict[str, int] = Field(default_factory=dict, description="as the library names them")
    gain: float = Field(gt=0, description="time by default over time with the rules")
    gain_low: float | None = Field(None, description="lower end of its interval of 95 %")
    gain_high: float | None = Field(None, description="upper end")
    pairs: int = Field(ge=1, description="of runs")
    is_slower: bool = Field(description="whether it is surely below 0.98")

    @model_validator(mode="after")
    def _says_how_sure_it_is(self) -> "VerifiedCalls":
        if self.m_last < self.m:
            raise ValueError(f"m_last = {self.m_last} is below m = {self.m}")
        if self.is_slower and None in (self.gain_low, self.gain_high):
            raise ValueError("is_slower needs gain_low and gain_high")
        return self

    @property
    def place(self) -> tuple[object, ...]:
        """What it is of: of two of the same place the later one holds."""
        options = tuple(sorted(self.options.items()))
        where = self.operation, self.n, self.processes_per_node, self.m, self.m_last
        return *where, self.algorithm, options

    @property
    def words(self) -> str:
        """What is to be said where the default stays for it."""
        return (
            f"a program was slower by {self.algorithm}: {self.gain:.2f} "
            f"({self.gain_low:.2f} to {self.gain_high:.2f}) on {self.n} processes, "
            f"{format_bytes(self.m)}"
            + (f" to {format_bytes(self.m_last)}" if self.m_last > self.m else "")
        )


class VerifiedGains(Document):
    """What programs gained by rules for one MPI library."""

    schema_name: ClassVar[str] = "contend.verified"
    schema_version: ClassVar[int] = 1

    library: str = Field(description="as 'openmpi'")
    library_version: str = Field(description="as '5.0.11'")
    calls: tuple[VerifiedCalls, ...] = ()

    def save(self, path: str | Path) -> None:
        """Write the file in one step."""
        write_whole(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> "VerifiedGains":
        """Those of a file; FileFormatError says what is wrong with it."""
        return read_document_file(cls, path, "name a file of contend tune verify -o")

    def added_to(self, path: str | Path) -> "VerifiedGains":
        """What a file has, if there is one, and these: of calls that are in both, these."""
        if not Path(path).exists():
            return self
        before = VerifiedGains.load(path)
        before.require(self.library, self.library_version, str(path))
        both = {one.place: one for one in (*before.calls, *self.calls)}
        return self.model_copy(update={"calls": tuple(both.values())})

    def require(self, library: str, version: str, name: str = "the file") -> None:
        """Raise InvalidInputError where these are gains by another MPI library, or version."""
        if (self.library, self.library_version) != (library, version):
            own = f"{self.library} {self.library_version}"
            raise InvalidInputError(
                f"{name} has verified gains by {own}, not by {library or 'any known'} {version}",
                "name another file for another library or version",
            )


def held_back(grid: Grid, calls: Iterable[VerifiedCalls], *, at_all_sizes: bool) -> Grid:
    """The grid, where nothing is safe at the places of calls that were slower by a rule.

    `at_all_sizes`: for every m of such an n.
    """
    is_safe, held = grid.is_safe.copy(), grid.held.copy()
    for one in calls:
        if not one.is_slower or not _is_of(grid, one):
            continue
        for row in _reached(grid.n, (one.n, one.n + 1)):
            ends = (0, None) if at_all_sizes else (one.m, one.m_last + 1)
            for column in _reached(grid.m, ends, grid.contest.sizes):
                is_safe[:, row, column] = False
                held[row, column] = one.words
    return replace(grid, is_safe=is_safe, held=held)


def _is_of(grid: Grid, one: VerifiedCalls) -> bool:
    placements = {grid.contest.default.processes_per_node, one.processes_per_node} - {None}
    return one.operation == grid.contest.operation and len(placements) < 2


def _reached(
    values: Sequence[int], ends: tuple[int, int | None], seen: Sequence[int] = ()
) -> list[int]:
    """Places of ascending numbers whose range has a number in common with that between ends."""
    begins = edges(values, seen)
    return [place for place, own in enumerate(pairwise(begins)) if meet(own, ends)]
