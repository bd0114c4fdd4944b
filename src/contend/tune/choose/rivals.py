"""The library's default of a network, and the measured algorithms that could take its place.

Of an operation and a placement: the default is what was measured as `native`; each of the others is
a setting, as "openmpi:chain,segment=8192", that was measured at a point or more where the default
was. At such a point their ratio is that of launches that had both, time-outs included, else that
of their medians. In production other jobs are other programs, at other times and on other nodes:
there only jobs that had both count.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from contend.models.network import Network, Operation
from contend.models.signature.algorithm_growth import usual_growth
from contend.samples.setting import OF_LIBRARY, nearest, own_name, split_setting
from contend.schedules.libraries import LIBRARIES, Version
from contend.tune.choose.gain import Gain, Pairs, launch_of_one
from contend.tune.choose.rules import OPERANDS, LeftOut
from contend.tune.choose.runs import Point, times_of

ALIKE = 0.02  # logarithm of the ratio of times of the same code
FEWEST_ALIKE = 3  # sizes next to each other


@dataclass(frozen=True)
class Rival:
    """An algorithm with its options, and what it gains over the default."""

    setting: str
    pairs: Pairs
    gain: Gain

    @property
    def algorithm(self) -> str:
        """The library's own name, without the library's."""
        return own_name(self.setting)

    @property
    def options(self) -> dict[str, int]:
        return split_setting(self.setting)[1]

    @property
    def library(self) -> str:
        """Its name, "" where the setting does not say it."""
        return self.setting.partition(OF_LIBRARY)[0] if OF_LIBRARY in self.setting else ""


@dataclass(frozen=True)
class Contest:
    """The default of an operation at a placement, and its rivals by name."""

    default: Operation
    rivals: tuple[Rival, ...]
    left_out: tuple[LeftOut, ...] = ()  # that are no rivals

    def always_right(self, version: Version, *, all_commute: bool) -> "Contest":
        """The same without rivals that are wrong in some valid programs."""
        faults = {rival.setting: fault_of(rival, self.operation, version) for rival in self.rivals}
        taken = ("", OPERANDS) if all_commute else ("",)
        wrong: dict[str, list[str]] = {}
        for rival in self.rivals:
            if (where := faults[rival.setting]) not in taken:
                wrong.setdefault(where, []).append(rival.algorithm)
        left_out = tuple(
            LeftOut(operation=self.operation, algorithms=tuple(dict.fromkeys(names)), where=where)
            for where, names in wrong.items()
        )
        kept = tuple(rival for rival in self.rivals if faults[rival.setting] in taken)
        return replace(self, rivals=kept, left_out=left_out)

    @property
    def operation(self) -> str:
        return self.default.operation

    def is_ambiguous(self, n: int, m: int) -> bool:
        """Return whether the default took the times of several algorithms around `m` at `n`.

        Where two that are named differently run the same code, as where one of them needs more
        ranks, and the default does so too, nothing says which of the two it is at another n.
        """
        return sum(_is_twin(rival.pairs, n, m) for rival in self.rivals) >= 2

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Numbers of processes at which there is a choice, ascending."""
        return tuple(sorted({int(n) for rival in self.rivals for n in rival.pairs.n}))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Sizes at which there is a choice, ascending."""
        return tuple(sorted({int(m) for rival in self.rivals for m in rival.pairs.m}))


def _is_twin(pairs: Pairs, n: int, m: int) -> bool:
    """Return whether a run of sizes at n, that of `m` or the next one among them, are alike."""
    rows = np.flatnonzero(pairs.n == n)
    rows = rows[np.argsort(pairs.m[rows])]
    if rows.size < FEWEST_ALIKE:
        return False
    is_alike = np.abs(pairs.gain[rows]) <= ALIKE
    sizes = np.log(np.maximum(pairs.m[rows], 1))
    first = last = int(np.argmin(np.abs(sizes - np.log(max(m, 1)))))
    if not is_alike[first]:
        return False
    while first > 0 and is_alike[first - 1]:
        first -= 1
    while last + 1 < rows.size and is_alike[last + 1]:
        last += 1
    return last - first + 1 >= FEWEST_ALIKE


def fault_of(rival: Rival, operation: str, version: Version) -> str:
    """Calls with which it is wrong, as far as is known; empty for none."""
    if rival.library not in LIBRARIES.names():
        return ""
    library = LIBRARIES.get(rival.library)
    call = operation, rival.algorithm, version or library.oldest
    return OPERANDS if library.reorders_operands(*call) else library.wrong_where(*call)


def defaults(network: Network) -> list[Operation]:
    """The defaults that were measured, by operation and placement.

    Of several conditions the usual ones, or the most like these: a library's rules are for all.
    """
    by_conditions: defaultdict[tuple[str, int | None], dict[str, Operation]] = defaultdict(dict)
    for operation in network.operations:
        if operation.is_default and operation.measured:
            by_conditions[operation.operation, operation.processes_per_node][
                operation.conditions
            ] = operation
    usual = (some[nearest("", some)] for some in by_conditions.values())
    return sorted(usual, key=lambda operation: operation.title)


def contests(network: Network, operations: Collection[str] = ()) -> Iterator[Contest]:
    """A contest for each default that was measured, of `operations` or of all."""
    for default in defaults(network):
        if operations and default.operation not in operations:
            continue
        others = [operation for operation in network.operations if operation.is_beside(default)]
        rivals = (
            _rival(default, operation)
            for operation in sorted(others, key=lambda operation: operation.algorithm)
        )
        yield Contest(default, tuple(rival for rival in rivals if rival))


def _rival(default: Operation, other: Operation) -> Rival | None:
    pairs = _pairs(default, other)
    if not pairs.n.size:
        return None
    usual = [
        usual_growth(operation.operation, operation.algorithm, is_compared=True)
        for operation in (default, other)
    ]
    return Rival(other.algorithm, pairs, Gain(pairs, (usual[0], usual[1])))


def _pairs(default: Operation, other: Operation) -> Pairs:
    """The points of both, by launches that had both where there are such."""
    ours, theirs = times_of(default), times_of(other)
    medians = {
        key: (ours[key], float(np.log(ours[key] / theirs[key])), launch_of_one())
        for key in ours.keys() & theirs.keys()
    }
    is_of_production = default.is_of_production or other.is_of_production
    timings = ({} if is_of_production else medians) | _paired(other, ours)
    columns = np.array([(*key, *timings[key]) for key in sorted(timings)], dtype=float).reshape(
        -1, 5
    )
    return Pairs(*columns.T)


def _paired(
    operation: Operation, default: Mapping[Point, float]
) -> dict[Point, tuple[float, float, float]]:
    """Seconds of the default, logarithm of the gain and its variance, by n and m."""
    gains = operation.gains
    if gains is None:
        return {}
    points = list(zip(gains.n, gains.m, strict=True))
    seconds = gains.default_s or [default.get(point, np.nan) for point in points]
    triples = zip(seconds, np.log(gains.gain), np.square(gains.error), strict=True)
    rows = ((float(time), float(gain), float(variance)) for time, gain, variance in triples)
    return {point: row for point, row in zip(points, rows, strict=True) if not np.isnan(row[0])}
