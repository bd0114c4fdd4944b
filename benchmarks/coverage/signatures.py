"""Parameters of the signatures, and predictions by them, of the time without noise.

Inside is n' with sizes between those fitted; at an n that the fit has not seen `predict` widens the
interval by a rule of thumb, which is told apart from what the fit itself says.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import campaign
import numpy as np
from campaign import Claim

from contend.fit import FitOptions, fit_network
from contend.network import Network
from contend.predict import predict
from contend.samples import Sample
from contend.signature import FORMS
from contend.signature.interval import relative_spread

GAMMA, DELTA = 2.0, 2e-4  # of the forms over pLogP
N = campaign.DESIGN.n_fit or 8
UNSEEN = tuple(n for n in campaign.DESIGN.counts if n != N)


def claims(rng: np.random.Generator) -> Iterator[Claim]:
    """Claims by the three forms."""
    hockney = [*campaign.pingpong(rng), *campaign.alltoall(rng)]
    yield from _of(hockney, "hockney_2007", campaign.exchange, campaign.GAMMA, campaign.DELTA)
    serial = [*campaign.plogp(rng), *campaign.alltoall(rng, _serial)]
    yield from _of(serial, "plogp_2005", _serial, GAMMA, DELTA)
    between = [*campaign.plogp(rng), *campaign.alltoall(rng, _between)]
    yield from _of(between, "plogp_bounds_2005", _between, GAMMA, None)


def _of(
    samples: list[Sample],
    form: str,
    truth: Callable[[int, float], float],
    gamma: float,
    delta: float | None,
) -> Iterator[Claim]:
    network = _network(samples)
    fit = network.operations[0].forms[form]
    for name, value in (("gamma", gamma), ("delta", delta)):
        known = fit.parameters.get(name)
        if value is not None and known is not None and known.low is not None:
            yield Claim(f"{name}, {form}", value, known.low, known.high)
    sizes = np.array(campaign.DESIGN.check_sizes)
    for n, where in ((N, "n'"), *((n, "another n") for n in UNSEEN)):
        counts = np.full(sizes.shape, n)
        seconds = FORMS.get(form).seconds(fit.parameters, network.point_to_point, counts, sizes)
        factor = np.exp(
            relative_spread(FORMS.get(form), fit, network.point_to_point, counts, sizes)
        )
        rows = predict(network, network.operations[0], counts, sizes, form)
        for place, m in enumerate(sizes.tolist()):
            if delta is not None and 4096 < m < campaign.M:
                continue  # M is known to within the grid of sizes
            ends = seconds[place] / factor[place], seconds[place] * factor[place]
            yield Claim(f"fit's prediction at {where}, {form}", truth(n, m), *map(float, ends))
            if n != N:
                row = rows.iloc[place]
                yield Claim(f"predict at {where}, {form}", truth(n, m), row.low, row.high)


def _network(samples: list[Sample]) -> Network:
    return fit_network(samples, Path(__file__), FitOptions())


def _serial(n: int, m: float) -> float:
    receive = campaign.overhead(campaign.RECEIVE, m)
    jump = DELTA * (m >= campaign.M)
    return (n - 1) * (campaign.gap(m) + GAMMA * receive + jump) + campaign.LATENCY


def _between(n: int, m: float) -> float:
    """Larger overheads than a gap would make the upper bound the larger one."""
    both = campaign.overhead(campaign.SEND, m) + campaign.overhead(campaign.RECEIVE, m)
    least, most = (n - 1) * campaign.gap(m), (n - 1) * both
    return least + (most - least) * GAMMA + campaign.LATENCY
