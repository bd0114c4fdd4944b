"""Algorithms that a library has and nobody has run, by schedules that send the same messages.

Idea: a schedule gives the time of such an algorithm, in the way that foretells best those of the
library that were run, which also say how far off schedules are (`contend.choose.validated`). They
are off together, so that this doubt does not become less with the number of points: it is added to
that of the gain.
Restrictions: only where the network has parameters of messages, and where algorithms that were run
tell the errors at nine points or more. Without these there is no interval, hence no departure.
Options are what the library takes by itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from contend.choose.gain import Gain, Pairs
from contend.choose.runs import as_scheduled, times_of
from contend.choose.timing import Placement, borne_out
from contend.choose.validated import Validated
from contend.document import Floats
from contend.fitting.gains import NORMAL_90
from contend.libraries import LibraryAlgorithm
from contend.network import Network, Operation
from contend.network.library import library_in
from contend.samples.setting import NATIVE, OF_LIBRARY, own_name
from contend.schedules import COLLECTIVES
from contend.schedules.fitting.record import Parameters
from contend.signature.algorithm_growth import usual_growth

_EXACT = 1e-6  # variance of what a schedule says, as a number


class Foretold(NamedTuple):
    """A setting that was not run, the points at which it was foretold, and its gain."""

    setting: str
    pairs: Pairs
    gain: "ScheduleGain"


class ScheduleGain(Gain):
    """A gain with the standard deviation that schedules are off by, at all points alike."""

    def __init__(self, pairs: Pairs, network_doubt: float, operation: str, setting: str) -> None:
        exact = replace(pairs, variance=np.full(pairs.n.size, _EXACT))
        super().__init__(exact, (usual_growth(operation, NATIVE),
                                 usual_growth(operation, setting)))  # fmt: skip
        self._network_doubt = network_doubt

    def told(self, n: Floats, m: Floats) -> tuple[Floats, Floats]:
        """The gain and its standard deviation."""
        mean, deviation = super().told(n, m)
        return mean, np.hypot(deviation, self._network_doubt)


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
    timing = borne_out(network, default.operation, measured, Placement(default.processes_per_node))
    run = {own_name(one.algorithm) for one in measured}
    for one in library.algorithms(default.operation, version) if timing.is_validated else ():
        if one.name not in run:
            pairs = _pairs(default, one, known, timing)
            if pairs.n.size:
                setting = f"{library.name}{OF_LIBRARY}{one.name}"
                deviation = float(np.sqrt(pairs.variance.max()))
                gain = ScheduleGain(pairs, deviation, default.operation, setting)
                yield Foretold(setting, pairs, gain)


def _pairs(
    default: Operation, one: LibraryAlgorithm, known: Parameters, timing: Validated
) -> Pairs:
    """Where the default was measured and a schedule tells the other, with what that is off by."""
    rows = []
    for (n, m), seconds in sorted(times_of(default).items()):
        found = as_scheduled(one, n, m, {})
        if found:
            algorithm, options = found
            times, _ = timing(algorithm, known.of(algorithm), n, m, **options)
            deviation = np.log(times.high / times.low) / 2 / NORMAL_90
            rows.append((n, m, seconds, np.log(seconds / times.seconds), deviation**2))
    return Pairs(*np.array(rows, dtype=float).reshape(-1, 5).T)
