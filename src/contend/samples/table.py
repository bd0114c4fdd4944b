"""Samples as a table: one row per point, the median over launches of the medians of launches."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from contend.base.document import Floats, Frame
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import OVER_LAUNCHES, WITHIN_LAUNCH, over_launches
from contend.samples.by_setting import conditions_in
from contend.samples.sample import Sample

COLUMNS = (
    "n", "processes_per_node", "m", "seconds", "low", "high", "bounds", "launches", "repetitions"
)  # fmt: skip

BARRIER = "barrier"  # the experiment whose messages are empty
FEWEST_TIMES = 6  # 1 - 2 / 2^6 is the first above 95 %


def select(
    samples: Sequence[Sample], experiment: str, algorithm: str | None = None
) -> list[Sample]:
    """Samples of an experiment (and algorithm); the error for none lists what there is."""
    chosen = [
        sample
        for sample in samples
        if sample.experiment == experiment and algorithm in (None, sample.algorithm)
    ]
    if not chosen:
        held = sorted({f"{sample.experiment}/{sample.algorithm}" for sample in samples})
        raise InvalidInputError(
            f"no sample of {experiment}{f'/{algorithm}' if algorithm else ''}",
            f"the file holds {', '.join(held) or 'nothing'}",
        )
    return chosen


def medians(samples: Iterable[Sample]) -> Frame:
    """Table with a row per (n, processes_per_node, m) and the columns `COLUMNS`.

    `seconds` is the median over launches of each launch's median: launches differ more from each
    other than repetitions within one, so a long launch must not outweigh the others. `low` and
    `high` are a 95 % interval: over launches where there are several, of a single launch that of
    its median within it, which says nothing of other launches. `bounds` says which; it is None,
    and both are NaN, for a single launch of fewer than six repetitions.

    Raise InvalidInputError for samples of several conditions, which are never one series, and for a
    median of 0 s.
    """
    import pandas as pd

    samples = list(samples)
    if len(conditions := conditions_in(samples)) > 1:
        raise InvalidInputError(
            f"samples under {' and under '.join(text or 'none' for text in conditions)} are not "
            "one series",
            "choose those of one set of conditions",
        )
    points: defaultdict[tuple[int, int, int], list[Sample]] = defaultdict(list)
    for sample in samples:
        points[sample.n, sample.processes_per_node or 0, sample.m].append(sample)
    ordered = [points[key] for key in sorted(points)]
    of_launches = [np.array([launch.median for launch in launches]) for launches in ordered]
    intervals = _intervals(ordered, of_launches)
    rows = [
        (*key, float(np.median(values)), *ends, len(values), sum(len(s.times_s) for s in launches))
        for key, launches, values, ends in zip(
            sorted(points), ordered, of_launches, intervals, strict=True
        )
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    if (np.asarray(table["seconds"]) <= 0).any():
        raise InvalidInputError("a point has a median of 0 s", "measure it with a finer clock")
    return table


def _intervals(
    points: Sequence[Sequence[Sample]], of_launches: Sequence[Floats]
) -> list[tuple[float, float, str | None]]:
    """Low, high and what they are of points, given their samples and the medians of these."""
    intervals: list[tuple[float, float, str | None]] = []
    for launches in points:
        low, high = median_interval(launches[0].times_s)
        intervals.append((low, high, None if np.isnan(low) else WITHIN_LAUNCH))
    for count in {values.size for values in of_launches} - {1}:
        alike = [place for place, values in enumerate(of_launches) if values.size == count]
        columns = list(np.array([of_launches[place] for place in alike]).T)
        estimate = over_launches(columns, lambda kept: np.median(kept, axis=0))
        for number, place in enumerate(alike):
            if estimate.low is not None and estimate.high is not None:
                low, high = estimate.low[number], estimate.high[number]
                intervals[place] = float(low), float(high), OVER_LAUNCHES
    return intervals


def timed(samples: Iterable[Sample]) -> list[Sample]:
    """Samples with a median above 0 s: of the others a clock could not tell how long they took."""
    return [sample for sample in samples if sample.median > 0]


def exchanges(samples: Iterable[Sample]) -> Frame:
    """Table of medians without the empty messages, for which a library may return at once.

    A barrier has no others.
    """
    return medians(sample for sample in samples if sample.m > 0 or sample.experiment == BARRIER)


def by_placement(rows: Frame) -> "list[tuple[int | None, Frame]]":
    """Rows apart by processes per node; None for those on one node (or where it is unknown).

    A campaign with p per node runs up to p processes on a single node; these rows are its lower
    end and stay with it, where it is clear which campaign that is.
    """
    placed = rows["processes_per_node"]
    is_single = placed.isin([0]) | (placed == rows["n"])
    several = sorted(int(p) for p in placed[~is_single].unique())

    def campaign(n: int, per_node: int) -> int:
        larger = [p for p in several if p >= n]
        if not per_node:
            return 0
        return n if n in several else larger[0] if len(larger) == 1 else 0

    place = [
        campaign(int(n), int(p)) if single else int(p)
        for n, p, single in zip(rows["n"], placed, is_single, strict=True)
    ]
    return [(p or None, part) for p, part in rows.groupby(np.array(place, dtype=int))]


def median_interval(times: Sequence[float]) -> tuple[float, float]:
    """95 % interval of the median, from order statistics; NaN of fewer than six times.

    The extremes of five times hold the median in 94 % of cases, of two in half of them.

    Source: David, Nagaraja, Order Statistics, 2003, section 7.1; valid for any distribution.

    >>> median_interval([float(i) for i in range(1, 11)])
    (2.0, 9.0)
    """
    if len(times) < FEWEST_TIMES:
        return float("nan"), float("nan")
    ordered = np.sort(np.asarray(times, dtype=np.float64))
    below = _order_below(ordered.size)
    return float(ordered[below]), float(ordered[-1 - below])


@lru_cache(maxsize=4096)
def _order_below(count: int) -> int:
    """Largest k for which the k smallest and k largest of `count` times can be left out."""
    from scipy.special import bdtr  # scipy.stats takes longer to import than a file to read

    shares = bdtr(np.arange(count), count, 0.5)
    return max(int(np.searchsorted(shares, 0.025)) - 1, 0)
