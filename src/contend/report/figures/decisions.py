"""Figure: which algorithm of each collective operation is predicted to be fastest, over n and m."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds
from contend.report.canvas.axes import COUNTS, SIZES, count_ticks, set_ticks, size_ticks
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.palette import BORDER, BOUND, FIELDS, INK_ON_FIELD, TICK
from contend.report.figures.figure import Findings
from contend.schedules import COLLECTIVES
from contend.schedules.option_text import options_text
from contend.schedules.ragged_rows import Ints
from contend.tune.choose import DecisionMap, decision_map, map_counts, map_sizes

SHOWN = ("bcast", "scatter", "gather", "allgather", "reduce", "allreduce", "alltoall")
PER_OCTAVE = 2  # sizes; the page holds a sentence for each cell
WIDTH, HEIGHT = 3.4, 2.4  # inches of a map among others
LETTER = 0.062  # inches of a name
LEAST_ROW = 0.03  # share of the axis, that a pointer can hit
HATCH, UNSURE = "////", "no significant difference to the second"


def decision_maps(findings: Findings) -> Iterator[Drawing]:
    """Draw a map for each operation that the network has parameters for."""
    for name in SHOWN:
        if parameters := findings.network.parameters(name):
            counts, sizes = map_counts(), map_sizes(parameters, PER_OCTAVE)
            yield map_drawing(decision_map(name, parameters, counts, sizes))


def map_drawing(
    decisions: DecisionMap, network: str = "", width: float = WIDTH, height: float = HEIGHT
) -> Drawing:
    """Fields with their names, hatched where the best is not significantly faster than the second.

    Raises InvalidInputError for a map with a size of 0 B, which has no place on a logarithmic axis.
    """
    if decisions.m.min(initial=1) < 1:
        raise InvalidInputError(
            f"{decisions.collective} of 0 B has no place on a logarithmic axis",
            "draw sizes from 1 B, or show the table alone",
        )
    about = COLLECTIVES[decisions.collective]
    title = f"{about.title} on {network}: predicted fastest" if network else about.title
    panel = Panel(title, partial(_draw, decisions, width), width, height)
    remark = f"m: {about.size}."
    if not decisions.has_bounds:
        remark += " How sure that is is not known: the parameters have no bounds."
    return Drawing(title, [panel], remark, about.title)


def _draw(decisions: DecisionMap, width: float, axes: Axes) -> Iterator[Tip]:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    x, y = _edges(decisions.m), _edges(decisions.n)
    names = fields(decisions)
    index = np.vectorize(names.index, otypes=[np.int64])(decisions.algorithm)
    colours = [FIELDS[place % len(FIELDS)] for place in range(len(names))]
    axes.pcolormesh(
        x, y, index, cmap=ListedColormap(colours), vmin=-0.5, vmax=len(names) - 0.5, rasterized=True
    )
    for place, (name, colour) in enumerate(zip(names, colours, strict=True)):
        axes.add_patch(Rectangle((0, 0), 0, 0, facecolor=colour, label=name))  # in the legend
        room, *middle = _widest_run(index == place, x, y)
        if room > (x[-1] - x[0]) * LETTER * len(name) / width:
            axes.text(
                *middle, name, ha="center", va="center", fontsize=TICK, color=INK_ON_FIELD,
                bbox={"boxstyle": "round,pad=0.15", "facecolor": colour, "edgecolor": "none"},
                zorder=4,
            )  # fmt: skip
    if decisions.is_unsure.any():
        look: dict[str, Any] = {"edgecolor": BORDER, "lw": 0, "hatch": HATCH}
        boxes = (Path([(x[i], y[row]), (x[j], y[row]), (x[j], y[row + 1]), (x[i], y[row + 1])])
                 for row, i, j in _runs(decisions.is_unsure))  # fmt: skip
        unsure = Path.make_compound_path(*boxes)
        axes.add_patch(PathPatch(unsure, facecolor="none", zorder=3, **look))
        axes.add_patch(Rectangle((0, 0), 0, 0, facecolor=BOUND, label=UNSURE, **look))
    sizes, texts = size_ticks(float(decisions.m.min()), float(decisions.m.max()), most=7)
    counts = count_ticks(int(decisions.n.min()), int(decisions.n.max()))
    set_ticks(axes.xaxis, np.log2(sizes), texts)
    set_ticks(axes.yaxis, np.log2(counts), [str(n) for n in counts])
    axes.set(xlim=x[[0, -1]], ylim=y[[0, -1]], xlabel=SIZES, ylabel=COUNTS)
    yield from _tips(decisions, x, y)


def fields(decisions: DecisionMap) -> list[str]:
    """Names of the fastest algorithms, those with the most of the plane first."""
    area = np.outer(np.diff(_edges(decisions.n)), np.diff(_edges(decisions.m)))
    names = set(decisions.algorithm.ravel())
    return sorted(names, key=lambda name: (-float(area[decisions.algorithm == name].sum()), name))


def _edges(values: Ints) -> Floats:
    """Edges between the logarithms of values, half-way; the outermost as far out as inwards."""
    places = np.log2(values)
    if places.size == 1:
        return np.asarray([places[0] - 0.5, places[0] + 0.5])
    between = (places[1:] + places[:-1]) / 2
    ends = 2 * places[[0, -1]] - between[[0, -1]]
    return np.asarray([ends[0], *between, ends[1]])


def _widest_run(cells: NDArray[np.bool_], x: Floats, y: Floats) -> tuple[float, float, float]:
    """Width of the longest row of cells, and the middle of those that are about as long."""
    runs = [
        (x[last] - x[first], (x[first] + x[last]) / 2, (y[row] + y[row + 1]) / 2)
        for row, first, last in _runs(cells)
    ]
    longest = [run for run in runs if run[0] > 0.9 * max(runs)[0]]
    return longest[len(longest) // 2]


def _runs(cells: NDArray[np.bool_]) -> Iterator[tuple[int, int, int]]:
    """Rows with the first column of cells that meet, and the one behind their last."""
    for row, line in enumerate(cells.astype(int)):
        for first, last in np.flatnonzero(np.diff(np.r_[0, line, 0])).reshape(-1, 2):
            yield row, first, last


def _tips(decisions: DecisionMap, x: Floats, y: Floats) -> Iterator[Tip]:
    """The text of each cell; rows that a pointer cannot tell apart have their lowest alone."""
    last = -np.inf
    for row, (below, above) in enumerate(pairwise(y)):
        if below - last > LEAST_ROW * (y[-1] - y[0]):
            last = below
            for column, (x_from, x_to) in enumerate(pairwise(x)):
                yield Tip(_text(decisions, row, column), x_from, below, x_to, above)


def _text(decisions: DecisionMap, row: int, column: int) -> str:
    """What is fastest, in few words: there are thousands of cells."""
    chosen = options_text(decisions.options[row, column])
    name = decisions.algorithm[row, column] + (f", {chosen}" if chosen else "")
    time, ratio = (
        format_seconds(float(decisions.seconds[row, column])),
        decisions.ratio[row, column],
    )
    others = "as all" if np.isnan(ratio) else f"{decisions.second[row, column]} ×{ratio:.3g}"
    return f"{decisions.n[row]}, {format_bytes(decisions.m[column])}\n{name}: {time}; {others}"
