"""Figure of the signature's errors over n and m."""

from typing import Any

import numpy as np

from contend.report.curves import ErrorGrid
from contend.report.figures.canvas import LABEL, TICK, new_figure
from contend.report.numbers import signed_whole
from contend.report.palette import DIVERGING
from contend.units import format_bytes

CELL_WIDTH, CELL_HEIGHT = 0.36, 0.28  # inches
STRONG = 0.8  # share of the strongest colour from which white text reads better


def error_figure(grid: ErrorGrid) -> Any:
    """Heat map with the error in each cell; cells that the fit used are framed."""
    from matplotlib.colors import LinearSegmentedColormap

    lines, columns = grid.errors.shape
    figure = new_figure(max(1.6 + CELL_WIDTH * columns, 3.6), max(1.0 + CELL_HEIGHT * lines, 1.9))
    axes = figure.subplots()
    limit = 100 * grid.limit
    image = axes.imshow(
        100 * grid.errors, vmin=-limit, vmax=limit, aspect="auto", origin="lower",
        cmap=LinearSegmentedColormap.from_list("errors", DIVERGING),
    )  # fmt: skip
    _mark_cells(axes, grid)
    _name_axes(axes, grid)
    bar = figure.colorbar(image, extend="both" if grid.is_beyond else "neither")
    bar.set_label("error, %", fontsize=LABEL)
    bar.ax.tick_params(labelsize=TICK)
    return figure


def _mark_cells(axes: Any, grid: ErrorGrid) -> None:
    from matplotlib.patches import Rectangle

    for line, column in np.argwhere(~np.isnan(grid.errors)):
        error = grid.errors[line, column]
        ink = "white" if abs(error) > STRONG * grid.limit else "black"
        text = signed_whole(100 * error)
        axes.text(column, line, text, ha="center", va="center", fontsize=TICK - 1, color=ink)
    for line, first, last in grid.fitted_runs():
        corner = (first - 0.5, line - 0.5)
        axes.add_patch(Rectangle(corner, last - first + 1, 1, fill=False, clip_on=False))


def _name_axes(axes: Any, grid: ErrorGrid) -> None:
    axes.set_xticks(
        range(len(grid.sizes)), [format_bytes(size) for size in grid.sizes], rotation=90
    )
    axes.set_yticks(range(len(grid.counts)), [str(count) for count in grid.counts])
    axes.tick_params(labelsize=TICK)
    axes.set_xlabel("m, size of a message", fontsize=LABEL)
    axes.set_ylabel("n, processes", fontsize=LABEL)
