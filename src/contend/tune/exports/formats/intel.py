"""Intel MPI: a file of shell that sets I_MPI_ADJUST_<OPERATION>="preset:sizes@processes;...".

Run with 2021.18: a value that it cannot read is ignored and reported ("Incorrect adjust value"), a
preset out of range too ("Incorrect algorithm"), but then the algorithm is not the default's.
Conditions are no limits (`contend.tune.exports.presets`): one variable chooses a preset for every
call of its operation, by size or by number of processes. So an operation gets one only where
something was decided for all sizes, and nothing of it is left to the library.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import ClassVar

from contend.schedules.libraries import Version
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import Piece, identity, pieces
from contend.tune.exports.file_rules import wrong_in_some
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Faults, Finding, meant
from contend.tune.exports.format import Poison
from contend.tune.exports.presets import (
    MOST,
    PREFIX,
    UNITS,
    Clause,
    Condition,
    PresetPoison,
    clauses,
    reaches,
)
from contend.tune.exports.settings import Setting
from contend.tune.exports.shell import Departure, Departures, VariablesFormat, values
from contend.tune.exports.surroundings import Surrounding, in_effect

NONBLOCKING = "I_MPI_ADJUST_I"
REPRODUCIBLE = "I_MPI_CBWR"  # results that are the same whatever the placement
# Ends of names of variables that choose parts of algorithms, in libmpi.so of 2021.18.
PARTS = ("_LIST", "ALLTOALLW", "_COMPOSITION", "_NETWORK", "_NODE", "_RADIX", "_SEGSIZE",
         "_THROTTLE", "_TYPE", "_NBUFFERS", "_THRESHOLD", "_OFFLOAD", "_SIZE", "_NLEAD",
         "_MREDUCE", "_NRAIL", "_PIPELINE", "_FALLBACK", "_NB_ALLGATHER", "_NB_ALLTOALL",
         "_ARCH")  # fmt: skip
_FAULT = Faults(__file__)


class IntelVariables(VariablesFormat):
    name = "intel"
    title = "Intel MPI's variables"
    library_name = "intel"
    first = (2021, 18)
    family = PREFIX
    between = ";"
    units = UNITS
    most = MOST
    poison: ClassVar[Poison | None] = PresetPoison()

    def _departures(
        self, operation: str, rules: Sequence[Rule], version: Version, notes: list[str]
    ) -> Iterator[Departure]:
        """All or nothing: a variable leaves no call of its operation to the library."""
        departures = list(super()._departures(operation, rules, version, notes))
        tiles = pieces(rules, UNITS.get(operation, "none"), MOST)
        decided = [piece for piece in tiles if any(band.rule for band in piece.bands)]
        if departures and not (_is_by_sizes(decided) or _is_by_processes(decided)):
            has_default = any(not band.departure for piece in decided for band in piece.bands)
            why = (
                "takes all calls, and here some stay with the default" if has_default
                else "tells them apart by size or by processes, and here both decide"
            )  # fmt: skip
            notes.append(f"{operation}: left to Intel MPI, since its variable {why}")
            return
        if departures:
            least, last = decided[0].first, decided[-1].last
            reach = f"{least} and more" if last is None else f"{least} to {last}"
            notes.append(
                f"{operation}: decided for {reach} processes, and taken on every number of them; "
                "source this file for such jobs alone"
            )
        yield from departures

    def others(self, around: Sequence[Surrounding]) -> Iterator[Finding]:
        """I_MPI_CBWR, under which presets are not taken (run with 2021.18, values 1 and 2)."""
        setting = in_effect(around).get(REPRODUCIBLE)
        if setting is not None and setting.value.strip() not in ("", "0"):
            yield _FAULT("reproducible", None, **vars(setting))

    def variables(
        self, departures: Departures, kept: Mapping[str, str], notes: list[str]
    ) -> dict[str, str]:
        """A variable for each operation, by sizes or by processes."""
        variables = dict(kept)
        for operation, decided in departures.items():
            name = f"{PREFIX}{operation.upper()}"
            variables.pop(name, None)
            if not decided:
                continue
            first = decided[0][0]
            if _is_by_sizes([piece for piece, _, _ in decided]):
                alike = [each for each in decided if each[0] is first]
                ends = [f"{band.least}-{_end(band.last)}" for _, band, _ in alike]
            else:
                alike = list(decided)
                starts = [1, *(piece.first for piece, _, _ in alike[1:])]
                lasts = [*(piece.last for piece, _, _ in alike[:-1]), MOST]
                ends = [f"0-{MOST}@{n}-{last}" for n, last in zip(starts, lasts, strict=True)]
            numbers = [algorithm.number for _, _, algorithm in alike]
            held = zip(numbers, ends, strict=True)
            variables[name] = ";".join(f"{number}:{end}" for number, end in held)
        return variables

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        return tuple(
            rule
            for name, value in values(text).items() if name.startswith(PREFIX)
            for rule in self._rules(name.removeprefix(PREFIX).lower(), value, version)
        )  # fmt: skip

    def _rules(self, operation: str, value: str, version: Version) -> Iterator[FileRule]:
        names = self._names(operation, version)
        for reach in reaches([*clauses(value)], operation) if names else ():
            yield FileRule(
                operation, reach.n, None if reach.n_last is None else reach.n_last + 1,
                reach.size, None if reach.size_last is None else reach.size_last + 1,
                names.get(reach.preset, "default"),
                is_per_communicator=UNITS.get(operation) == "total",
            )  # fmt: skip

    def _names(self, operation: str, version: Version) -> dict[int | None, str]:
        """The algorithms of an operation by their presets."""
        return {each.number: each.name for each in self.library.algorithms(operation, version)}

    def check(self, setting: Setting, version: Version, text: str) -> Iterator[Finding]:
        """What is ignored, and what is taken without a word."""
        name, line = setting.name, setting.line
        variables = sorted(f"{PREFIX}{each.upper()}" for each in self.library.operations(version))
        if name not in variables:
            if not name.startswith(NONBLOCKING) and not name.endswith(PARTS):
                yield _FAULT("variable", line, name=name, remedy=meant(name, variables))
            return  # the others exist, and are not what is decided on
        operation = name.removeprefix(PREFIX).lower()
        names = self._names(operation, version)
        held = list(clauses(setting.value))
        if unread := [part for clause in held for part in clause.unread]:
            yield _FAULT("syntax", line, text=unread[0], name=name)
            return
        most = max(number or 0 for number in names)
        for clause in held:
            if not 0 < clause.preset <= most:
                given = {"preset": clause.preset, "most": most, "name": name}
                yield _FAULT("preset", line, of=operation, **given)
            for condition in clause.conditions:
                yield from _of_condition(condition, operation, line)
            algorithm = names.get(clause.preset, "")
            yield from wrong_in_some(self.library, operation, algorithm, version, text, line)
        if not setting.problem:
            yield from _together(held, operation, line)


def _end(last: int | None) -> int:
    return MOST if last is None else last


def _is_by_sizes(decided: Sequence[Piece]) -> bool:
    """Whether the same holds on all numbers of processes, and nothing of it is a default."""
    bands = {tuple((b.last, identity(b.departure)) for b in piece.bands) for piece in decided}
    return len(bands) == 1 and all(band.departure for band in decided[0].bands)


def _is_by_processes(decided: Sequence[Piece]) -> bool:
    """Whether one algorithm holds for all sizes, on numbers of processes without one between."""
    ends = [(piece.last or MOST) + 1 for piece in decided[:-1]]
    is_joined = ends == [piece.first for piece in decided[1:]]
    return is_joined and all(
        len(piece.bands) == 1 and piece.bands[0].departure for piece in decided
    )


def _of_condition(condition: Condition, operation: str, line: int) -> Iterator[Finding]:
    if condition.size > condition.size_last or condition.n > condition.n_last:
        yield _FAULT("range", line, text=condition.text)
    if max(condition.size_last, condition.n_last) > MOST:
        yield _FAULT("number", line, text=condition.text)
    sized = condition.size > 0 or condition.size_last < MOST
    if sized and operation not in UNITS:
        yield _FAULT("size", line, of=operation, text=condition.text.partition("@")[0])


def _together(held: Sequence[Clause], operation: str, line: int) -> Iterator[Finding]:
    """What becomes of conditions beside each other, and for which calls they are taken besides."""
    all_of = [(clause.preset, each) for clause in held for each in clause.conditions]
    has_processes = any(each.has_processes for _, each in all_of)
    taken = reaches(held, operation)
    for _, each in all_of if has_processes else ():
        if each.size > 0 or each.size_last < MOST:
            yield _FAULT("sizes", line, text=each.text)
    used = [(reach.preset, reach.condition) for reach in taken]
    for preset, each in all_of:
        if (preset, each) not in used:
            yield _FAULT("hidden", line, text=each.text)
    for (first, earlier), (second, later) in combinations(all_of[:200], 2):
        if first != second and _meet(earlier, later, has_processes):
            texts = {"one": f"{first}:{earlier.text}", "other": f"{second}:{later.text}"}
            yield _FAULT("overlap", line, **texts)
    for reach in taken:
        asked = reach.condition
        calls = _beyond(reach.n, reach.n_last, asked.n, asked.n_last, "processes", 1)
        if not has_processes:
            calls += _beyond(reach.size, reach.size_last, asked.size, asked.size_last, "bytes", 0)
        if calls:
            yield _FAULT("reach", line, text=reach.condition.text, calls=" and ".join(calls))


def _meet(condition: Condition, other: Condition, has_processes: bool) -> bool:
    """Whether there is a call that both are for; sizes count only where no processes do."""
    sizes = max(condition.size, other.size) <= min(condition.size_last, other.size_last)
    processes = max(condition.n, other.n) <= min(condition.n_last, other.n_last)
    return processes if has_processes else sizes


def _beyond(first: int, last: int | None, least: int, most: int, of: str, begin: int) -> list[str]:
    """Calls that a condition is taken for and does not name."""
    below = [f"{first} to {least - 1} {of}"] if max(first, begin) < least else []
    above = [f"more than {most} {of}"] if (last is None and most < MOST) else []
    return below + above
