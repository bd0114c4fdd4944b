"""Samples as a table: one row per point, the median over launches of the medians of launches."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import stats

from contend.errors import InvalidInputError
from contend.launches import OVER_LAUNCHES, WITHIN_LAUNCH, over_launches
from contend.samples.sample import Sample

COLUMNS = (
    "n", "processes_per_node", "m", "seconds", "low", "high", "bounds", "launches", "repetitions"
)  # fmt: skip

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
        there = sorted({f"{sample.experiment}/{sample.algorithm}" for sample in samples})
        raise InvalidInputError(
            f"no sample of {experiment}{f'/{algorithm}' if algorithm else ''}",
            f"the file holds {', '.join(there) or 'nothing'}",
        )
    return chosen


def medians(samples: Iterable[Sample]) -> pd.DataFrame:
    """Table with a row per (n, processes_per_node, m) and the columns `COLUMNS`.

    `seconds` is the median over launches of each launch's median: launches differ more from each
    other than repetitions within one, so a long launch must not outweigh the others. `low` and
    `high` are a 95 % interval: over launches where there are several, of a single launch that of
    its median within it, which says nothing of other launches. `bounds` says which; it is None,
    and both are NaN, for a single launch of fewer than six repetitions.
    """
    rows = [
        (s.n, s.processes_per_node or 0, s.m, s.median, *median_interval(s.times_s), len(s.times_s))
        for s in samples
    ]
    names = ["n", "processes_per_node", "m", "median", "below", "above", "repetitions"]
    frame = pd.DataFrame(rows, columns=names)
    table = (
        frame.groupby(["n", "processes_per_node", "m"])
        .agg(
            seconds=("median", "median"),
            medians=("median", list),
            low=("below", "first"),
            high=("above", "first"),
            launches=("median", "size"),
            repetitions=("repetitions", "sum"),
        )
        .reset_index()
    )
    table["bounds"] = [WITHIN_LAUNCH if known else None for known in table["low"].notna()]
    for count in table.loc[table["launches"] > 1, "launches"].unique():
        several = table["launches"] == count
        bounds = _over_launches(table.loc[several, "medians"])
        table.loc[several, ["low", "high", "bounds"]] = bounds
    if (np.asarray(table["seconds"]) <= 0).any():
        raise InvalidInputError("a point has a median of 0 s", "measure it with a finer clock")
    return table[list(COLUMNS)]


def _over_launches(medians: "pd.Series[object]") -> list[tuple[float, float, str]]:
    """Low, high and what they are of points with as many launches, whose medians are given."""
    launches = np.array(medians.tolist(), dtype=np.float64).T
    found = over_launches(list(launches), lambda kept: np.median(kept, axis=0))
    if found.low is None or found.high is None:
        raise AssertionError("bounds of two launches or more are known")
    return [(*ends, OVER_LAUNCHES) for ends in zip(found.low, found.high, strict=True)]


def timed(samples: Iterable[Sample]) -> list[Sample]:
    """Samples with a median above 0 s: of the others a clock could not tell how long they took."""
    return [sample for sample in samples if sample.median > 0]


def exchanges(samples: Iterable[Sample]) -> pd.DataFrame:
    """Table of medians without the empty messages, for which a library may return at once."""
    rows = medians(samples)
    return rows[rows["m"] > 0]


def by_placement(rows: pd.DataFrame) -> list[tuple[int | None, pd.DataFrame]]:
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
    return max(int(stats.binom.ppf(0.025, count, 0.5)) - 1, 0)
