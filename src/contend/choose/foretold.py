"""Algorithms that a library has and nobody has run, by schedules that send the same messages.

Idea: a schedule gives the time of such an algorithm, and how far off schedules are on this network
and in this operation say those algorithms of the library that were run. They are off together, so
that this doubt does not become less with the number of points: it is added to that of the gain.
Restrictions: only where the network has parameters of messages, and where algorithms that were run
tell the errors at nine points or more. Without these there is no interval, hence no departure.
Times are of one message at a time; options are what the library takes by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from contend.choose.gain import Gain, Pairs
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.fitting.gains import NORMAL_90
from contend.libraries import Library, LibraryAlgorithm, Version, library_of
from contend.libraries.algorithm import CATALOGUE_OPTIONS
from contend.network import Network, Operation
from contend.samples.setting import OF_LIBRARY, own_name, split_setting
from contend.schedules import COLLECTIVES, algorithms
from contend.schedules.fitting.record import Parameters
from contend.schedules.timing.predict import nearest_times
from contend.signature.algorithm_growth import OWN_CHOICE, usual_growth
from contend.statistics.rank import reach

_NORMAL_95 = 1.96  # standard deviations on either side of the bounds of parameters
_EXACT = 1e-6  # variance of what a schedule says, as a number
Point = tuple[int, int]  # n and m


class Foretold(NamedTuple):
    """A setting that was not run, the points at which it was foretold, and its gain."""

    setting: str
    pairs: Pairs
    gain: "ScheduleGain"


class ScheduleGain(Gain):
    """A gain with the standard deviation that schedules are off by, at all points alike."""

    def __init__(self, pairs: Pairs, network_doubt: float, operation: str, setting: str) -> None:
        exact = replace(pairs, variance=np.full(pairs.n.size, _EXACT))
        super().__init__(exact, (usual_growth(operation, OWN_CHOICE),
                                 usual_growth(operation, setting)))  # fmt: skip
        self._network_doubt = network_doubt

    def told(self, n: Floats, m: Floats) -> tuple[Floats, Floats]:
        """The gain and its standard deviation."""
        mean, deviation = super().told(n, m)
        return mean, np.hypot(deviation, self._network_doubt)


def library_in(network: Network) -> tuple[Library | None, Version]:
    """The MPI library of the samples; None and () where it is not known, or not one."""
    said = {name for origin in network.all_origins for name in origin.mpi_libraries}
    try:
        found = {(library.name, version): library for library, version in map(library_of, said)}
    except InvalidInputError:  # one that contend knows nothing of
        return None, ()
    if len(found) != 1:
        return None, ()
    ((_, version), library) = found.popitem()
    return library, version


def foretold(
    network: Network, default: Operation, measured: Sequence[Operation]
) -> Iterator[Foretold]:
    """The algorithms beside those `measured` of an operation whose default is known."""
    library, version = library_in(network)
    if library is None or default.operation not in COLLECTIVES:
        return
    known = network.parameters(default.operation)
    if known is None:
        return
    offered = {one.name: one for one in library.algorithms(default.operation, version)}
    doubt = _doubt(measured, offered, known)
    run = {own_name(one.algorithm) for one in measured}
    for name, one in offered.items():
        if doubt is not None and name not in run:
            pairs, bounds = _pairs(default, one, known)
            if pairs.n.size:
                deviation = float(np.hypot(doubt, bounds))
                pairs = replace(pairs, variance=np.full(pairs.n.size, deviation**2))
                setting = f"{library.name}{OF_LIBRARY}{name}"
                gain = ScheduleGain(pairs, deviation, default.operation, setting)
                yield Foretold(setting, pairs, gain)


def _doubt(
    measured: Sequence[Operation], offered: Mapping[str, LibraryAlgorithm], known: Parameters
) -> float | None:
    """Standard deviation that nine of ten errors are within; None where they are too few."""
    errors = []
    for operation in measured:
        name, options = split_setting(operation.algorithm)
        one = offered.get(own_name(name)) if OF_LIBRARY in name else None
        for point, seconds in times_of(operation).items() if one else ():
            told = _scheduled(one, point, options, known) if one else None
            if told:
                errors.append(abs(float(np.log(told[0] / seconds))))
    found = reach(errors)
    return None if found is None else found / NORMAL_90


def _pairs(default: Operation, one: LibraryAlgorithm, known: Parameters) -> tuple[Pairs, float]:
    """Where the default was measured and a schedule tells the other; what bounds leave open."""
    rows, widths = [], [0.0]
    for (n, m), seconds in sorted(times_of(default).items()):
        told = _scheduled(one, (n, m), {}, known)
        if told:
            rows.append((n, m, seconds, np.log(seconds / told[0]), 0.0))
            widths.append(told[1])
    columns = np.array(rows, dtype=float).reshape(-1, 5)
    return Pairs(*columns.T), max(widths)


def _scheduled(
    one: LibraryAlgorithm, point: Point, options: Mapping[str, int], known: Parameters
) -> tuple[float, float] | None:
    """Seconds by the schedule, and the deviation by the bounds of parameters; None without one."""
    (n, m), name = point, one.equivalent(point[0], options)
    if name is None or name not in algorithms(one.operation).names():
        return None
    entry, given = algorithms(one.operation).get(name), {**one.defaults, **options}
    if entry.restriction(n):
        return None
    ours = {CATALOGUE_OPTIONS[key]: value for key, value in given.items()
            if key in CATALOGUE_OPTIONS and value > 0}  # fmt: skip
    ours = {"segment": max(m, 1)} | ours  # without a length the message goes as a whole
    taken = {key: value for key, value in ours.items() if key in entry.options}
    found, _ = nearest_times(entry, known.of(entry), n, m, **taken)
    low, high = float(found.low), float(found.high)
    width = np.log(high / low) / 2 / _NORMAL_95 if 0 < low <= high else 0.0
    return float(found.seconds), float(width)


def times_of(operation: Operation) -> dict[Point, float]:
    """Measured seconds by n and m."""
    known = operation.measured
    if known is None:
        return {}
    return dict(zip(zip(known.n, known.m, strict=True), known.seconds, strict=True))
