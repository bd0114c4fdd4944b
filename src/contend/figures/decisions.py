"""Figure: which algorithm of each collective operation is predicted to be fastest, over n and m."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from contend.canvas.axes import COUNTS, SIZES, count_ticks, set_ticks, size_ticks
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import BORDER, BOUND, FIELDS, INK_ON_FIELD
from contend.canvas.style import TICK
from contend.choose import DecisionMap, decision_map, map_counts, map_sizes
from contend.choose.regions import Regions, regions
from contend.document import Floats
from contend.figures.figure import Figure, Findings
from contend.schedules import COLLECTIVES
from contend.schedules.option_text import options_text
from contend.units import format_bytes, format_seconds

SHOWN = ("bcast", "scatter", "gather", "allgather", "reduce", "allreduce", "alltoall")
PER_OCTAVE = 2  # sizes; the page holds a sentence for each cell
WIDTH, HEIGHT = 3.4, 2.4  # inches of a map among others
LETTER, LINE = 0.062, 0.17  # inches of a name
LEAST_ROW = 0.03  # share of the axis, that a pointer can hit
HATCH, UNSURE = "////", "not told from the second"


class Decisions(Figure):
    """A map for each operation that the network has parameters for."""

    name = "decisions"
    section = "decisions"
    order = 10

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """One drawing for each operation."""
        for name in SHOWN:
            if found := findings.network.parameters(name):
                counts, sizes = map_counts(), map_sizes(found, PER_OCTAVE)
                yield map_drawing(decision_map(name, found, counts, sizes))


def map_drawing(
    found: DecisionMap, network: str = "", width: float = WIDTH, height: float = HEIGHT
) -> Drawing:
    """Fields with their names, hatched where the best is not told from the second.

    Raises
    ------
    InvalidInputError
        For a map with a size of 0 B, which has no place on a logarithmic axis.
    """
    about, known = COLLECTIVES[found.collective], regions(found)
    title = f"{about.title} on {network}: predicted fastest" if network else about.title
    panel = Panel(title, partial(_draw, found, known, width, height), width, height)
    remark = f"m: {about.size}."
    if not found.has_bounds:
        remark += " How sure that is cannot be said: the parameters have no bounds."
    return Drawing(title, [panel], remark, about.title)


def _draw(
    found: DecisionMap, known: Regions, width: float, height: float, axes: Axes
) -> Iterator[Tip]:
    from matplotlib.patches import PathPatch, Rectangle

    for place, name in enumerate(known.names):
        cells, colour = known.index == place, FIELDS[place % len(FIELDS)]
        outline = _path(known.outline(cells))
        axes.add_patch(PathPatch(outline, facecolor=colour, edgecolor=BORDER, lw=0.8, label=name))
        middle = known.label_place(cells, LETTER * len(name) / width, LINE / height)
        if middle is not None:
            axes.text(
                *middle, name, ha="center", va="center", fontsize=TICK, color=INK_ON_FIELD,
                bbox={"boxstyle": "round,pad=0.15", "facecolor": colour, "edgecolor": "none"},
                zorder=4,
            )  # fmt: skip
    if known.is_unsure.any():
        unsure = _path(known.outline(known.is_unsure))
        hatched: dict[str, Any] = {
            "edgecolor": BORDER,
            "lw": 0,
            "hatch": HATCH,
            "alpha": 0.6,
            "zorder": 3,
        }
        axes.add_patch(PathPatch(unsure, facecolor="none", **hatched))
        entry = Rectangle((0, 0), 0, 0, facecolor=BOUND, label=UNSURE, **hatched)
        axes.add_patch(entry)  # nothing but its line in the legend
    sizes, names = size_ticks(float(found.m.min()), float(found.m.max()), most=7)
    counts = count_ticks(int(found.n.min()), int(found.n.max()))
    set_ticks(axes.xaxis, np.log2(sizes), names)
    set_ticks(axes.yaxis, np.log2(counts), [str(n) for n in counts])
    axes.set_xlim(known.x[0], known.x[-1])
    axes.set_ylim(known.y[0], known.y[-1])
    axes.set_xlabel(SIZES)
    axes.set_ylabel(COUNTS)
    yield from _tips(found, known)


def _tips(found: DecisionMap, known: Regions) -> Iterator[Tip]:
    """What is said of each cell; rows that a pointer cannot tell apart have their lowest alone."""
    told = -np.inf
    for row, (below, above) in enumerate(pairwise(known.y)):
        if below - told > LEAST_ROW * (known.y[-1] - known.y[0]):
            told = below
            for column, (left, right) in enumerate(pairwise(known.x)):
                yield Tip(_said(found, row, column), left, below, right, above)


def _path(loops: Sequence[Floats]) -> Any:
    """One path of all loops, so that holes stay open."""
    from matplotlib.path import Path

    codes = [[Path.MOVETO, *[Path.LINETO] * (len(loop) - 2), Path.CLOSEPOLY] for loop in loops]
    return Path(np.concatenate(loops), np.concatenate(codes))


def _said(found: DecisionMap, row: int, column: int) -> str:
    """What is fastest, in few words: there are thousands of cells."""
    chosen = options_text(found.options[row, column])
    name = found.algorithm[row, column] + (f", {chosen}" if chosen else "")
    time, ratio = format_seconds(float(found.seconds[row, column])), found.ratio[row, column]
    others = "as all" if np.isnan(ratio) else f"{found.second[row, column]} ×{ratio:.3g}"
    return f"{found.n[row]}, {format_bytes(found.m[column])}\n{name}: {time}; {others}"
