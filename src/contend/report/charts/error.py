"""Heat map of the signature's errors over n and m."""

import numpy as np

from contend.report.charts.axes import SIZE_TITLE, Figure, layout
from contend.report.curves import ErrorGrid
from contend.report.numbers import signed_percent, signed_whole
from contend.report.palette import DIVERGING
from contend.units import format_bytes

MOST_CELLS_WITH_TEXT = 600
CELL_WIDTH, CELL_HEIGHT = 50, 34  # pixels that a number takes
MARGINS = {"l": 50, "r": 10, "t": 10, "b": 70}


def error_chart(grid: ErrorGrid) -> Figure:
    """Cells coloured by the signed error; those that the fit used are framed."""
    axis = {"type": "category", "showgrid": False}
    over = layout(
        {**axis, "title": {"text": SIZE_TITLE}, "tickangle": 0},
        {**axis, "title": {"text": "n, processes"}},
    )
    over |= {"margin": MARGINS, "shapes": [_frame(*run) for run in grid.fitted_runs()]}
    return {"data": [_heat(grid)], "layout": over}


def chart_size(grid: ErrorGrid) -> tuple[int, int]:
    """Least width and height in pixels at which the numbers in the cells can be read."""
    lines, columns = grid.errors.shape
    return 150 + CELL_WIDTH * columns, 90 + CELL_HEIGHT * max(lines, 3)


def _heat(grid: ErrorGrid) -> Figure:
    percents = 100 * grid.errors
    return {
        "type": "heatmap",
        "x": [format_bytes(size) for size in grid.sizes],
        "y": [str(count) for count in grid.counts],
        "z": [[None if np.isnan(v) else float(f"{v:.6g}") for v in line] for line in percents],
        "zmin": -100 * grid.limit,
        "zmax": 100 * grid.limit,
        "colorscale": [[i / 4, colour] for i, colour in enumerate(DIVERGING)],
        "colorbar": {"ticksuffix": " %", "thickness": 12, "outlinewidth": 0, "x": 1.01, "xpad": 4},
        "xgap": 1,
        "ygap": 1,
        "text": [[signed_whole(value) for value in line] for line in percents],
        "texttemplate": "%{text}" if percents.size <= MOST_CELLS_WITH_TEXT else "",
        "hovertext": _hovers(grid),
        "hoverinfo": "text",
    }


def _hovers(grid: ErrorGrid) -> list[list[str]]:
    return [
        [
            f"n = {n}, m = {format_bytes(m)}: "
            + ("not measured" if np.isnan(error) else f"error {signed_percent(error)}")
            + ("<br>used in the fit" if is_fitted else "")
            for m, error, is_fitted in zip(grid.sizes, line, flags, strict=True)
        ]
        for n, line, flags in zip(grid.counts, grid.errors, grid.is_fitted, strict=True)
    ]


def _frame(line: int, first: int, last: int) -> Figure:
    """Rectangle around cells of a line; categories are counted from 0."""
    return {
        "type": "rect",
        "x0": first - 0.5,
        "x1": last + 0.5,
        "y0": line - 0.5,
        "y1": line + 0.5,
        "line": {"color": "#111111", "width": 2},
    }
