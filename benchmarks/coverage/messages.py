"""Parameters of a single message: Hockney's and pLogP's."""

from collections.abc import Iterator

import campaign
import numpy as np
from campaign import Claim

from contend.document import Quantity
from contend.fit import fit_point_to_point


def claims(rng: np.random.Generator) -> Iterator[Claim]:
    """A claim per parameter, and per size of a table."""
    known = fit_point_to_point([*campaign.pingpong(rng), *campaign.plogp(rng)])
    line, plogp = known.hockney, known.plogp
    yield from _claims("alpha", line.alpha, [campaign.ALPHA])
    yield from _claims("beta", line.beta, [campaign.BETA])
    sizes = plogp.size.array.tolist()
    yield from _claims("pLogP latency", plogp.latency, [campaign.LATENCY])
    yield from _claims("pLogP gap", plogp.gap, [campaign.gap(m) for m in sizes])
    for name, known, truth in (
        ("pLogP send overhead", plogp.send_overhead, campaign.SEND),
        ("pLogP receive overhead", plogp.receive_overhead, campaign.RECEIVE),
    ):
        yield from _claims(name, known, [campaign.overhead(truth, m) for m in sizes])


def _claims(name: str, known: Quantity, truths: list[float]) -> Iterator[Claim]:
    for ends in zip(truths, np.atleast_1d(known.low), np.atleast_1d(known.high), strict=True):
        yield Claim(name, *map(float, ends))
