"""What a chart of an algorithm that was run draws: its times over the size, for each n."""

from collections.abc import Iterator

import pandas as pd

from contend.choose.compare import CALL

_SERIES = ["n", "processes_per_node", "root", "conditions"]


def best_options(points: pd.DataFrame) -> pd.DataFrame:
    """Of each algorithm and call the options with the least predicted time; no empty messages.

    The column `series` names the n, the placement and the root where they differ, and conditions.
    """
    sized = points[points["m"] > 0].sort_values(["predicted", "options"])
    best = sized.drop_duplicates([*CALL, "algorithm"]).sort_values([*_SERIES, "m"])
    has_placements = best["processes_per_node"].nunique() > 1
    keys = zip(*(best[name] for name in _SERIES), strict=True)
    return best.assign(series=[_name(n, p if has_placements else 0, *rest) for n, p, *rest in keys])


def _name(n: int, placed: int, root: int, conditions: str) -> str:
    text = f"n = {n}"
    text += f", {placed} per node" if placed else ""
    text += f", root {root}" if root else ""
    return text + (f", {conditions}" if conditions else "")


def by_series(best: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The series of an algorithm, ascending in n."""
    for name, rows in best.groupby("series", sort=False):
        yield str(name), rows
