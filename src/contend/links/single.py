"""Messages of one pair of ranks alone: latency, gap and rate from ping-pongs and trains.

Idea: of a train of k messages the last ends T(k) after the start, of which one alone takes T(1), so
that the gap is g = (T(k) - T(1)) / (k - 1); in between they may share the way. What T(1) has
beyond g is L(m). A value is the mean of the logarithms of what each launch says, its bounds are
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
    sizes = _sizes([samples], "pingpong")
    return one_way(samples, min(sizes)) if sizes else float("nan")


def rate(samples: Sequence[LinkSample]) -> float:
    """Bytes/s of the longest messages of trains; NaN without any."""
    sizes = _sizes([samples], "pingpong") & _sizes([samples], "train")
    found = gap(samples, max(sizes)) if sizes else float("nan")
    return max(sizes) / found if found > 0 else float("nan")


def one_way(samples: Sequence[LinkSample], m: int) -> float:
    """Median one way of messages of `m` bytes; NaN without any."""
    return _median(
        [one.times.ravel() for one in samples if one.experiment == "pingpong" and one.m == m]
    )


def gap(samples: Sequence[LinkSample], m: int) -> float:
    """What each message of `m` bytes of a train adds to one alone; NaN without any."""
    found = []
    for train in samples:
        if train.experiment != "train" or train.m != m:
            continue
        ends = {train.source, train.destination}
        alone = one_way([one for one in samples if {one.source, one.destination} == ends], m)
        found.append((train.times.max(axis=1) - alone) / (len(train.edges) - 1))
    return max(_median(found), 0.0)


def plogp(launches: Launches) -> PLogP:
    """Latency and gap over the sizes that ping-pongs and trains have both."""
    sizes = sorted(_sizes(launches, "pingpong") & _sizes(launches, "train"))
    if not sizes:
        raise InvalidInputError("ping-pongs and trains of different sizes", "measure both anew")
    message = np.array([_typical([one_way(launch, m) for launch in launches]) for m in sizes])
    gaps = np.array([_typical([gap(launch, m) for launch in launches]) for m in sizes])
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


def _sizes(launches: Launches, experiment: str) -> set[int]:
    return {one.m for launch in launches for one in launch if one.experiment == experiment}


def _median(times: Sequence[np.ndarray]) -> float:
    return float(np.median(np.concatenate(times))) if times else float("nan")


def _typical(said: Sequence[float]) -> float:
    """Mean over launches; a gap may be 0, so that logarithms are not taken."""
    return float(np.nanmean(said))
