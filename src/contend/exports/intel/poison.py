"""Variables of Intel MPI whose presets are poisoned: they are out of range.

Run with 2021.18: with I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK the library ends a program at a call
whose preset does not serve it, and at one whose preset there is none of ("algo #-1 has fallback").
"""

from collections.abc import Collection, Mapping
from typing import ClassVar

from contend.exports.intel.values import MOST, PREFIX, UNITS, Clause, Reach, clauses, reaches
from contend.exports.poison import Poison
from contend.exports.shell import exporting, values
from contend.libraries import LIBRARIES, Version

NOBODY = 99  # no operation has so many presets
NUMBER = 4  # bytes of each number that the program of a probe reduces


class PresetPoison(Poison):
    """Poisons presets."""

    strict: ClassVar[Mapping[str, str]] = {f"{PREFIX}FAILURE_ON_COLL_FALLBACK": "1"}

    def leaves(self, text: str, operation: str, version: Version) -> tuple[str, ...]:
        """Names of the presets that the value of an operation has."""
        library = LIBRARIES.get("intel")
        held = (
            library.numbered(operation, one.preset, version) for one in _clauses(text, operation)
        )
        return tuple(dict.fromkeys(one.own_name for one in held if one))

    def poisoned(
        self, text: str, operation: str, algorithms: Collection[str], n: int, m: int
    ) -> str:
        """The variables with some presets of an operation out of range, where sizes count for m."""
        library = LIBRARIES.get("intel")
        numbers = {
            one.number for one in library.table
            if one.operation == operation and one.own_name in algorithms
        }  # fmt: skip
        block = m - m % NUMBER if "reduce" in operation else m
        size = block * n if UNITS.get(operation) == "total" else block
        held = reaches(_clauses(text, operation), operation)
        asked = size if operation in UNITS else None
        parts = [part for one in held for part in _parts(one, one.preset in numbers, asked)]
        return exporting((), {**values(text), f"{PREFIX}{operation.upper()}": ";".join(parts)})


def _clauses(text: str, operation: str) -> list[Clause]:
    value = values(text).get(f"{PREFIX}{operation.upper()}", "")
    return list(clauses(value)) if value else []


def _parts(one: Reach, is_poisoned: bool, asked: int | None) -> list[str]:
    """What stands for some calls: their preset, or poison for all or for those of a size."""
    last = MOST if one.size_last is None else one.size_last
    if one.condition.has_processes or one.n_last is not None:
        end = MOST if one.n_last is None else one.n_last
        return [f"{NOBODY if is_poisoned else one.preset}:0-{MOST}@{one.n}-{end}"]
    if asked is None or not is_poisoned or not one.size <= asked <= last:
        is_dead = is_poisoned and asked is None
        return [f"{NOBODY if is_dead else one.preset}:{one.size}-{last}"]
    below = [f"{one.preset}:{one.size}-{asked - 1}"] if one.size < asked else []
    above = [f"{one.preset}:{asked + 1}-{last}"] if asked < last else []
    return [*below, f"{NOBODY}:{asked}-{asked}", *above]
