"""What algorithms gain over the library's default, by launches that had both.

Source: paired comparison, Student 1908; its variance moderated, Smyth 2004.
Idea: what one launch meets, both algorithms meet; in the ratio of their medians it is gone. Where
repetitions of either wait for retransmission time-outs, or some take `SLOW` times the median of
theirs, it is that of their means: a median does not see what two of five calls wait for, and a
program pays for it. Ratios are averaged over the launches, on the scale of logarithms. Of few
launches their scatter is known by that of all points of the operation, those of means by themselves
(`contend.base.statistics.shrinkage`).
Formula: mean d of log(T_default / T) over k launches, standard error s / sqrt(k), times the ratio
of Student's t, with the degrees of freedom of s, to the normal quantile, both of 90 %.
Restrictions: launches are paired by their number, at the same n, placement, m and conditions; two
or more.
Where the launches of the two were not the same ones, this still holds, and gains nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

from contend.base.document import Floats, Frame
from contend.base.statistics.shrinkage import moderated
from contend.base.statistics.student import NORMAL_90
from contend.models.network.evidence import MeasuredGains
from contend.samples import Sample
from contend.samples.setting import NATIVE, is_native, split_conditions, under

FEWEST_LAUNCHES = 2
SLOW = 1.2
_LEAST = 0.002  # standard error that no clock goes below

# Algorithm, processes per node, its points.
Series: TypeAlias = "tuple[str, int | None, Frame]"
_Place = tuple[str, int, int, int]  # algorithm, n, processes per node (0: unknown), m


@dataclass(frozen=True)
class _Paired:
    """A point that enough launches had both of: a row for each, default beside algorithm."""

    n: int
    m: int
    times: Floats  # (launches, 2), seconds
    is_uneven: bool  # whether any repetition waited for a time-out, or took much longer than others

    @property
    def ratios(self) -> Floats:
        """Logarithms (launches,)."""
        return np.asarray(np.log(self.times[:, 0] / self.times[:, 1]))


def gains_of(
    samples: Sequence[Sample], series: Sequence[Series], late: Collection[object] = ()
) -> dict[tuple[str, int | None], MeasuredGains]:
    """Return the gain of each series (algorithm, placement, points) measured beside the default.

    `samples` hold all their repetitions; of those whose `point` is in `late` some waited for a
    time-out.
    """
    times: defaultdict[_Place, dict[int, Sample]] = defaultdict(dict)
    for sample in samples:
        times[sample.algorithm, sample.n, sample.processes_per_node or 0, sample.m][
            sample.launch
        ] = sample
    paired = {
        (algorithm, placed): list(_paired(algorithm, rows, times, late))
        for algorithm, placed, rows in series
        if not is_native(algorithm)
    }
    errors: dict[int, float] = {}
    for is_uneven in (False, True):
        alike = [
            point for some in paired.values() for point in some if point.is_uneven == is_uneven
        ]
        errors |= zip(map(id, alike), _errors([point.ratios for point in alike]), strict=True)
    return {
        key: MeasuredGains(
            n=tuple(point.n for point in points),
            m=tuple(point.m for point in points),
            default_s=tuple(float(np.exp(np.log(point.times[:, 0]).mean())) for point in points),
            gain=tuple(float(np.exp(point.ratios.mean())) for point in points),
            error=tuple(errors[id(point)] for point in points),
        )
        for key, points in paired.items()
        if points
    }


def _paired(
    algorithm: str,
    rows: Frame,
    times: Mapping[_Place, Mapping[int, Sample]],
    late: Collection[object],
) -> Iterator[_Paired]:
    for n, placed, m in rows[["n", "processes_per_node", "m"]].itertuples(index=False):
        forced = times.get((algorithm, n, placed, m), {})
        native = under(NATIVE, split_conditions(algorithm)[1])
        default = times.get((native, n, placed, m), {})
        both = [(default[key], forced[key]) for key in sorted(forced.keys() & default.keys())]
        is_uneven = any(
            side.point in late or _has_slow_ones(side) for pair in both for side in pair
        )
        seconds = [
            [float(np.mean(side.times_s)) if is_uneven else side.median for side in pair]
            for pair in both
        ]
        pairs = np.array([pair for pair in seconds if min(pair) > 0]).reshape(-1, 2)
        if len(pairs) >= FEWEST_LAUNCHES:
            yield _Paired(int(n), int(m), pairs, is_uneven)


def _has_slow_ones(sample: Sample) -> bool:
    return max(sample.times_s) > SLOW * sample.median


def _errors(every: Sequence[Floats]) -> list[float]:
    """Standard errors of their means, widened by what is unknown of the scatter."""
    if not every:
        return []
    launches = np.array([ratios.size for ratios in every], float)
    variances = np.array([ratios.var(ddof=1) for ratios in every])
    shrunken = moderated(np.maximum(variances, _LEAST**2), launches - 1)
    pairs = zip(np.sqrt(shrunken.variance / launches), shrunken.freedom, strict=True)
    return [max(float(error) * _wider(float(freedom)), _LEAST) for error, freedom in pairs]


@cache
def _wider(freedom: float) -> float:
    """Student's t over the normal quantile, both of 90 %."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.95)) / NORMAL_90
