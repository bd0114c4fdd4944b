"""Figure: the times of every algorithm of an exchange over the size, with the bound."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from contend.canvas.axes import set_ticks
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import BOUND, MEASURED, PREDICTED, SERIES, mark
from contend.measure.exchange.contenders import AUTO, is_preloaded
from contend.measure.exchange.table import Row, algorithms
from contend.samples.setting import NATIVE
from contend.units import format_bytes, format_seconds

THICK = {NATIVE: MEASURED, AUTO: PREDICTED}  # what the others are compared with


def exchange_drawing(rows: Sequence[Row], title: str) -> Drawing:
    """A line for each algorithm through its medians, up to its 90th percentiles; and the bound.

    The library's own algorithms are dashed.
    """
    return Drawing(title, [Panel(title, partial(_draw, rows), 7.2, 3.8)])


def _draw(rows: Sequence[Row], axes: Axes) -> list[Tip]:
    colours = [colour for colour in SERIES if colour not in (*THICK.values(), BOUND)]
    tips = []
    for index, name in enumerate(algorithms(rows)):
        own = [row for row in rows if name in row.cells and row.m > 0]
        sizes = [row.m for row in own]
        median = np.array([row.cells[name].median for row in own])
        high = np.array([row.cells[name].high for row in own])
        axes.errorbar(
            sizes, median, yerr=[np.zeros_like(median), high - median],
            color=THICK.get(name, colours[index % len(colours)]), marker=mark(index), label=name,
            lw=1.8 if name in THICK else 0.8, elinewidth=0.5, zorder=3 if name in THICK else 2,
            ls="-" if is_preloaded(name) or name == NATIVE else "--",
        )  # fmt: skip
        tips += [
            Tip(f"{name}, {format_bytes(m)}: {format_seconds(time)}", m, time)
            for m, time in zip(sizes, median, strict=True)
        ]
    bounds = [(row.m, row.bound) for row in rows if row.bound is not None and row.m > 0]
    if bounds:
        axes.plot(*zip(*bounds, strict=True), color=BOUND, ls=":", label="bound")
    sizes = [row.m for row in rows if row.m > 0]
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    set_ticks(axes.xaxis, sizes, [format_bytes(m) for m in sizes])
    axes.yaxis.set_major_formatter(lambda seconds, _: format_seconds(seconds))
    axes.grid()
    axes.set_xlabel("m, bytes to each other process")
    axes.set_ylabel("time; median and 90 % of the repetitions")
    return tips
