"""Choices over a grid without flicker, and as rules, which tile its ranges of n and m.

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
Places of a row that take the same make one rule, and so do rows in succession that are cut alike.
A place reaches half of the way, on the scale of logarithms, to the next, but not beyond the sizes
that were measured to one that was not; the last ends with itself.
What extrapolates has rules of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import isqrt

import numpy as np

from contend.base.document import Floats
from contend.base.statistics.student import NORMAL_90
from contend.schedules.libraries import Library
from contend.tune.choose.rules import DEFAULT, Rule
from contend.tune.choose.safe import LEAST_GAIN, Grid, best_of

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
    options = [0] + [1 + len(rival.options) for rival in grid.contest.rivals]
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
    """Whether the library takes one algorithm for all sizes of the operation only."""
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


_NONE = -1


@dataclass(frozen=True)
class Tile:
    """Places that take the same: rows and columns from the first to before the last."""

    rival: int  # -1: the default
    rows: tuple[int, int]
    columns: tuple[int, int]
    extrapolates: bool


def rules(grid: Grid, chosen: np.ndarray, seconds: Floats) -> list[Rule]:
    """The rules of `chosen`, places of rivals (counts, sizes); `seconds` are of the default."""
    placed = grid.contest.default.processes_per_node
    n_edges, m_edges = edges(grid.n), edges(grid.m, grid.contest.sizes)
    return [
        Rule(
            operation=grid.contest.operation,
            n=n_edges[tile.rows[0]],
            n_to=n_edges[tile.rows[1]],
            processes_per_node=placed,
            m=m_edges[tile.columns[0]],
            m_to=m_edges[tile.columns[1]],
            extrapolates=tile.extrapolates,
            **(
                _of_default(grid, tile, seconds)
                if tile.rival == _NONE
                else _of_rival(grid, tile, seconds)
            ),
        )
        for tile in _tiles(grid, chosen)
    ]


def edges(values: Sequence[int], seen: Sequence[int] = ()) -> list[int]:
    """Where each of ascending numbers begins, and the end of the last; `seen` were measured."""
    between = [_edge(value, other, seen) for value, other in pairwise(values)]
    return [values[0], *between, values[-1] + 1]


def _edge(value: int, other: int, seen: Sequence[int]) -> int:
    """Where the larger of two numbers begins."""
    middle = isqrt(value * other - 1) + 1 if value else 1
    if seen and value <= max(seen) < other:
        return min(middle, max(seen) + 1)
    if seen and value < min(seen) <= other:
        return max(middle, min(seen))
    return middle


def _tiles(grid: Grid, chosen: np.ndarray) -> Iterator[Tile]:
    cut = [_cut(grid, chosen, row) for row in range(len(grid.n))]
    first = 0
    for _, same in groupby(cut):
        last = first + len(list(same))
        for rival, outside, start, end in cut[first]:
            yield Tile(rival, (first, last), (start, end), outside)
        first = last


def _cut(grid: Grid, chosen: np.ndarray, row: int) -> list[tuple[int, bool, int, int]]:
    """Runs of a row: rival, whether it extrapolates, first column and the one behind the last."""
    rivals = chosen[row].tolist()
    outside = [_extrapolates(grid, row, column, rival) for column, rival in enumerate(rivals)]
    runs, start = [], 0
    for (rival, is_outside), same in groupby(zip(rivals, outside, strict=True)):
        end = start + len(list(same))
        runs.append((rival, is_outside, start, end))
        start = end
    return runs


def _extrapolates(grid: Grid, row: int, column: int, rival: int) -> bool:
    """Return whether the rival is extrapolated; the default: all rivals are, or it lies outside.

    Where it has no rivals, it lies outside where its own n was not measured.
    """
    extrapolates, measured = grid.extrapolates[:, row, column], grid.contest.default.measured
    if rival != _NONE:
        return bool(extrapolates[rival])
    if measured is None or not min(measured.m) <= grid.m[column] <= max(measured.m):
        return True
    return bool(extrapolates.all()) if extrapolates.size else grid.n[row] not in measured.n


def _cells(tile: Tile) -> tuple[slice, slice]:
    return slice(*tile.rows), slice(*tile.columns)


def _middle(values: Floats) -> float:
    return float(values[values.shape[0] // 2, values.shape[1] // 2])


def _of_rival(grid: Grid, tile: Tile, seconds: Floats) -> dict[str, object]:
    """What a rule says of an algorithm that is taken."""
    rival, cells = grid.contest.rivals[tile.rival], _cells(tile)
    gain, low, high = (values[tile.rival][cells] for values in (grid.gain, grid.low, grid.high))
    least = np.unravel_index(int(np.argmin(gain)), gain.shape)
    default = _middle(seconds[cells])
    return {
        "algorithm": rival.algorithm,
        "options": rival.options,
        "seconds": default / _middle(gain),
        "default_seconds": default,
        "gain": float(gain[least]),
        "gain_low": float(low[least]),
        "gain_high": float(high[least]),
        "points": int(rival.pairs.n.size),
        "why": _reason(grid, tile, float(gain[least]), float(gain.max())),
    }


def _reason(grid: Grid, tile: Tile, least: float, most: float) -> str:
    rival = grid.contest.rivals[tile.rival]
    seen = rival.pairs.n
    counts = grid.n[slice(*tile.rows)]
    times = f"{least:.2f}" if f"{most:.2f}" == f"{least:.2f}" else f"{least:.2f} to {most:.2f}"
    text = f"{times} times as fast"
    if min(counts) < seen.min() or max(counts) > seen.max():
        text += f", unless the default is no longer what it was at n = {_numbers(seen)}"
    return text


def _numbers(values: Floats) -> str:
    return ", ".join(str(int(value)) for value in np.unique(values))


def _of_default(grid: Grid, tile: Tile, seconds: Floats) -> dict[str, object]:
    """What a rule says where the library is left to itself."""
    measured = grid.contest.default.measured
    return {
        "algorithm": DEFAULT,
        "default_seconds": _middle(seconds[_cells(tile)]),
        "points": len(measured.n) if measured else 0,
        "why": _nothing_better(grid, tile),
    }


def _nothing_better(grid: Grid, tile: Tile) -> str:
    if not grid.contest.rivals and grid.contest.left_out:
        return "no algorithm was measured that is right in every program"
    if not grid.contest.rivals:
        return "no other algorithm was measured where the default was"
    rows, columns = _cells(tile)
    if held := [text for text in grid.held[rows, columns].flat if text]:
        return str(held[0])
    gain, low, high, safe = (
        values[:, rows, columns] for values in (grid.gain, grid.low, grid.high, grid.is_safe)
    )
    if np.isnan(gain).all():
        return "no algorithm serves this n and was measured at such sizes"
    place = np.unravel_index(int(np.nanargmax(gain)), gain.shape)
    best = f"{grid.contest.rivals[int(place[0])].setting} {gain[place]:.2f}"
    best += f" ({low[place]:.2f} to {high[place]:.2f})"
    if gain[place] < LEAST_GAIN:
        return f"nothing is 5 % better: {best}"
    if safe.any():
        return f"too little for a change between neighbours: {best}"
    noise, count = float(grid.noise[:, rows, columns][place]), len(grid.contest.rivals)
    if low[place] >= 1 and np.log(gain[place]) < best_of(count) * noise:
        return f"the best of {count} is as much so by chance: {best}"
    return f"nothing is significantly better: {best}"
