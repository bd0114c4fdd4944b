"""What a choice costs: the time of the chosen algorithm over that of the best that was measured.

Idea: for each operation and size the algorithm with the least predicted time is chosen among those
that were measured there and are in the catalogue. Its measured time, over the least measured one,
is its regret; so is that of the MPI library's own choice (`native`).
Restrictions: the options are those that were measured. An algorithm that nobody measured is not
chosen, however fast it may be.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from contend.errors import InvalidInputError
from contend.samples import Sample, table
from contend.schedules import COLLECTIVES
from contend.schedules.fitted import Parameters, compare
from contend.schedules.series import series_of

NATIVE = "native"
COLUMNS = (
    "operation", "n", "m", "chosen", "seconds", "best", "best_seconds", "regret",
    "regret_in_catalogue", "native_regret",
)  # fmt: skip


def regrets(
    samples: Sequence[Sample], wanted: Callable[[str], Parameters | None], n: int
) -> pd.DataFrame:
    """A row per operation and size measured at `n`, with the columns `COLUMNS`.

    `wanted` gives the parameters of an operation. `regret` is against all that was measured,
    `regret_in_catalogue` against algorithms of the catalogue alone; `native_regret` is NaN where
    the library's own choice was not measured.
    """
    chosen = [one for one in samples if one.n == n and one.experiment in COLLECTIVES]
    measured = _measured(chosen)
    predicted = compare(series_of(chosen, n), wanted)
    if predicted.empty:
        raise InvalidInputError(
            "no parameters for an operation of these samples", "fit them by 'contend fit-schedules'"
        )
    rows = [_row(known, measured) for _, known in predicted.groupby(["operation", "n", "m"])]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Median, 90th percentile and worst of each regret, by operation and of all."""
    groups = [*rows.groupby("operation"), ("all", rows)]
    return pd.DataFrame(
        {"operation": name, "points": len(part)}
        | {
            f"{column} {label}": float(part[column].quantile(share))
            for column in ("regret", "regret_in_catalogue", "native_regret")
            for label, share in (("median", 0.5), ("90 %", 0.9), ("worst", 1.0))
        }
        for name, part in groups
    )


def _measured(samples: Sequence[Sample]) -> pd.DataFrame:
    """Seconds of each operation, algorithm and size; of all placements the fastest."""
    tables = []
    for operation, algorithm in sorted({(one.experiment, one.algorithm) for one in samples}):
        own = [s for s in samples if (s.experiment, s.algorithm) == (operation, algorithm)]
        points = table.medians(own).groupby("m", as_index=False)["seconds"].min()
        tables.append(points.assign(operation=operation, algorithm=algorithm))
    return pd.concat(tables, ignore_index=True)


def _row(known: pd.DataFrame, measured: pd.DataFrame) -> dict[str, object]:
    first = known.iloc[0]
    there = measured[(measured["operation"] == first["operation"]) & (measured["m"] == first["m"])]
    times = there.set_index("algorithm")["seconds"]
    choice = known.loc[known["predicted"].idxmin()]
    return {
        "operation": first["operation"],
        "n": int(first["n"]),
        "m": int(first["m"]),
        "chosen": choice["algorithm"],
        "seconds": choice["measured"],
        "best": times.idxmin(),
        "best_seconds": times.min(),
        "regret": choice["measured"] / times.min(),
        "regret_in_catalogue": choice["measured"] / known["measured"].min(),
        "native_regret": times.get(NATIVE, np.nan) / times.min(),
    }
