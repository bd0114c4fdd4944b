"""Medians of points, as the report draws them with bars."""

from collections.abc import Iterator

import campaign
import numpy as np
from campaign import Claim

from contend.samples import table


def claims(rng: np.random.Generator) -> Iterator[Claim]:
    """A claim per size."""
    for row in table.medians(campaign.alltoall(rng)).itertuples():
        yield Claim("median of a point", campaign.exchange(row.n, row.m), row.low, row.high)
