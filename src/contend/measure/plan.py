"""What is measured in which order: launches of a program, each with its sizes shuffled.

Points are spread over several launches and shuffled within each, and the launches are shuffled
too, so that a slow drift of the machine does not look like an effect of size or process count.
All first launches come before all second ones: a campaign that time ends early has every point.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from contend.base.errors import InvalidInputError
from contend.measure.build import Program
from contend.samples import Sample
from contend.samples.table import BARRIER

Point = tuple[str, str, int, int, int]


def planned_point(sample: Sample) -> Point:
    """The point of a sample as a plan names it, which leaves the placement to the launcher."""
    return (sample.experiment, sample.setting, sample.n, sample.m, sample.launch)


@dataclass(frozen=True)
class Launch:
    """One start of a program with n processes: its number and its sizes in order."""

    program: Program
    n: int
    number: int
    sizes: tuple[int, ...]

    def points(self) -> set[Point]:
        """What it will have measured when it ends, as `planned_point` names it."""
        return {
            (self.program.experiment, algorithm, self.n, size, self.number)
            for size in self.sizes
            for algorithm in self.program.algorithms
        }

    def in_order(self) -> list[str]:
        return [
            f"{self.program.experiment}/{algorithm} m={size}"
            for size in self.sizes
            for algorithm in self.program.algorithms
        ]

    def without(self, done: set[Point]) -> "Launch":
        """The launch less the sizes all of whose points are done."""
        sizes = tuple(
            size for size in self.sizes if not replace(self, sizes=(size,)).points() <= done
        )
        return replace(self, sizes=sizes)

    def only(self, wanted: set[Point]) -> "Launch":
        sizes = tuple(size for size in self.sizes if replace(self, sizes=(size,)).points() & wanted)
        return replace(self, sizes=sizes)


def plan(
    programs: Iterable[Program],
    counts: Sequence[int],
    sizes: Collection[int],
    launches: int,
    seed: int,
    message_sizes: Collection[int] = (),
) -> list[Launch]:
    """All launches, those of a number together and shuffled by `seed`.

    An experiment for two processes runs with two, and with `message_sizes`. pLogP needs the empty
    message, so size 0 is added for it; a barrier has no other.
    """
    if not counts or min(counts) < 2:
        raise InvalidInputError(
            f"n = {min(counts, default='nothing')}", "an exchange takes at least 2 processes"
        )
    if not sizes:
        raise InvalidInputError("no message size", "give --sizes, e.g. 64,1KiB,64KiB,1MiB")
    order = np.random.default_rng(seed)
    wanted = {p: _sizes(p, {*sizes, *message_sizes} if _is_for_two(p) else sizes) for p in programs}
    unshuffled = [
        Launch(program, n, number, tuple(order.permutation(wanted[program]).tolist()))
        for number in range(launches)
        for program in wanted
        for n in _counts(program, counts)
    ]
    shuffled = [unshuffled[index] for index in order.permutation(len(unshuffled))]
    return sorted(shuffled, key=lambda launch: launch.number)


def _is_for_two(program: Program) -> bool:
    return program.processes_min == program.processes_max == 2


def _counts(program: Program, counts: Sequence[int]) -> list[int]:
    if program.processes_max == program.processes_min:
        return [program.processes_min]
    most = program.processes_max or max(counts)
    return [n for n in counts if program.processes_min <= n <= most]


def _sizes(program: Program, sizes: Collection[int]) -> list[int]:
    if program.experiment == BARRIER:
        return [0]
    return sorted({0, *sizes} if program.experiment == "plogp" else set(sizes))


def worst_intervals(sizes: Sequence[int], seconds: Sequence[float], count: int) -> list[int]:
    """Up to `count` new sizes, each in the middle of an interval where interpolation is worst.

    An inner point that linear interpolation between its neighbours misses makes both intervals
    beside it doubtful, by the relative miss (Kielmann, Bal, Verstoep 2000, refine sizes so); misses
    at both ends add up. The middle is the geometric one.

    >>> worst_intervals([64, 1024, 4096, 16384], [1.0, 1.0, 9.0, 10.0], 1)
    [2048]
    """
    size, time = np.asarray(sizes, dtype=float), np.asarray(seconds, dtype=float)
    doubt = np.zeros(max(size.size - 1, 0))
    for index in range(1, size.size - 1):
        share = (size[index] - size[index - 1]) / (size[index + 1] - size[index - 1])
        between = time[index - 1] + share * (time[index + 1] - time[index - 1])
        miss = abs(between / time[index] - 1.0)
        doubt[index - 1 : index + 1] += miss
    chosen: list[int] = []
    for index in np.argsort(-doubt, kind="stable"):
        middle = round(float(np.sqrt(max(size[index], 1.0) * size[index + 1])))
        if len(chosen) < count and size[index] < middle < size[index + 1]:
            chosen.append(middle)
    return chosen
