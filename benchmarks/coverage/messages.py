"""Parameters of a single message: Hockney's and pLogP's."""

from collections.abc import Iterator

import numpy as np
import simulated
from simulated import Row

from contend.base.document import Quantity
from contend.models.fitting.messages import fit_point_to_point


def campaign(rng: np.random.Generator) -> Iterator[Row]:
    """A row per parameter, and per size of a table."""
    known = fit_point_to_point([*simulated.pingpong(rng), *simulated.plogp(rng)])
    line, plogp = known.hockney, known.plogp
    yield from _rows("alpha", line.alpha, [simulated.ALPHA])
    yield from _rows("beta", line.beta, [simulated.BETA])
    sizes = plogp.size.array.tolist()
    stepped = fit_point_to_point(simulated.pingpong(rng, step=simulated.STEP)).hockney
    if stepped.step is not None and stepped.step.low is not None:
        yield from _rows("step of a message", stepped.step, [simulated.STEP])
    yield from _rows("pLogP latency", plogp.latency, [simulated.LATENCY])
    yield from _rows("pLogP gap", plogp.gap, [simulated.gap(m) for m in sizes])
    for name, known, truth in (
        ("pLogP send overhead", plogp.send_overhead, simulated.SEND),
        ("pLogP receive overhead", plogp.receive_overhead, simulated.RECEIVE),
    ):
        yield from _rows(name, known, [simulated.overhead(truth, m) for m in sizes])


def _rows(name: str, known: Quantity, truths: list[float]) -> Iterator[Row]:
    sides = known.array, np.atleast_1d(known.low), np.atleast_1d(known.high)
    for row in zip(truths, *sides, strict=True):
        yield name, *map(float, row)
