"""Measured times of algorithms whose messages a schedule of the catalogue sends too.

Idea: an algorithm of a library stands for the schedule that sends the same messages, with the
options that the library was given or takes by itself; one of the catalogue that was run stands for
itself.
Restrictions: algorithms that look at groups are left out, as the groups of a measurement are not in
a network file, and so are those of the catalogue that have options, for the same reason.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from contend.models.network import Network, Operation
from contend.models.network.library import library_in
from contend.samples.setting import OF_LIBRARY, own_name, split_setting
from contend.schedules import COLLECTIVES, Algorithm, choosable
from contend.schedules.libraries import Library, Version

Point = tuple[int, int]  # n and m


class Run(NamedTuple):
    """A measured time, and the schedule that sends the same messages."""

    algorithm: Algorithm
    options: dict[str, int]
    n: int
    m: int
    seconds: float


def runs(network: Network, measured: Collection[Operation]) -> list[Run]:
    """The runs among what was measured of a network."""
    return [run for operation in measured for run in _of(operation, *library_in(network))]


def times_of(operation: Operation) -> dict[Point, float]:
    """Measured seconds by n and m."""
    return operation.measured.by_point() if operation.measured else {}


def _of(operation: Operation, library: Library | None, version: Version) -> Iterator[Run]:
    if operation.operation not in COLLECTIVES:
        return
    name, options = split_setting(operation.algorithm)
    if OF_LIBRARY in name:
        offered = library.algorithms(operation.operation, version) if library else ()
        for algorithm in offered:
            if algorithm.name == own_name(name):
                for (n, m), seconds in times_of(operation).items():
                    if scheduled := algorithm.scheduled(n, m, options):
                        yield Run(*scheduled, n, m, seconds)
        return
    for entry in choosable(operation.operation, None):
        if entry.name == name and not entry.options:
            for (n, m), seconds in times_of(operation).items():
                yield Run(entry, {}, n, m, seconds)
