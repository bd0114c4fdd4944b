"""Figure of a decision map: a coloured field for each algorithm over the size and the processes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from contend.choose import DecisionMap
from contend.document import Floats
from contend.report.curves import count_ticks, size_ticks
from contend.report.figures.canvas import LABEL, TICK, new_figure
from contend.report.palette import BORDER, BOUND, FIELDS, INK_ON_FIELD
from contend.report.regions import Regions, regions

WIDTH, HEIGHT = 6.0, 3.9  # inches
PER_LETTER, LINE = 0.0155, 0.065  # shares of the axes that a letter and a line take
HATCH = "////"
MOST_IN_LEGEND = 4  # columns


def decision_figure(found: DecisionMap, title: str = "") -> Any:
    """Fields with their names, borders, and hatching where the best is not told from the second."""
    known = regions(found)
    figure = new_figure(WIDTH, HEIGHT)
    axes = figure.subplots()
    for place, name in enumerate(known.names):
        _field(axes, known, place, name)
    if known.is_unsure.any():
        _hatch(axes, known)
    _set_axes(axes, known, found)
    axes.set_title(title, fontsize=LABEL + 1, loc="left")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower left", ncols=min(len(labels), MOST_IN_LEGEND),
        fontsize=TICK, frameon=False, handlelength=1.4, handleheight=1.0,
    )  # fmt: skip
    return figure


def _field(axes: Any, known: Regions, place: int, name: str) -> None:
    from matplotlib.patches import PathPatch

    cells = known.index == place
    colour = FIELDS[place % len(FIELDS)]
    patch = PathPatch(
        _path(known.outline(cells)), facecolor=colour, edgecolor=BORDER, lw=0.8, label=name
    )
    axes.add_patch(patch)
    size = PER_LETTER * len(name), LINE
    if (middle := known.label_place(cells, *size)) is not None:
        axes.text(
            *middle, name, ha="center", va="center", fontsize=TICK, color=INK_ON_FIELD,
            bbox={"boxstyle": "round,pad=0.15", "facecolor": colour, "edgecolor": "none"},
            zorder=4,
        )  # fmt: skip


def _hatch(axes: Any, known: Regions) -> None:
    from matplotlib.patches import PathPatch, Rectangle

    outline = _path(known.outline(known.is_unsure))
    style: dict[str, Any] = {
        "edgecolor": BORDER, "lw": 0, "hatch": HATCH, "alpha": 0.6, "zorder": 3,
    }  # fmt: skip
    axes.add_patch(PathPatch(outline, facecolor="none", **style))
    entry = Rectangle((0, 0), 0, 0, facecolor=BOUND, **style, label="not told from the second")
    axes.add_patch(entry)  # nothing but its line in the legend


def _path(loops: Sequence[Floats]) -> Any:
    """One path of all loops, so that holes stay open."""
    from matplotlib.path import Path

    codes = [[Path.MOVETO, *[Path.LINETO] * (len(loop) - 2), Path.CLOSEPOLY] for loop in loops]
    return Path(np.concatenate(loops), np.concatenate(codes))


def _set_axes(axes: Any, known: Regions, found: DecisionMap) -> None:
    sizes, names = size_ticks(float(found.m.min()), float(found.m.max()), most=11)
    counts = count_ticks(int(found.n.min()), int(found.n.max()))
    axes.set_xticks(np.log2(sizes), names)
    axes.set_yticks(np.log2(counts), [str(n) for n in counts])
    axes.set_xlim(known.x[0], known.x[-1])
    axes.set_ylim(known.y[0], known.y[-1])
    axes.tick_params(labelsize=TICK)
    axes.set_xlabel("m, size of a message", fontsize=LABEL)
    axes.set_ylabel("n, processes", fontsize=LABEL)
