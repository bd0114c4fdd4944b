"""What algorithms gain over the library's default, by launches that had both.

Source: paired comparison, Student 1908; its variance moderated, Smyth 2004.
Idea: what one launch meets, both algorithms meet; in the ratio of their medians it is gone. Ratios
are averaged over the launches, on the scale of logarithms. Of few launches their scatter is known
by that of all points of the operation (`contend.statistics.moderated`).
Formula: mean d of log(T_default / T) over k launches, standard error s / sqrt(k), times the ratio
of Student's t, with the degrees of freedom of s, to the normal quantile, both of 90 %.
Restrictions: launches are paired by their number, at the same n, placement and m; two or more.
Where the launches of the two were not the same ones, this still holds, and gains nothing.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from contend.document import Floats
from contend.network.evidence import MeasuredGains
from contend.samples import Sample
from contend.signature.algorithm_growth import OWN_CHOICE
from contend.statistics.moderated import moderated

FEWEST_LAUNCHES = 2
NORMAL_90 = 1.6449  # standard deviations on either side that hold 90 %
_LEAST = 0.002  # standard error that no clock goes below

Series = Sequence[tuple[str, int | None, pd.DataFrame]]
_Point = tuple[str, int, int, int]  # algorithm, n, processes per node (0: unknown), m
_Ratios = dict[tuple[int, int], Floats]  # of n and m: logarithms, one for each launch


def gains_of(
    samples: Sequence[Sample], series: Series
) -> dict[tuple[str, int | None], MeasuredGains]:
    """Of each series (algorithm, placement, table of its points) that the default stands beside."""
    times: defaultdict[_Point, dict[int, float]] = defaultdict(dict)
    for one in samples:
        times[one.algorithm, one.n, one.processes_per_node or 0, one.m][one.launch] = one.median
    ratios = {
        (algorithm, placed): _ratios(algorithm, rows, times)
        for algorithm, placed, rows in series
        if algorithm != OWN_CHOICE
    }
    every = [one for points in ratios.values() for one in points.values()]
    if not every:
        return {}
    errors = iter(_errors(every))
    return {
        key: MeasuredGains(
            n=tuple(n for n, _ in points),
            m=tuple(m for _, m in points),
            gain=tuple(float(np.exp(one.mean())) for one in points.values()),
            error=tuple(next(errors) for _ in points),
        )
        for key, points in ratios.items()
        if points
    }


def _ratios(
    algorithm: str, rows: pd.DataFrame, times: Mapping[_Point, Mapping[int, float]]
) -> _Ratios:
    """Of the points that enough launches had both of."""
    found = {}
    for n, placed, m in rows[["n", "processes_per_node", "m"]].itertuples(index=False):
        own = times.get((algorithm, n, placed, m), {})
        default = times.get((OWN_CHOICE, n, placed, m), {})
        both = [(default[key], own[key]) for key in sorted(own.keys() & default.keys())]
        ratios = np.log([one / other for one, other in both if min(one, other) > 0])
        if ratios.size >= FEWEST_LAUNCHES:
            found[int(n), int(m)] = ratios
    return found


def _errors(every: Sequence[Floats]) -> list[float]:
    """Standard errors of their means, widened by what is unknown of the scatter."""
    launches = np.array([ratios.size for ratios in every], float)
    own = np.array([ratios.var(ddof=1) for ratios in every])
    found = moderated(np.maximum(own, _LEAST**2), launches - 1)
    pairs = zip(np.sqrt(found.variance / launches), found.freedom, strict=True)
    return [max(float(error) * _wider(float(freedom)), _LEAST) for error, freedom in pairs]


@cache
def _wider(freedom: float) -> float:
    """Student's t over the normal quantile, both of 90 %."""
    from scipy import stats

    return float(stats.t.ppf(0.95, freedom)) / NORMAL_90
