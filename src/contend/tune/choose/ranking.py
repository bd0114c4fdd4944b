"""All algorithms of an operation for one call, the fastest first.

Idea: each algorithm with its best options, its time and interval, and how many times as long as the
best it takes. Two algorithms whose intervals overlap do not differ significantly. That is careful:
both intervals are of the same parameters, so that the order can be surer than they show. Of equal
times the algorithm with fewer options comes first. An algorithm whose closed form is only a bound
is timed by its schedule. Restrictions: contention is what the timing knows of it, the same way for
all algorithms of a call. Where there are too many messages for a schedule its bound stays, and
`claim` says so: with an upper bound an algorithm may be faster than it is ranked.
"""

from dataclasses import dataclass, replace

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules import Algorithm, choosable
from contend.schedules.fitting.record import Parameters, plogp_of
from contend.schedules.groups import Grouping
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.predict import Known, Timing, nearest_times
from contend.tune.choose.tuning import tune
from contend.tune.choose.validation import Validated


@dataclass(frozen=True)
class Ranked:
    """An algorithm in its place; bounds are NaN where they are unknown."""

    algorithm: str
    options: dict[str, int]
    seconds: float
    low: float
    high: float
    ratio: float  # to the best
    claim: Known  # what the time is
    is_told_from_best: bool | None  # whether its interval lies above; None if unknown
    parameters: str | None = None  # whose parameters, where algorithms have their own


@dataclass(frozen=True)
class Ranking:
    """Algorithms by time, and why others cannot serve the call."""

    collective: str
    n: int
    m: int
    ranked: tuple[Ranked, ...]
    refused: dict[str, str]

    @property
    def as_fast_as_best(self) -> list[str]:
        """Return those that do not differ significantly from the best, without it."""
        return [
            candidate.algorithm
            for candidate in self.ranked[1:]
            if candidate.is_told_from_best is False
        ]


def rank(
    collective: str,
    parameters: PLogP | Parameters,
    n: int,
    m: int,
    timing: Timing = nearest_times,
    grouping: Grouping | None = None,
) -> Ranking:
    """The algorithms of an operation for `n` ranks and `m` bytes, the fastest first.

    `parameters` is one set of them, or for each algorithm one (`Network.parameters`). Options are
    always those with which the closed form is least; `timing` gives the times. Algorithms that look
    at groups take part where there is a `grouping`.
    """
    if n < 2:
        raise InvalidInputError(f"n = {n}", "a collective operation takes at least 2 processes")
    entries = choosable(collective, grouping)
    refused = {entry.name: str(error) for entry in entries if (error := entry.restriction(n))}
    served = [entry for entry in entries if entry.name not in refused]
    options = [
        tune(algorithm, plogp_of(parameters, algorithm), n, [m]).at(0) for algorithm in served
    ]
    if isinstance(timing, Validated):
        timing = timing.able(
            [(algorithm, n, m, each) for algorithm, each in zip(served, options, strict=True)]
        )
    timed = [
        _timed(algorithm, parameters, n, m, timing, each)
        for algorithm, each in zip(served, options, strict=True)
    ]
    timed.sort(
        key=lambda candidate: (
            float(f"{candidate.seconds:.9g}"),
            len(candidate.options),
            candidate.algorithm,
        )
    )
    ranked = tuple(_compared(candidate, timed[0]) for candidate in timed)
    return Ranking(collective, n, m, ranked, refused)


def _timed(
    algorithm: Algorithm,
    parameters: PLogP | Parameters,
    n: int,
    m: int,
    timing: Timing,
    options: dict[str, int],
) -> Ranked:
    plogp = plogp_of(parameters, algorithm)
    interval, claim = timing(algorithm, plogp, n, m, **options)
    return Ranked(
        algorithm=algorithm.name,
        options=options,
        seconds=float(interval.seconds),
        low=float(interval.low),
        high=float(interval.high),
        ratio=1.0,
        claim=claim,
        is_told_from_best=None,
        parameters=parameters.title(algorithm) if isinstance(parameters, Parameters) else None,
    )


def _compared(candidate: Ranked, best: Ranked) -> Ranked:
    ratio = candidate.seconds / best.seconds if best.seconds else float("nan")
    is_unknown = np.isnan(candidate.low) or np.isnan(best.high)
    is_significant = None if is_unknown else candidate.low > best.high
    return replace(candidate, ratio=ratio, is_told_from_best=is_significant)
