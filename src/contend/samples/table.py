"""Samples as a table: one row per point, the median over launches of the medians of launches."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

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
    `high` are the extremes over launches.
    """
    rows = [(s.n, s.processes_per_node or 0, s.m, s.median, len(s.times_s)) for s in samples]
    frame = pd.DataFrame(rows, columns=["n", "processes_per_node", "m", "median", "repetitions"])
    grouped = frame.groupby(["n", "processes_per_node", "m"])
    table = grouped.agg(
        seconds=("median", "median"),
        low=("median", "min"),
        high=("median", "max"),
        launches=("median", "size"),
        repetitions=("repetitions", "sum"),
    ).reset_index()
    if (np.asarray(table["seconds"]) <= 0).any():
        raise InvalidInputError("a point has a median of 0 s", "measure it with a finer clock")
    return table[list(COLUMNS)]
