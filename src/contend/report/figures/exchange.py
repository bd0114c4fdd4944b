"""Figure: the times of every algorithm of an exchange over the size, with the bound."""

from collections.abc import Sequence

from contend.measure.exchange.contenders import AUTO, is_preloaded
from contend.measure.exchange.table import Row, algorithms
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.palette import BOUND, MEASURED, PREDICTED, SERIES, mark
from contend.report.figures.lines import Line, lines_panel
from contend.samples.setting import NATIVE

THICK = {NATIVE: MEASURED, AUTO: PREDICTED}  # what the others are compared with


def exchange_drawing(rows: Sequence[Row], title: str) -> Drawing:
    """A line for each algorithm through its medians, up to its 90th percentiles; and the bound.

    The library's own algorithms are dashed.
    """
    rows = [row for row in rows if row.m > 0]
    colours = [colour for colour in SERIES if colour not in (*THICK.values(), BOUND)]
    lines = []
    for index, name in enumerate(algorithms(rows)):
        measured = [row for row in rows if name in row.cells]
        median = [row.cells[name].median for row in measured]
        look = {
            "color": THICK.get(name, colours[index % len(colours)]), "marker": mark(index),
            "fmt": "", "lw": 1.8 if name in THICK else 0.8, "elinewidth": 0.5,
            "zorder": 3 if name in THICK else 2,
            "ls": "-" if is_preloaded(name) or name == NATIVE else "--",
        }  # fmt: skip
        high = [row.cells[name].high for row in measured]
        lines.append(Line(name, [row.m for row in measured], median, look, median, high))
    bounds = [(row.m, row.bound) for row in rows if row.bound is not None]
    if bounds:
        sizes, seconds = zip(*bounds, strict=True)
        lines.append(Line("bound", sizes, seconds, {"color": BOUND, "ls": ":"}))
    remark = (
        "Median of the repetitions, with a bar to 90 % of them; m: bytes to each other process."
    )
    return Drawing(title, [lines_panel(title, lines, None, 7.2, 3.8)], remark)
