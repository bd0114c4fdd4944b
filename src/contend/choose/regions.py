"""A decision map as regions of the plane of log2 m and log2 n: outlines, borders, places of names.

Idea: a cell reaches half-way to its neighbours. The outline of a set of cells is made of the cell
edges that have a cell of the set on one side alone, each directed so that the set is on its left,
chained at their ends into loops; loops around holes so turn the other way. A name stands where its
box fits into the region with the most room around it.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from contend.choose import DecisionMap
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.schedules.ragged import Ints

Cells = NDArray[np.bool_]
_RASTER = 120, 240  # points, up and across, at which a place for a name is looked for


@dataclass(frozen=True)
class Regions:
    """Which algorithm has which cells; those with the most of the plane come first."""

    names: list[str]
    index: Ints  # (counts, sizes), of names
    is_unsure: Cells  # (counts, sizes)
    x: Floats  # edges of the cells, log2 of bytes, (sizes + 1,)
    y: Floats  # edges, log2 of processes, (counts + 1,)

    def outline(self, cells: Cells) -> list[Floats]:
        """Loops around cells, closed, each (points, 2); the cells are on the left."""
        return [np.column_stack([self.x[loop[:, 1]], self.y[loop[:, 0]]]) for loop in _loops(cells)]

    def label_place(self, cells: Cells, width: float, height: float) -> tuple[float, float] | None:
        """Middle of a box within the cells, whose size is in shares of the plane; None for none."""
        rows, columns = _sampled(self.y, _RASTER[0]), _sampled(self.x, _RASTER[1])
        raster = cells[np.ix_(rows[1], columns[1])]
        box = [max(1, round(share * n)) for share, n in zip((height, width), _RASTER, strict=True)]
        padded = np.pad(raster, 1)
        fits = ndimage.binary_erosion(padded, np.ones(box))
        if not fits.any():
            return None
        room = ndimage.distance_transform_edt(fits, sampling=(1.0, box[0] / box[1]))
        widest = np.argwhere(room > 0.9 * room.max())
        row, column = widest[np.abs(widest - widest.mean(axis=0)).sum(axis=1).argmin()] - 1
        return float(columns[0][column]), float(rows[0][row])


def regions(found: DecisionMap) -> Regions:
    """The regions of a map.

    Raises
    ------
    InvalidInputError
        For a map with a size of 0 B, which has no place on a logarithmic axis.
    """
    if found.m.min(initial=1) < 1:
        raise InvalidInputError(
            f"{found.collective} of 0 B has no place on a logarithmic axis",
            "draw sizes from 1 B, or show the table alone",
        )
    x, y = _edges(found.m), _edges(found.n)
    area = np.outer(np.diff(y), np.diff(x))
    names = sorted(
        set(found.algorithm.ravel()),
        key=lambda name: (-float(area[found.algorithm == name].sum()), name),
    )
    index = np.vectorize(names.index, otypes=[np.int64])(found.algorithm)
    return Regions(names, index, found.is_unsure, x, y)


def _edges(values: Ints) -> Floats:
    """Edges between the logarithms of values, half-way; the outermost as far out as inwards."""
    places = np.log2(values)
    if places.size == 1:
        return np.array([places[0] - 0.5, places[0] + 0.5])
    middle = (places[1:] + places[:-1]) / 2
    return np.concatenate([[2 * places[0] - middle[0]], middle, [2 * places[-1] - middle[-1]]])


def _sampled(edges: Floats, count: int) -> tuple[Floats, Ints]:
    """Evenly spaced places between the outermost edges, and the cell that each is in."""
    places = edges[0] + (np.arange(count) + 0.5) / count * (edges[-1] - edges[0])
    return places, np.searchsorted(edges, places) - 1


def _loops(cells: Cells) -> Iterator[NDArray[np.int64]]:
    """Closed loops of corners (row, column), without corners along a straight line."""
    follows: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for start, end in _directed_edges(cells):
        follows[start].append(end)
    while follows:
        loop = [next(iter(follows))]
        while not (len(loop) > 1 and loop[-1] == loop[0]):
            ends = follows[loop[-1]]
            loop.append(ends.pop(_leftmost(loop, ends)))
            if not ends:
                del follows[loop[-2]]
        yield _straightened(np.array(loop))


def _directed_edges(cells: Cells) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Edges around each cell that are not shared with another, counter-clockwise."""
    padded = np.pad(cells, 1)
    for row, column in np.argwhere(cells):
        low, left = int(row), int(column)
        high, right = low + 1, left + 1
        around = padded[low : low + 3, left : left + 3]
        if not around[0, 1]:
            yield (low, left), (low, right)
        if not around[1, 2]:
            yield (low, right), (high, right)
        if not around[2, 1]:
            yield (high, right), (high, left)
        if not around[1, 0]:
            yield (high, left), (low, left)


def _leftmost(loop: list[tuple[int, int]], ends: list[tuple[int, int]]) -> int:
    """Of the ways on from a corner the one to the left, so that loops touch but never cross."""
    if len(ends) == 1 or len(loop) < 2:
        return 0
    (y0, x0), (y1, x1) = loop[-2:]
    turns = [(x1 - x0) * (y - y1) - (y1 - y0) * (x - x1) for y, x in ends]
    return int(np.argmax(turns))


def _straightened(loop: NDArray[np.int64]) -> NDArray[np.int64]:
    """The loop without its corners along a straight line, closed."""
    steps = np.diff(loop, axis=0)
    before = np.roll(steps, 1, axis=0)
    is_corner = (steps[:, 0] * before[:, 1]) != (steps[:, 1] * before[:, 0])
    corners = loop[:-1][is_corner]
    return np.concatenate([corners, corners[:1]])
