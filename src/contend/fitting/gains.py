"""What algorithms gain over the library's default, by launches that had both.

Source: paired comparison, Student 1908.
Idea: what one launch meets, both algorithms meet; in the ratio of their medians it is gone. Ratios
are averaged over the launches, on the scale of logarithms.
Formula: mean d of log(T_default / T) over k launches, standard error s / sqrt(k), times the ratio
of Student's t with k-1 degrees of freedom to the normal quantile, both of 90 %.
Restrictions: launches are paired by their number, at the same n, placement and m; two or more.
Where the launches of the two were not the same ones, this still holds, and gains nothing.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from contend.network.evidence import MeasuredGains
from contend.samples import Sample
from contend.signature.algorithm_growth import OWN_CHOICE

FEWEST_LAUNCHES = 2
NORMAL_90 = 1.6449  # standard deviations on either side that hold 90 %
_LEAST = 0.002  # standard error that no clock goes below

Series = Sequence[tuple[str, int | None, pd.DataFrame]]
_Point = tuple[str, int, int, int]  # algorithm, n, processes per node (0: unknown), m


def gains_of(
    samples: Sequence[Sample], series: Series
) -> dict[tuple[str, int | None], MeasuredGains]:
    """Of each series (algorithm, placement, table of its points) that the default stands beside."""
    times: defaultdict[_Point, dict[int, float]] = defaultdict(dict)
    for one in samples:
        times[one.algorithm, one.n, one.processes_per_node or 0, one.m][one.launch] = one.median
    found = {
        (algorithm, placed): _gains(algorithm, rows, times)
        for algorithm, placed, rows in series
        if algorithm != OWN_CHOICE
    }
    return {key: one for key, one in found.items() if one.n}


def _gains(
    algorithm: str, rows: pd.DataFrame, times: Mapping[_Point, Mapping[int, float]]
) -> MeasuredGains:
    columns: list[tuple[int, int, float, float]] = []
    for n, placed, m in rows[["n", "processes_per_node", "m"]].itertuples(index=False):
        own = times.get((algorithm, n, placed, m), {})
        default = times.get((OWN_CHOICE, n, placed, m), {})
        both = [(default[key], own[key]) for key in sorted(own.keys() & default.keys())]
        ratios = np.log([one / other for one, other in both if min(one, other) > 0])
        if ratios.size >= FEWEST_LAUNCHES:
            error = ratios.std(ddof=1) / np.sqrt(ratios.size) * _wider(ratios.size)
            gain = float(np.exp(ratios.mean()))
            columns.append((int(n), int(m), gain, float(max(error, _LEAST))))
    n_of, m_of, gain_of, error_of = zip(*columns, strict=True) if columns else ((), (), (), ())
    return MeasuredGains(n=n_of, m=m_of, gain=gain_of, error=error_of)


@cache
def _wider(launches: int) -> float:
    """Student's t over the normal quantile, both of 90 %."""
    from scipy import stats

    return float(stats.t.ppf(0.95, launches - 1)) / NORMAL_90
