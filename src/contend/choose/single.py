"""The choice where a library can take one algorithm for all sizes only.

Idea: of a number of processes the algorithm that gains the most over all sizes, as a geometric mean
of at least 5 %, among those that lose at none: their gain is 1 or more everywhere, and the lower
end of its interval not below the 5 % that decisions disregard. Where there is none, the default.
"""

from collections.abc import Sequence

import numpy as np

from contend.choose.rules import Rule
from contend.choose.safe import LEAST_GAIN, Grid
from contend.libraries import Library

WHY = "one algorithm has to serve all sizes, and of those that gain at some each may lose at others"


def has_one_for_all_sizes(library: Library | None, operation: str) -> bool:
    """Whether the library can be told one algorithm for all sizes of the operation only."""
    return library is not None and operation in library.one_for_all_sizes


def single(grid: Grid) -> np.ndarray:
    """Place of the rival that is taken at all sizes of a row, -1 for the default; (counts, sizes).

    The shape is that of `contend.choose.smooth.smoothed`.
    """
    return np.repeat([_of_row(grid, row) for row in range(len(grid.n))], len(grid.m)).reshape(
        len(grid.n), len(grid.m)
    )


def _of_row(grid: Grid, row: int) -> int:
    if not grid.contest.rivals or grid.held[row].any():
        return -1
    gain, low = grid.gain[:, row], grid.low[:, row]
    with np.errstate(invalid="ignore"):
        loses = ~((gain >= 1) & (low >= 1 / LEAST_GAIN)).all(axis=1)
        means = np.where(loses, -np.inf, np.log(gain).mean(axis=1))
    best = int(means.argmax())
    is_better = means[best] >= np.log(LEAST_GAIN) and bool(grid.is_safe[best, row].any())
    return best if is_better else -1


def explained(grid: Grid, rules: Sequence[Rule]) -> list[Rule]:
    """The rules, those of the default with the reason where something is better at some sizes."""
    return [
        rule.model_copy(update={"why": WHY}) if rule.is_default and _gains(grid, rule) else rule
        for rule in rules
    ]


def _gains(grid: Grid, rule: Rule) -> bool:
    rows = [place for place, n in enumerate(grid.n) if rule.n <= n < (rule.n_to or n + 1)]
    return bool(grid.is_safe[:, rows].any())
