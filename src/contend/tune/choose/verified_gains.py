"""What a program gained by rules, in a file; where it was slower, the default stays.

Source: `contend.tune.verification`, pairs of runs with rules and without. Idea: samples time calls
that all processes begin together. In a program these come apart, calls overlap, and memory is
elsewhere than in a benchmark: where that is to the advantage of the default, all that was to gain
over it is in doubt, not by one algorithm alone. So at the n and m of calls that were significantly
slower by a rule, nothing takes the place of the default; where one algorithm has to serve all
sizes, at that n. Calls can be slower though no rule is for them, as what they share with others is
in another state: where all calls together were significantly slower, and no departure alone,
nothing takes the place of the default in the operations that had departures, at each n that had
any. Restrictions: at these n and m, as far as a choice of theirs reaches
(`contend.tune.choose.tile`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from pydantic import Field, model_validator

from contend.base.document import Document, Record, read_document_file
from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes
from contend.tune.choose.rules import Range, meet
from contend.tune.choose.safe import Grid
from contend.tune.choose.tile import edges


class VerifiedGain(Record):
    """What a program gained by rules on n processes, by runs in pairs."""

    n: int = Field(ge=1, description="processes of the communicator")
    processes_per_node: int | None = Field(None, ge=1, description="absent: they differ")
    gain: float = Field(gt=0, description="time by default over time with the rules")
    gain_low: float | None = Field(None, description="lower end of its interval of 95 %")
    gain_high: float | None = Field(None, description="upper end")
    pairs: int = Field(ge=1, description="of runs")
    is_slower: bool = Field(
        description="whether it is significantly a loss: of calls below 0.98, of a program below 1"
    )

    @model_validator(mode="after")
    def _says_how_sure_it_is(self) -> "VerifiedGain":
        if self.is_slower and None in (self.gain_low, self.gain_high):
            raise ValueError("is_slower needs gain_low and gain_high")
        return self

    @property
    def _gain_words(self) -> str:
        return (
            f"{self.gain:.2f} ({self.gain_low:.2f} to {self.gain_high:.2f}) on {self.n} processes"
        )


class VerifiedCalls(VerifiedGain):
    """Calls of an operation on n processes that one rule was for, from m to m_last bytes."""

    operation: str
    m: int = Field(ge=0, description="bytes, as in decisions: of the smallest call")
    m_last: int = Field(ge=0, description="of the largest")
    algorithm: str = Field(description="the library's own name")
    options: dict[str, int] = Field(default_factory=dict, description="as the library names them")

    @model_validator(mode="after")
    def _begins_before_it_ends(self) -> "VerifiedCalls":
        if self.m_last < self.m:
            raise ValueError(f"m_last = {self.m_last} is below m = {self.m}")
        return self

    @property
    def place(self) -> tuple[object, ...]:
        """What it is of: of two of the same place the later one holds."""
        options = tuple(sorted(self.options.items()))
        where = self.operation, self.n, self.processes_per_node, self.m, self.m_last
        return *where, self.algorithm, options

    @property
    def sizes(self) -> Range:
        """Bytes that it is of, from the first to below the last."""
        return self.m, self.m_last + 1

    @property
    def words(self) -> str:
        sizes = format_bytes(self.m)
        if self.m_last > self.m:
            sizes += f" to {format_bytes(self.m_last)}"
        return f"a program was slower by {self.algorithm}: {self._gain_words}, {sizes}"


class VerifiedProgram(VerifiedGain):
    """All collective calls of a program together, where no departure alone is significantly slower.

    `departures` are those on n of its processes, which may be fewer than all.
    """

    ranks: int | None = Field(None, ge=1, description="processes of the program; absent: n")
    departures: dict[str, tuple[str, ...]] = Field(
        description="algorithms that took the place of the default, by operation"
    )

    @property
    def place(self) -> tuple[object, ...]:
        """What it is of: of two of the same place the later one holds."""
        where = self.ranks or self.n, self.n, self.processes_per_node
        return *where, tuple(sorted(self.departures.items()))

    @property
    def sizes(self) -> Range:
        return 0, None

    @property
    def words(self) -> str:
        whole = "" if self.ranks in (None, self.n) else f" on {self.ranks} processes"
        return f"all calls of a program{whole} together were slower by rules: {self._gain_words}"


class VerifiedGains(Document):
    schema_name: ClassVar[str] = "contend.verified"
    schema_version: ClassVar[int] = 1

    library: str = Field(description="as 'openmpi'")
    library_version: str = Field(description="as '5.0.11'")
    calls: tuple[VerifiedCalls, ...] = ()
    programs: tuple[VerifiedProgram, ...] = ()

    @classmethod
    def load(cls, path: str | Path) -> "VerifiedGains":
        """Those of a file; FileFormatError says what is wrong with it."""
        return read_document_file(cls, path, "name a file of contend tune verify -o")

    def added_to(self, path: str | Path) -> "VerifiedGains":
        """What a file has, if there is one, and these: of what is in both, these."""
        if not Path(path).exists():
            return self
        before = VerifiedGains.load(path)
        before.require(self.library, self.library_version, str(path))
        calls = {call.place: call for call in (*before.calls, *self.calls)}
        programs = {program.place: program for program in (*before.programs, *self.programs)}
        both = {"calls": tuple(calls.values()), "programs": tuple(programs.values())}
        return self.model_copy(update=both)

    def require(self, library: str, version: str, name: str = "the file") -> None:
        """Raise InvalidInputError where these are gains by another MPI library, or version."""
        if (self.library, self.library_version) != (library, version):
            source = f"{self.library} {self.library_version}"
            raise InvalidInputError(
                f"{name} has verified gains by {source}, not by {library or 'any known'} {version}",
                "name another file for another library or version",
            )


def held_back(grid: Grid, verified: Iterable[VerifiedGains], *, at_all_sizes: bool) -> Grid:
    """The grid, where nothing is safe at the places of what was slower by rules.

    `at_all_sizes`: for every m of such an n.
    """
    is_safe, held = grid.is_safe.copy(), grid.held.copy()
    for slower in _slower(grid, verified):
        ends = (0, None) if at_all_sizes else slower.sizes
        for row in _reached(grid.n, (slower.n, slower.n + 1)):
            for column in _reached(grid.m, ends, grid.contest.sizes):
                is_safe[:, row, column] = False
                held[row, column] = slower.words
    return replace(grid, is_safe=is_safe, held=held)


def _slower(
    grid: Grid, verified: Iterable[VerifiedGains]
) -> Iterator[VerifiedCalls | VerifiedProgram]:
    """What was slower and is of the grid's operation and placement."""
    of_operation, here = grid.contest.operation, grid.contest.default.processes_per_node
    for gains in verified:
        candidates: list[VerifiedCalls | VerifiedProgram] = []
        candidates += [program for program in gains.programs if of_operation in program.departures]
        candidates += [call for call in gains.calls if call.operation == of_operation]
        for candidate in candidates:
            if candidate.is_slower and len({here, candidate.processes_per_node} - {None}) < 2:
                yield candidate


def _reached(values: Sequence[int], ends: Range, seen: Sequence[int] = ()) -> list[int]:
    """Places of ascending numbers whose range has a number in common with that between ends."""
    begins = edges(values, seen)
    return [place for place, span in enumerate(pairwise(begins)) if meet(span, ends)]
