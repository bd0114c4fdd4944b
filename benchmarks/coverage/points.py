"""Medians of points, as the report draws them with bars."""

from collections.abc import Iterator

import numpy as np
import simulated
from simulated import Row

from contend.samples import table


def campaign(rng: np.random.Generator) -> Iterator[Row]:
    """A row per size."""
    for row in table.medians(simulated.alltoall(rng)).itertuples():
        truth = simulated.exchange(row.n, row.m)
        yield "median of a point", truth, row.seconds, row.low, row.high
