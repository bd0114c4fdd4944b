"""What charts and figures of algorithms that were run both draw: a panel for each n."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from contend.choose.compare import CALL

SERIES = ["operation", "n", "processes_per_node", "root"]


@dataclass(frozen=True)
class Panel:
    """The points of one operation and n; rows of `compare`, one per algorithm and size."""

    title: str
    rows: pd.DataFrame

    @property
    def algorithms(self) -> list[str]:
        """Names of its algorithms."""
        return sorted(self.rows["algorithm"].unique())

    def of(self, algorithm: str) -> pd.DataFrame:
        """The points of one algorithm, by size."""
        return self.rows[self.rows["algorithm"] == algorithm].sort_values("m")


def panels(points: pd.DataFrame) -> Iterator[Panel]:
    """Panels of the rows of one operation, without empty messages.

    Of each algorithm and size the options with the least predicted time are shown.
    """
    sized = points[points["m"] > 0].sort_values(["predicted", "options"])
    best = sized.drop_duplicates([*CALL, "algorithm"])
    has_placements = best["processes_per_node"].nunique() > 1
    for (_, n, placed, root), rows in best.groupby(SERIES):
        title = f"n = {n}"
        title += f", {placed} per node" if has_placements and placed else ""
        title += f", root {root}" if root else ""
        yield Panel(title, rows)


def ends(points: pd.DataFrame) -> tuple[tuple[float, float], tuple[float, float]]:
    """Range of the sizes, and of all times with a margin."""
    times = points[["low", "high", "predicted"]].to_numpy()
    positive = times[times > 0]
    sizes = points["m"][points["m"] > 0]
    return (
        (float(sizes.min()), float(sizes.max())),
        (float(positive.min()) / 1.3, float(positive.max()) * 1.3),
    )
