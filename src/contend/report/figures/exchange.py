"""Figure of the times of every algorithm of an exchange over the size, with the bound."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from contend.errors import InvalidInputError
from contend.measure.exchange.contenders import AUTO, is_preloaded
from contend.measure.exchange.native import NATIVE
from contend.measure.exchange.table import Row, algorithms
from contend.report.figures.canvas import LABEL, TICK, new_figure
from contend.report.figures.write import RESOLUTION
from contend.report.palette import BOUND, LINES, MEASURED, PREDICTED
from contend.units import format_bytes, format_seconds
from contend.wholefile import replacing

SUFFIXES = (".svg", ".png", ".pdf")
WIDTH, HEIGHT = 7.2, 4.4  # inches
_UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_THICK = {NATIVE: MEASURED, AUTO: PREDICTED}  # what the others are compared with
_MARKERS = "osv^D<>p*hXd"


def check_figure_name(path: Path) -> Path:
    """The path, if a figure can be written as such a file."""
    if path.suffix not in SUFFIXES:
        raise InvalidInputError(
            f"a picture as {path.suffix or path.name!r}", f"use {', '.join(SUFFIXES)}"
        )
    return path


def write_exchange(rows: Sequence[Row], title: str, path: Path) -> None:
    """Write the figure of the rows of a comparison."""
    with replacing(check_figure_name(path)) as new:
        metadata = _UNDATED.get(path.suffix)
        exchange_figure(rows, title).savefig(new, dpi=RESOLUTION, metadata=metadata)


def exchange_figure(rows: Sequence[Row], title: str) -> Any:
    """A line for each algorithm through its medians, up to its 90th percentiles; and the bound.

    The library's own algorithms are dashed.
    """
    figure = new_figure(WIDTH, HEIGHT)
    axes = figure.subplots()
    colours = [colour for colour in LINES if colour not in (*_THICK.values(), BOUND)]
    for index, name in enumerate(algorithms(rows)):
        own = [row for row in rows if name in row.cells and row.m > 0]
        median = np.array([row.cells[name].median for row in own])
        high = np.array([row.cells[name].high for row in own])
        axes.errorbar(
            [row.m for row in own], median, yerr=[np.zeros_like(median), high - median],
            color=_THICK.get(name, colours[index % len(colours)]),
            lw=1.8 if name in _THICK else 0.8, elinewidth=0.5, capsize=1.5,
            linestyle="-" if is_preloaded(name) or name == NATIVE else "--",
            marker=_MARKERS[index % len(_MARKERS)], markersize=3, label=name,
            zorder=3 if name in _THICK else 2,
        )  # fmt: skip
    bounds = [(row.m, row.bound) for row in rows if row.bound is not None and row.m > 0]
    if bounds:
        axes.plot(*zip(*bounds, strict=True), color=BOUND, linestyle=":", label="bound")
    _set_axes(axes, rows)
    figure.suptitle(title, fontsize=LABEL)
    figure.legend(loc="outside right upper", fontsize=TICK - 1, frameon=False)
    return figure


def _set_axes(axes: Any, rows: Sequence[Row]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    sizes = [row.m for row in rows if row.m > 0]
    axes.xaxis.set_ticks(sizes, [format_bytes(m) for m in sizes], rotation=45)
    axes.xaxis.set_ticks([], minor=True)
    axes.yaxis.set_major_formatter(lambda seconds, _: format_seconds(seconds))
    axes.grid(linewidth=0.4, alpha=0.5)
    axes.tick_params(labelsize=TICK)
    axes.set_xlabel("m, bytes to each other process", fontsize=LABEL)
    axes.set_ylabel("time; median and 90 % of the repetitions", fontsize=LABEL)
