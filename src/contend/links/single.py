"""Messages of one pair of ranks alone: latency, gap and rate from ping-pongs and trains.

Idea: the gap is g = (last - first end) / (k - 1) of a train of k messages; what a ping-pong takes
beyond it is L(m). A value is the mean of the logarithms of what each launch says, its bounds are
over launches (`contend.launches`).
"""

from collections.abc import Callable, Sequence

import numpy as np

from contend.document import Quantity, Unit
from contend.errors import InvalidInputError
from contend.launches import over_launches
from contend.links.sample import LinkSample
from contend.pointtopoint import PLogP

Launches = Sequence[Sequence[LinkSample]]


def over(
    launches: Launches, value: Callable[[Sequence[LinkSample]], float], unit: Unit
) -> Quantity:
    """Mean of what each launch says, with bounds from two launches on."""
    return mean([value(launch) for launch in launches], unit)


def mean(said: Sequence[float], unit: Unit) -> Quantity:
    """Mean of logarithms of what is known (no NaN), with bounds from two on.

    >>> float(mean([1.0, float("nan"), 4.0], "s"))
    2.0
    """
    known = [one for one in said if np.isfinite(one)]
    if not known:
        raise InvalidInputError("no launch from which a value follows", "measure another one")
    return over_launches(known, lambda kept: [np.exp(np.mean(np.log(kept)))]).quantity(0, unit)


def shortest(samples: Sequence[LinkSample]) -> float:
    """Median one way of the shortest messages of ping-pongs; NaN without any."""
    return one_way(samples, min((sample.m for sample in samples), default=0))


def rate(samples: Sequence[LinkSample]) -> float:
    """Bytes/s of the longest messages of trains; NaN without any."""
    most = max((sample.m for sample in samples), default=0)
    found = gap(samples, most)
    return most / found if found > 0 else float("nan")


def one_way(samples: Sequence[LinkSample], m: int) -> float:
    """Median one way of messages of `m` bytes; NaN without any."""
    return _median([sample.times.ravel() for sample in samples if sample.m == m])


def gap(samples: Sequence[LinkSample], m: int) -> float:
    """Median gap of trains of messages of `m` bytes; NaN without any."""
    trains = [sample for sample in samples if sample.m == m and len(sample.edges) > 1]
    return _median([np.ptp(one.times, axis=1) / (len(one.edges) - 1) for one in trains])


def plogp(trips: Launches, trains: Launches) -> PLogP:
    """Latency and gap over the sizes that ping-pongs and trains have both."""
    sizes = sorted(_sizes(trips) & _sizes(trains))
    if not sizes:
        raise InvalidInputError("ping-pongs and trains of different sizes", "measure both anew")
    message = np.array([_typical([one_way(launch, m) for launch in trips]) for m in sizes])
    gaps = np.array([_typical([gap(launch, m) for launch in trains]) for m in sizes])
    gaps = np.minimum(gaps, message)
    latency = float(message[0] - gaps[0])
    growth = np.maximum(message - gaps - latency, -latency)
    return PLogP(
        latency=Quantity(value=latency, unit="s"),
        latency_growth=Quantity(value=tuple(growth.tolist()), unit="s"),
        size=Quantity(value=tuple(map(float, sizes)), unit="B"),
        gap=Quantity(value=tuple(gaps.tolist()), unit="s"),
        method="trains",
    )


def _sizes(launches: Launches) -> set[int]:
    return {sample.m for launch in launches for sample in launch}


def _median(times: Sequence[np.ndarray]) -> float:
    return float(np.median(np.concatenate(times))) if times else float("nan")


def _typical(said: Sequence[float]) -> float:
    """Mean over launches; a gap may be 0, so that logarithms are not taken."""
    return float(np.nanmean(said))
