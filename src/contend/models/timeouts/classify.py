"""How many time-outs each repetition waited for, and what it would have taken without them.

Idea: a repetition that is shorter than a time-out has waited for none. That tells the clean time of
small exchanges, and how these grow (`signature.process`) tells about what others take without one.
Where all repetitions of a point are longer than a time-out, so many are taken off that the rest is
what the process expects. From the clean time on, each further cost is one more time-out.
Restrictions: where noise is as large as the cost, or no number of time-outs fits much better than
the next, a point is not classified: it counts in no share, and for forms with all it has.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.models.signature.algorithm_growth import usual_growth
from contend.models.signature.layout import Layout, Points
from contend.models.signature.process import Process
from contend.models.timeouts.cost import Cost, Repeated
from contend.samples import Sample

CERTAIN = 0.9  # of the cost; the time-out is most of it, sending again the rest
MOST = 3  # time-outs that all repetitions of a point may have waited for
LEAST_SIGNAL = 8.0  # cost over noise
LEAST_NOISE = 0.01  # relative
PLAUSIBLE = 3.0  # standard deviations from what the process expects
BETTER = 4.0  # in squared standard deviations, than the next number of time-outs
FEWEST_KNOWN = 3  # clean points that tell how times grow

Point = tuple[int, int]  # n and m


@dataclass(frozen=True)
class Labelled:
    """A sample, and the number of time-outs of each repetition (k,)."""

    sample: Sample
    waits: np.ndarray

    @property
    def late(self) -> int:
        return int((self.waits > 0).sum())


def classify(
    samples: Sequence[Sample], cost: Cost, known_times: Mapping[Point, float] | None = None
) -> list[Labelled]:
    """Label those of the samples, all by one algorithm and placement, that can be classified.

    `known_times` are clean times, seconds, of other samples.
    """
    grouped: defaultdict[Point, list[float]] = defaultdict(list)
    for sample in samples:
        grouped[sample.n, sample.m].extend(sample.times_s)
    points = [Repeated(n, m, np.sort(times)) for (n, m), times in sorted(grouped.items()) if m]
    clean = _clean(points, cost, samples[0], known_times or {})
    return [
        Labelled(sample, _waits(np.array(sample.times_s), clean[sample.n, sample.m], cost))
        for sample in samples
        if (sample.n, sample.m) in clean
    ]


def clean(labelled: Iterable[Labelled], cost: Cost) -> list[Sample]:
    """Samples with the repetitions without a time-out alone.

    Where all of a sample waited these are its shortest with the cost taken off; it is left out
    where what remains is less than costs differ by.
    """
    kept = []
    for label in labelled:
        least = int(label.waits.min())
        times = np.array(label.sample.times_s)[label.waits == least] - least * cost.seconds
        if least and np.median(times) < cost.high - cost.low:
            continue
        times = times[times > 0]
        kept.append(
            label.sample.model_copy(update={"times_s": tuple(times.tolist()), "rank_times_s": None})
        )
    return kept


def _waits(times: Floats, clean: float, cost: Cost) -> np.ndarray:
    return np.maximum(np.floor((times - clean) / cost.seconds + 0.5), 0).astype(int)


def _clean(
    points: Sequence[Repeated], cost: Cost, like: Sample, known_times: Mapping[Point, float]
) -> dict[Point, float]:
    """Clean time of each point that can be classified."""
    lowest = {(point.n, point.m): _lowest(point.times, cost) for point in points}
    certain = [point for point in points if point.times[0] < CERTAIN * cost.low]
    resolved = {(point.n, point.m): lowest[point.n, point.m] for point in certain}
    noise = _noise(certain, cost)
    for _ in range(2):  # what the first pass finds lets the second find more
        open_ = [point for point in lowest if point not in resolved]
        times = {**known_times, **resolved}
        if not open_ or len(times) < FEWEST_KNOWN:
            break
        for point, expected in _expected(times, open_, like).items():
            if (time := _resolved(lowest[point], *expected, cost)) is not None:
                resolved[point] = time
    return {
        point: time
        for point, time in resolved.items()
        if LEAST_SIGNAL * noise * time < cost.seconds
    }


def _lowest(times: Floats, cost: Cost) -> float:
    """Median of those of sorted times (k,) that hold no more time-outs than the first."""
    return float(np.median(times[times < times[0] + cost.seconds / 2]))


def _noise(certain: Sequence[Repeated], cost: Cost) -> float:
    """Standard deviation of repetitions without a time-out, relative; median over the points."""
    deviations = [
        float(np.std(np.log(group)))
        for point in certain
        if (group := point.times[point.times < point.times[0] + cost.seconds / 2]).size > 2
    ]
    return max(float(np.median(deviations)) if deviations else 0.0, LEAST_NOISE)


def _expected(
    resolved: dict[Point, float], wanted: Sequence[Point], like: Sample
) -> dict[Point, tuple[float, float]]:
    """Logarithm of the clean time of points, and its standard deviation, by those known."""
    seen, asked = np.array(list(resolved), float), np.array(wanted, float)
    points = Points(seen[:, 0], seen[:, 1], np.array(list(resolved.values())))
    process = Process(Layout(points), usual_growth(like.experiment, like.algorithm))
    logarithm, deviation = process.logarithm(asked[:, 0], asked[:, 1])
    pairs = zip(logarithm.tolist(), deviation.tolist(), strict=True)
    return dict(zip(wanted, pairs, strict=True))


def _resolved(lowest: float, logarithm: float, deviation: float, cost: Cost) -> float | None:
    """The clean time, once as many time-outs are taken off as fits; None where none fits well."""
    rest = np.array([lowest - waits * cost.seconds for waits in range(MOST + 1)])
    rest = rest[rest > 0]
    away = np.abs(np.log(rest) - logarithm) / deviation
    order = np.argsort(away)
    if away[order[0]] > PLAUSIBLE:
        return None
    if order.size > 1 and away[order[1]] ** 2 - away[order[0]] ** 2 < BETTER:
        return None
    return float(rest[order[0]])
