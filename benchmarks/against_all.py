"""What a choice among the catalogue costs against all measured, the library's own beside it.

Idea: of a call the algorithm of the catalogue with the least predicted time is chosen. Its measured
time is set against the least of all samples of the call: other algorithms of the library, whose
schedules nobody knows, and what the library takes by itself (`native`).
Restrictions: as in `contend.tune.choose.compare`, but calls with one candidate count too, since
there is more to compare it with.
"""

from collections import defaultdict
from collections.abc import Sequence

import pandas as pd

from contend.samples import Sample, table
from contend.samples.by_setting import by_setting
from contend.samples.setting import NATIVE, split_conditions

CALL = ["operation", "conditions", "n", "processes_per_node", "m"]
COLUMNS = [
    *CALL, "algorithm", "measured", "best_algorithm", "best_measured", "regret", "native_regret"
]  # fmt: skip
REGRETS = ["regret", "native_regret"]


def against_all(points: pd.DataFrame, samples: Sequence[Sample]) -> pd.DataFrame:
    """A row per call of what `compare` returned of these `samples`, with the columns `COLUMNS`.

    `native_regret` is the library's own time over the least, NaN where it was not measured.
    """
    chosen = points.loc[points.groupby(CALL)["predicted"].idxmin()]
    everything = _measured(samples)
    best = everything.loc[everything.groupby(CALL)["seconds"].idxmin()]
    best = best.rename(columns={"algorithm": "best_algorithm", "seconds": "best_measured"})
    native = everything.loc[everything["algorithm"] == NATIVE, [*CALL, "seconds"]]
    native = native.rename(columns={"seconds": "native_measured"})
    rows = chosen.merge(best, on=CALL).merge(native, on=CALL, how="left")
    rows["regret"] = rows["measured"] / rows["best_measured"]
    rows["native_regret"] = rows["native_measured"] / rows["best_measured"]
    return rows[COLUMNS]


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Median, 90th percentile and worst of both regrets, by operation and of all."""
    groups = [*rows.groupby("operation"), ("all", rows)]
    return pd.DataFrame(
        {"operation": name, "calls": len(part)}
        | {
            f"{column.replace('_regret', '').replace('regret', 'choice')} {label}": float(
                part[column].quantile(share)
            )
            for column in REGRETS
            for label, share in (("median", 0.5), ("90 %", 0.9), ("worst", 1.0))
        }
        for name, part in groups
    )


def _measured(samples: Sequence[Sample]) -> pd.DataFrame:
    """Median of the launches of each algorithm in each call, seconds."""
    tables = []
    groups: defaultdict[tuple[str, str], list[Sample]] = defaultdict(list)
    for one in by_setting(samples):
        groups[one.experiment, one.algorithm].append(one)
    for (operation, setting), own in sorted(groups.items()):
        algorithm, conditions = split_conditions(setting)
        points = table.medians(own).assign(
            operation=operation, algorithm=algorithm, conditions=conditions
        )
        tables.append(points[[*CALL, "algorithm", "seconds"]])
    return pd.concat(tables, ignore_index=True)
