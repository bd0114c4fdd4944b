"""Times of algorithms predicted from measured pLogP parameters."""

from collections.abc import Iterator

import numpy as np
import simulated
from simulated import Row

from contend.base.document import Quantity
from contend.models.fitting.messages import fit_point_to_point
from contend.schedules.algorithm import algorithms
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.predict import times

CALLS = (("bcast", "binomial"), ("bcast", "chain"), ("bcast", "flat"), ("allgather", "ring"))
N, SIZES = 16, (1, 1024, 65536)


def campaign(rng: np.random.Generator) -> Iterator[Row]:
    """A row per algorithm and size."""
    measured = fit_point_to_point(simulated.plogp(rng)).plogp
    truth = _truth(measured)
    for operation, name in CALLS:
        algorithm = algorithms(operation).get(name)
        for m in SIZES:
            found = times(algorithm, measured, N, m)
            seconds = algorithm.uniform_seconds(truth, N, m)
            row = map(float, (seconds, found.seconds, found.low, found.high))
            yield "schedule's prediction", *row


def _truth(measured: PLogP) -> PLogP:
    sizes = measured.size.array.tolist()
    gap = Quantity(value=tuple(simulated.gap(m) for m in sizes), unit="s")
    return PLogP(
        latency=Quantity(value=simulated.LATENCY, unit="s"),
        size=measured.size,
        gap=gap,
        method="trains",
    )
