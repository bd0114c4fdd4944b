"""Times of algorithms predicted from measured pLogP parameters."""

from collections.abc import Iterator

import campaign
import numpy as np
from campaign import Claim

from contend.document import Quantity
from contend.fit import fit_point_to_point
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import algorithms
from contend.schedules.predict import times

CALLS = (("bcast", "binomial"), ("bcast", "chain"), ("bcast", "flat"), ("allgather", "ring"))
N, SIZES = 16, (1, 1024, 65536)


def claims(rng: np.random.Generator) -> Iterator[Claim]:
    """A claim per algorithm and size."""
    measured = fit_point_to_point(campaign.plogp(rng)).plogp
    truth = _truth(measured)
    for operation, name in CALLS:
        algorithm = algorithms(operation).get(name)
        for m in SIZES:
            found = times(algorithm, measured, N, m)
            seconds = float(algorithm.uniform_seconds(truth, N, m))
            yield Claim("schedule's prediction", seconds, float(found.low), float(found.high))


def _truth(measured: PLogP) -> PLogP:
    sizes = measured.size.array.tolist()
    gap = Quantity(value=tuple(campaign.gap(m) for m in sizes), unit="s")
    return PLogP(
        latency=Quantity(value=campaign.LATENCY, unit="s"),
        size=measured.size,
        gap=gap,
        method="trains",
    )
