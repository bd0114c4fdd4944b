"""The series of an operation: medians by algorithm and placement."""

from collections.abc import Sequence

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.gains import Series
from contend.samples import Sample, table


def series_in(
    samples: Sequence[Sample], options: FitOptions, has_messages: bool = False
) -> list[Series]:
    """Algorithm, processes per node (None: one node) and table of medians of each series.

    Empty where there are samples of single messages alone, and something is known of these.
    """
    try:
        chosen = table.select(samples, options.operation)
    except InvalidInputError:
        if has_messages:
            return []
        raise
    series = by_algorithm(chosen)
    if not series and not has_messages:
        raise InvalidInputError(
            f"all samples of {options.operation} are of empty messages", "measure larger ones"
        )
    return series


def by_algorithm(samples: Sequence[Sample]) -> list[Series]:
    return [
        (algorithm, placed, rows)
        for algorithm in sorted({sample.algorithm for sample in samples})
        for placed, rows in table.by_placement(
            table.exchanges(sample for sample in samples if sample.algorithm == algorithm)
        )
    ]


def to_fit(rows: pd.DataFrame, options: FitOptions) -> pd.DataFrame:
    """The rows of the sizes that are to be fitted."""
    return rows if options.sizes is None else rows[rows["m"].isin(options.sizes)]
