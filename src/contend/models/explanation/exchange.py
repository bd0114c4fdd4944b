"""What is known of an exchange before its structure: times, placement, a single message."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.models.signature import PointToPoint

_LEAST_SCATTER = 0.02  # of log time; no n is mistrusted that scatters by little more
_NOISY = 2.5  # times the usual scatter; what noise alone makes of it is less
_FEWEST_COMPARED, _FEWEST_DIFFERENCES = 3, 6


@dataclass(frozen=True)
class Exchange:
    """Times of an all-to-all on a grid of n and m, both ascending; NaN where none was measured.

    `logarithms` are those of the seconds, shape (n_counts, n_sizes).
    """

    counts: Floats
    sizes: Floats
    logarithms: Floats
    processes_per_node: int | None = None
    message: PointToPoint = field(default_factory=PointToPoint)

    @cached_property
    def is_measured(self) -> np.ndarray:
        """Where there is a time, shape (n_counts, n_sizes)."""
        return np.isfinite(self.logarithms)

    @cached_property
    def trust(self) -> Floats:
        """What an error counts at each n, from 0 to 1: less where times scatter more, (n_counts,).

        The scatter is that of second differences over m about their median over n, by their median
        absolute deviation, so that neither the curve nor a jump that all n have counts.
        """
        if self.counts.size < _FEWEST_COMPARED or self.sizes.size < _FEWEST_DIFFERENCES + 2:
            return np.ones(self.counts.size)
        bends = np.diff(self.logarithms, 2, axis=1)
        bends = bends[:, np.isfinite(bends).all(axis=0)]
        if bends.shape[1] < _FEWEST_DIFFERENCES:
            return np.ones(self.counts.size)
        scatter = np.median(np.abs(bends - np.median(bends, axis=0)), axis=1)
        usual = max(float(np.median(scatter)), _LEAST_SCATTER)
        is_noisy = scatter > _NOISY * usual
        return np.where(is_noisy, usual / np.where(is_noisy, scatter, 1.0), 1.0)


def exchange_of(
    rows: pd.DataFrame,
    processes_per_node: int | None = None,
    message: PointToPoint | None = None,
) -> Exchange:
    """The grid of rows (n, m, seconds); empty messages and a process alone are left out.

    >>> rows = pd.DataFrame({"n": [4, 8], "m": [1, 1], "seconds": [1e-6, 2e-6]})
    >>> exchange_of(rows).logarithms.shape
    (2, 1)
    """
    used = rows[(rows["m"] > 0) & (rows["n"] > 1) & (rows["seconds"] > 0)]
    grid = used.assign(log=np.log(used["seconds"].astype(float))).pivot_table(
        index="n", columns="m", values="log", aggfunc="median"
    )
    return Exchange(
        grid.index.to_numpy(dtype=np.float64),
        grid.columns.to_numpy(dtype=np.float64),
        grid.to_numpy(dtype=np.float64),
        processes_per_node,
        message or PointToPoint(),
    )
