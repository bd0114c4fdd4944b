"""Samples as a table: one row per point, the median over launches of the medians of launches."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import stats

from contend.errors import InvalidInputError
from contend.samples.sample import Sample

COLUMNS = ("n", "processes_per_node", "m", "seconds", "low", "high", "launches", "repetitions")


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
    `high` are the extremes over launches, or of a single launch the 95 % interval of its median.
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
            low=("median", "min"),
            high=("median", "max"),
            below=("below", "first"),
            above=("above", "first"),
            launches=("median", "size"),
            repetitions=("repetitions", "sum"),
        )
        .reset_index()
    )
    is_single = table["launches"] == 1
    table["low"] = table["low"].where(~is_single, table["below"])
    table["high"] = table["high"].where(~is_single, table["above"])
    if (np.asarray(table["seconds"]) <= 0).any():
        raise InvalidInputError("a point has a median of 0 s", "measure it with a finer clock")
    return table[list(COLUMNS)]


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
    """95 % interval of the median, from order statistics; the extremes of fewer than six times.

    Source: David, Nagaraja, Order Statistics, 2003, section 7.1; valid for any distribution.

    >>> median_interval([float(i) for i in range(1, 11)])
    (2.0, 9.0)
    """
    ordered = np.sort(np.asarray(times, dtype=np.float64))
    below = _order_below(ordered.size)
    return float(ordered[below]), float(ordered[-1 - below])


@lru_cache(maxsize=4096)
def _order_below(count: int) -> int:
    """Largest k for which the k smallest and k largest of `count` times can be left out."""
    return max(int(stats.binom.ppf(0.025, count, 0.5)) - 1, 0)
