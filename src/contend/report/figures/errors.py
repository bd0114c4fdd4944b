"""Figure: errors of the form that predicts, over n and m."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from contend.base.number_text import percent, signed_whole
from contend.base.units import format_bytes
from contend.models.network import Operation
from contend.models.prediction.curves import ErrorGrid, error_grid
from contend.models.prediction.verdict import verdict
from contend.report.canvas.axes import COUNTS, SIZES
from contend.report.canvas.drawing import Axes, Drawing, Panel
from contend.report.canvas.palette import DIVERGING, PAPER, SMALL
from contend.report.figures.figure import Findings

CELL_WIDTH, CELL_HEIGHT = 0.36, 0.26  # inches
INSET = 0.07  # of a cell, to its frame
STRONG = 0.7  # share of the strongest colour from which white text reads better


def errors(findings: Findings) -> Iterator[Drawing]:
    """Draw every operation that the file keeps the points of the validation of."""
    for operation in findings.fitted:
        if (grid := error_grid(findings.network, operation)) is not None:
            yield error_drawing(operation, grid)


def error_drawing(operation: Operation, grid: ErrorGrid) -> Drawing:
    """A cell for each n and m; those that the fit used are framed."""
    remark = (
        "Predicted over measured, less one, in per cent: blue where the prediction is too short, "
        "red where it is too long. The frame marks what the fit used."
    )
    if grid.is_beyond:
        remark += f" Errors beyond {percent(grid.limit)} have the colour of {percent(grid.limit)}."
    title = f"Errors of {verdict(operation).form}"
    lines, columns = grid.errors.shape
    size = max(1.3 + CELL_WIDTH * columns, 3.0), max(0.8 + CELL_HEIGHT * lines, 1.6)
    return Drawing(title, [Panel(title, partial(_draw, grid), *size)], remark, operation.title)


def _draw(grid: ErrorGrid, axes: Axes) -> tuple[()]:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    limit = 100 * grid.limit
    image = axes.pcolormesh(
        100 * grid.errors, vmin=-limit, vmax=limit, edgecolors=PAPER, linewidth=0.8,
        cmap=LinearSegmentedColormap.from_list("errors", DIVERGING),
    )  # fmt: skip
    for line, first, last in grid.fitted_runs():
        corner, width = (first + INSET, line + INSET), last - first + 1 - 2 * INSET
        axes.add_patch(Rectangle(corner, width, 1 - 2 * INSET, fill=False, lw=1.2))
    axes.set_xticks(np.arange(len(grid.sizes)) + 0.5, map(format_bytes, grid.sizes), rotation=90)
    axes.set_yticks(np.arange(len(grid.counts)) + 0.5, map(str, grid.counts))
    axes.set_xlabel(SIZES)
    axes.set_ylabel(COUNTS)
    bar = axes.figure.colorbar(image, ax=axes, extend="both" if grid.is_beyond else "neither")
    bar.set_label("error, %")
    bar.outline.set_visible(False)
    for (line, column), error in np.ndenumerate(grid.errors):
        if not np.isnan(error):
            ink = "white" if abs(error) > STRONG * grid.limit else "black"
            text = signed_whole(100 * error)
            axes.text(
                column + 0.5, line + 0.5, text, ha="center", va="center", fontsize=SMALL, color=ink
            )
    return ()
