"""Parameters of the signatures, and predictions by them, of the time without noise.

Inside is n' with sizes between those fitted; at an n that the fit has not seen `predict` widens the
interval by a rule of thumb, which is told apart from what the fit itself says.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import simulated
from simulated import Row

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.prediction.predict import predict
from contend.models.signature import FORMS
from contend.models.signature.interval import relative_spread
from contend.samples import Sample

GAMMA, DELTA = 2.0, 2e-4  # of the forms over pLogP
N = simulated.DESIGN.n_fit or 8
UNSEEN = tuple(n for n in simulated.DESIGN.counts if n != N)


def campaign(rng: np.random.Generator) -> Iterator[Row]:
    """Rows of the three forms."""
    hockney = [*simulated.pingpong(rng), *simulated.alltoall(rng)]
    yield from _of(hockney, "hockney_2007", simulated.exchange, simulated.GAMMA, simulated.DELTA)
    serial = [*simulated.plogp(rng), *simulated.alltoall(rng, _serial)]
    yield from _of(serial, "plogp_2005", _serial, GAMMA, DELTA)
    between = [*simulated.plogp(rng), *simulated.alltoall(rng, _between)]
    yield from _of(between, "plogp_bounds_2005", _between, GAMMA, None)


def _of(
    samples: list[Sample],
    form: str,
    truth: Callable[[int, float], float],
    gamma: float,
    delta: float | None,
) -> Iterator[Row]:
    network = fit_network(samples, Path(__file__), FitOptions())
    fit = network.operations[0].forms[form]
    for name, value in (("gamma", gamma), ("delta", delta)):
        known = fit.parameters.get(name)
        if value is not None and known is not None and known.low is not None:
            yield f"{name}, {form}", value, float(known), known.low, known.high
    known_m = [m for m in simulated.DESIGN.check_sizes if delta is None or not _is_near_m(m)]
    for n in simulated.DESIGN.counts:
        where = "n'" if n == N else "another n"
        counts, sizes = np.full(len(known_m), n), np.array(known_m)
        rows = predict(network, network.operations[0], counts, sizes, form)
        spread = relative_spread(FORMS.get(form), fit, network.point_to_point, counts, sizes)
        for row, factor in zip(rows.itertuples(), np.exp(spread), strict=True):
            true, value = truth(n, row.m), row.seconds
            yield (
                f"fit's prediction at {where}, {form}",
                true,
                value,
                value / factor,
                value * factor,
            )
            if n != N:
                yield f"predict at {where}, {form}", true, value, row.low, row.high


def _is_near_m(m: float) -> bool:
    """Whether a size is where M is known only to within the grid of sizes."""
    return max(s for s in simulated.DESIGN.sizes if s < simulated.M) < m < simulated.M


def _serial(n: int, m: float) -> float:
    receive = simulated.overhead(simulated.RECEIVE, m)
    jump = DELTA * (m >= simulated.M)
    return (n - 1) * (simulated.gap(m) + GAMMA * receive + jump) + simulated.LATENCY


def _between(n: int, m: float) -> float:
    """Larger overheads than a gap would make the upper bound the larger one."""
    both = simulated.overhead(simulated.SEND, m) + simulated.overhead(simulated.RECEIVE, m)
    least, most = (n - 1) * simulated.gap(m), (n - 1) * both
    return least + (most - least) * GAMMA + simulated.LATENCY
