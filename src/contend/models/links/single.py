"""Messages of one pair of ranks alone: latency, gap and rate from ping-pongs and trains.

Idea: of a train of k messages the last ends T(k) after the start, of which one alone takes T(1), so
that the gap is g = (T(k) - T(1)) / (k - 1); in between they may share the way. What T(1) has
beyond g is L(m). A value is the mean of the logarithms of what each launch says, its bounds are
over launches (`contend.base.statistics.launches`).
"""

from collections.abc import Callable, Sequence

import numpy as np

from contend.base.document import Quantity, Unit
from contend.base.statistics.launches import over_launches
from contend.samples.messages import MessageSample
from contend.schedules.pointtopoint import PLogP

Launches = Sequence[Sequence[MessageSample]]


def over(
    launches: Launches, value: Callable[[Sequence[MessageSample]], float], unit: Unit
) -> Quantity | None:
    """Mean of what each launch says, with bounds from two launches on; None where none does."""
    return mean([value(launch) for launch in launches], unit)


def mean(values: Sequence[float], unit: Unit) -> Quantity | None:
    """Mean of logarithms of what is known (no NaN), with bounds from two on; None of nothing.

    >>> float(mean([1.0, float("nan"), 4.0], "s"))
    2.0
    """
    if not (finite := _finite(values)):
        return None
    return over_launches(finite, lambda kept: [np.exp(np.mean(np.log(kept)))]).quantity(0, unit)


def rate(samples: Sequence[MessageSample]) -> float:
    """Bytes/s of the longest messages of trains; NaN without any, or without a gap."""
    sizes = _sizes([samples], "pingpong") & _sizes([samples], "train")
    seconds = gap(samples, max(sizes)) if sizes else float("nan")
    return max(sizes) / seconds if seconds > 0 else float("nan")


def one_way(samples: Sequence[MessageSample], m: int) -> float:
    """Median one way of messages of `m` bytes; NaN without any."""
    return _median(
        [
            sample.times.ravel()
            for sample in samples
            if sample.experiment == "pingpong" and sample.m == m
        ]
    )


def gap(samples: Sequence[MessageSample], m: int) -> float:
    """What each message of `m` bytes of a train adds to one alone; NaN without any."""
    gaps = []
    for train in samples:
        if train.experiment != "train" or train.m != m:
            continue
        ends = {train.source, train.destination}
        alone = one_way(
            [sample for sample in samples if {sample.source, sample.destination} == ends], m
        )
        if np.isnan(alone):
            continue
        gaps.append((train.times.max(axis=1) - alone) / (len(train.edges) - 1))
    return max(_median(gaps), 0.0)


def plogp(launches: Launches) -> PLogP | None:
    """Latency and gap over the sizes that ping-pongs and trains have both; None without any."""
    gap_of = {
        m: finite
        for m in sorted(_sizes(launches, "pingpong") & _sizes(launches, "train"))
        if (finite := _finite([gap(launch, m) for launch in launches]))
    }
    if not gap_of:
        return None
    sizes = list(gap_of)
    message = np.array(
        [np.mean(_finite([one_way(launch, m) for launch in launches])) for m in sizes]
    )
    gaps = np.array([np.mean(gap_of[m]) for m in sizes])  # of logarithms none, as one may be 0
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
    return {sample.m for launch in launches for sample in launch if sample.experiment == experiment}


def _median(times: Sequence[np.ndarray]) -> float:
    return float(np.median(np.concatenate(times))) if times else float("nan")


def _finite(values: Sequence[float]) -> list[float]:
    return [value for value in values if np.isfinite(value)]
