"""The choice over a grid without flicker: neighbours that are not told apart take the same.

Source: the path of least cost through a chain of states, Viterbi 1967.
Idea: along m each place takes the default or an algorithm that is safe there. What is given away
against the best of the place, beyond what noise can be, is a cost, and so is each change from one
place to the next, as much as the least gain that is worth a departure. Of equal costs the simpler
setting wins: the default, then that with fewer options. The row of the n before it, if as good, is
followed.
Where a library can take one algorithm for all sizes only: of a number of processes the algorithm
that gains the most over all sizes, as a geometric mean of at least 5 %, among those that lose at
none: their gain is 1 or more everywhere, and the lower end of its interval not below the 5 % that
decisions disregard. Where there is none, the default.
"""

from collections.abc import Sequence

import numpy as np

from contend.choose.rules import Rule
from contend.choose.safe import LEAST_GAIN, Grid
from contend.document import Floats
from contend.fitting.gains import NORMAL_90
from contend.libraries import Library

CHANGE = float(np.log(LEAST_GAIN))  # in logarithms of time
_ANOTHER_THAN_BEFORE = 0.1 * CHANGE  # than in the row of the n before
_PER_OPTION = 1e-6
_PER_LOGARITHM = 1e-2  # of what is within noise: of two the faster, if nothing else speaks

WHY = "one algorithm has to serve all sizes, and of those that gain at some each may lose at others"


def smoothed(grid: Grid) -> np.ndarray:
    """Place of the rival that is taken, -1 for the default; shape (counts, sizes)."""
    rows: list[np.ndarray] = []
    for row in range(len(grid.n)):
        cost = _costs(grid, row)
        if rows:
            states = np.arange(cost.shape[0])[:, None]
            cost = cost + _ANOTHER_THAN_BEFORE * (states != rows[-1] + 1)
        rows.append(_cheapest(cost) - 1)
    return np.array(rows).reshape(len(grid.n), len(grid.m))


def _costs(grid: Grid, row: int) -> Floats:
    """What each state gives away at each size, (rivals + 1, sizes); the default is the first."""
    with np.errstate(invalid="ignore"):
        gains = np.where(grid.is_safe[:, row], np.log(grid.gain[:, row]), -np.inf)
    every = np.concatenate([np.zeros((1, len(grid.m))), gains])
    away = every.max(axis=0) - every
    if len(grid.contest.rivals):
        within = NORMAL_90 * np.sqrt(2) * np.nan_to_num(grid.noise[:, row])
        away[1:] = np.maximum(away[1:] - within, _PER_LOGARITHM * away[1:])
    options = [0] + [1 + len(one.options) for one in grid.contest.rivals]
    return np.asarray(away + _PER_OPTION * np.array(options)[:, None])


def _cheapest(cost: Floats) -> np.ndarray:
    """The states of the cheapest path, (sizes,)."""
    total, came = cost[:, 0], []
    for column in cost.T[1:]:
        stays, changes = total, total.min() + CHANGE
        came.append(np.where(stays <= changes, np.arange(total.size), total.argmin()))
        total = np.minimum(stays, changes) + column
    path = [int(total.argmin())]
    for before in reversed(came):
        path.append(int(before[path[-1]]))
    return np.array(path[::-1])


def has_one_for_all_sizes(library: Library | None, operation: str) -> bool:
    """Whether the library can be told one algorithm for all sizes of the operation only."""
    return library is not None and operation in library.one_for_all_sizes


def single(grid: Grid) -> np.ndarray:
    """Return as `smoothed` does, with one choice for all sizes of a row."""
    chosen = [_of_row(grid, row) for row in range(len(grid.n))]
    return np.tile(np.array(chosen)[:, None], len(grid.m))


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
