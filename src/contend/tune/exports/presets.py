"""What a value of I_MPI_ADJUST_<OPERATION> says, and what Intel MPI makes of it.

Grammar (Developer Reference): preset[:condition[,condition...]][;preset:...], where a condition is
size[-size][@processes[-processes]], both ends within. No condition: all calls.
Run with 2021.18 (tests/exports/test_intel_obeys.py), by presets that a call cannot be served by and
I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK: conditions are no limits. The library looks at their upper
ends alone, in the order of the value: a call takes the first that it does not exceed, and where it
exceeds all the last. Where any condition names processes, only these count: sizes are passed over,
and of several conditions for the same processes the last stands in the place of the first. A
variable therefore leaves no call of its operation to the library.
Poison: a preset that is out of range. With I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK the library ends a
program at a call whose preset there is none of ("algo #-1 has fallback"), or does not serve it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from contend.schedules.libraries import LIBRARIES, Version
from contend.tune.exports.bands import Unit
from contend.tune.exports.format import Poison
from contend.tune.exports.shell import exporting, values

PREFIX = "I_MPI_ADJUST_"
# How sizes are counted, seen by running: bytes of a block of a rank, or of all that a rank reduces.
# The Developer Reference says the latter of allgatherv too, and no size of reduce_scatter_block. Of
# others no size is distinguished: the last condition serves all.
UNITS: Mapping[str, Unit] = {
    "bcast": "m", "reduce": "m", "allreduce": "m", "alltoall": "m", "allgather": "m",
    "gather": "m", "scatter": "m", "scan": "m", "exscan": "m", "allgatherv": "m",
    "reduce_scatter": "total", "reduce_scatter_block": "m",
}  # fmt: skip
MOST = 2**31 - 1  # the largest number of an int
_CLAUSE = re.compile(r"\s*(\d{1,9})\s*(?::(.*))?", re.DOTALL)
_CONDITION = re.compile(
    r"\s*(\d{1,19})\s*(?:-\s*(\d{1,19})\s*)?(?:@\s*(\d{1,19})\s*(?:-\s*(\d{1,19})\s*)?)?"
)


@dataclass(frozen=True)
class Condition:
    """Sizes and processes, both ends within; `has_processes`: it names them."""

    size: int
    size_last: int
    n: int
    n_last: int
    text: str = ""
    has_processes: bool = False


@dataclass(frozen=True)
class Clause:
    """A preset and what it is for; `unread` holds what is neither a preset nor a condition."""

    preset: int
    conditions: tuple[Condition, ...]
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reach:
    """Calls that run a preset: sizes and processes with both ends within, None: no end.

    `condition` is the one that they run it by.
    """

    preset: int
    condition: Condition
    size: int = 0
    size_last: int | None = None
    n: int = 1
    n_last: int | None = None


ALL = Condition(0, MOST, 1, MOST, "all")


def clauses(value: str) -> Iterator[Clause]:
    """The presets of a value, in order.

    >>> [(one.preset, one.conditions[0].size_last) for one in clauses("1:0-256@2-8;3:257-512")]
    [(1, 256), (3, 512)]
    """
    for text in value.split(";"):
        match = _CLAUSE.fullmatch(text)
        if match is None:
            yield Clause(0, (), (text.strip(),))
            continue
        if not (match[2] or "").strip():
            yield Clause(int(match[1]), (ALL,))
            continue
        parts = [(part, _CONDITION.fullmatch(part)) for part in match[2].split(",")]
        read = tuple(_condition(condition, part) for part, condition in parts if condition)
        yield Clause(
            int(match[1]), read, tuple(part.strip() for part, condition in parts if not condition)
        )


def _condition(match: re.Match[str], text: str) -> Condition:
    size, n = int(match[1]), int(match[3] or 1)
    size_last = int(match[2]) if match[2] else size
    n_last = int(match[4]) if match[4] else n if match[3] else MOST
    return Condition(size, size_last, n, n_last, text.strip(), match[3] is not None)


def reaches(held: Sequence[Clause], operation: str = "alltoall") -> list[Reach]:
    """Which calls of an operation run which preset, in the order of the value.

    >>> [(one.preset, one.size, one.size_last) for one in reaches([*clauses("1:9-64;3:65-100")])]
    [(1, 0, 64), (3, 65, None)]
    >>> [(one.preset, one.n, one.n_last) for one in reaches([*clauses("1:0-64@2-4;3:0-64@8")])]
    [(1, 1, 4), (3, 5, None)]
    """
    wanted = [(clause.preset, each) for clause in held for each in clause.conditions]
    if any(each.has_processes for _, each in wanted):
        by_processes = {(each.n, each.n_last): (preset, each) for preset, each in wanted}
        ends = [(preset, each, each.n_last) for preset, each in by_processes.values()]
        return [
            Reach(preset, each, n=first, n_last=last)
            for preset, each, first, last in _thresholds(ends, 1)
        ]
    if operation not in UNITS:
        wanted = wanted[-1:]
    ends = [(preset, each, each.size_last) for preset, each in wanted]
    return [
        Reach(preset, each, size=first, size_last=last)
        for preset, each, first, last in _thresholds(ends, 0)
    ]


def _thresholds(
    ends: Sequence[tuple[int, Condition, int]], begin: int
) -> Iterator[tuple[int, Condition, int, int | None]]:
    """From where to where each condition is the first that is not exceeded; the last has no end."""
    for index, (preset, condition, end) in enumerate(ends):
        is_last = index == len(ends) - 1
        if end >= begin or (is_last and begin <= MOST):
            yield preset, condition, begin, None if is_last else end
        begin = max(begin, end + 1)


NOBODY = 99  # no operation has so many presets
NUMBER = 4  # bytes of each number that the program of a probe reduces


class PresetPoison(Poison):
    strict: ClassVar[Mapping[str, str]] = {f"{PREFIX}FAILURE_ON_COLL_FALLBACK": "1"}

    def leaves(self, text: str, operation: str, version: Version) -> tuple[str, ...]:
        """Names of the presets that the value of an operation has."""
        library = LIBRARIES.get("intel")
        held = (
            library.numbered(operation, clause.preset, version)
            for clause in _clauses(text, operation)
        )
        return tuple(dict.fromkeys(algorithm.own_name for algorithm in held if algorithm))

    def poisoned(
        self, text: str, operation: str, algorithms: Collection[str], n: int, m: int
    ) -> str:
        """The variables with some presets of an operation out of range, where sizes count for m."""
        library = LIBRARIES.get("intel")
        numbers = {
            algorithm.number for algorithm in library.table
            if algorithm.operation == operation and algorithm.own_name in algorithms
        }  # fmt: skip
        block = m - m % NUMBER if "reduce" in operation else m
        size = block * n if UNITS.get(operation) == "total" else block
        held = reaches(_clauses(text, operation), operation)
        asked = size if operation in UNITS else None
        parts = [part for reach in held for part in _parts(reach, reach.preset in numbers, asked)]
        return exporting((), {**values(text), f"{PREFIX}{operation.upper()}": ";".join(parts)})


def _clauses(text: str, operation: str) -> list[Clause]:
    value = values(text).get(f"{PREFIX}{operation.upper()}", "")
    return list(clauses(value)) if value else []


def _parts(reach: Reach, is_poisoned: bool, asked: int | None) -> list[str]:
    """What stands for some calls: their preset, or poison for all or for those of a size."""
    last = MOST if reach.size_last is None else reach.size_last
    if reach.condition.has_processes or reach.n_last is not None:
        end = MOST if reach.n_last is None else reach.n_last
        return [f"{NOBODY if is_poisoned else reach.preset}:0-{MOST}@{reach.n}-{end}"]
    if asked is None or not is_poisoned or not reach.size <= asked <= last:
        is_dead = is_poisoned and asked is None
        return [f"{NOBODY if is_dead else reach.preset}:{reach.size}-{last}"]
    below = [f"{reach.preset}:{reach.size}-{asked - 1}"] if reach.size < asked else []
    above = [f"{reach.preset}:{asked + 1}-{last}"] if asked < last else []
    return [*below, f"{NOBODY}:{asked}-{asked}", *above]
