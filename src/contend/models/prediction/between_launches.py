"""How far launches of the same points lie apart, beside which errors of predictions stand.

Idea: a launch stands against the median of the others of its point, as a prediction against that of
all.
Restrictions: of a point that one launch has measured nothing is known. Launches share their day.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from contend.models.network.evidence import LaunchErrors
from contend.samples import Sample
from contend.samples.table import exchanges


def by_launch(samples: Iterable[Sample]) -> pd.DataFrame:
    """Table of `contend.samples.table.exchanges` for each launch, with the column launch."""
    timed = list(samples)
    parts = [
        exchanges(sample for sample in timed if sample.launch == launch).assign(launch=launch)
        for launch in sorted({sample.launch for sample in timed})
    ]
    return pd.concat(parts, ignore_index=True)


def launch_errors(rows: pd.DataFrame) -> LaunchErrors | None:
    """Return the errors of rows (n, m, launch, seconds); None if no point has several launches."""
    times = rows.pivot_table("seconds", ["n", "m"], "launch", aggfunc="median")
    times = times[times.notna().sum(axis=1) > 1]
    if times.empty:
        return None
    apart = [times[time_] / times.drop(columns=time_).median(axis=1) - 1 for time_ in times]
    errors = np.abs(pd.concat(apart).dropna())
    return LaunchErrors(
        points=len(times),
        launches=len(errors),
        median=float(errors.median()),
        percentile_90=float(errors.quantile(0.9)),
        worst=float(errors.max()),
    )
