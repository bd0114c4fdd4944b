"""Figure: the errors of every form on unseen points, side by side."""

from collections.abc import Iterator
from functools import partial
from textwrap import fill

import numpy as np
import pandas as pd

from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import PREDICTED, PREDICTED_LIGHT
from contend.canvas.style import SMALL
from contend.figures.figure import Figure, Findings
from contend.network import Operation
from contend.number_text import known_percent, percent
from contend.prediction.validate import ALL, COMMON, ordered_forms, summary
from contend.signature import FORMS

BARS = (("median", "median", PREDICTED, 0.2), ("90 %", "percentile_90", PREDICTED_LIGHT, -0.2))
LEAST_SHOWN = 0.1  # per cent; a logarithmic axis has no place for 0
LINE, LETTERS = 0.42, 22  # inches of a form; of a line of its title


class Forms(Figure):
    """Of every operation that was validated."""

    name = "forms"
    section = "operation"
    order = 40

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where there are unseen points."""
        for operation in findings.fitted:
            if not (found := summary(operation)).empty:
                yield form_drawing(operation, found)


def form_drawing(operation: Operation, found: pd.DataFrame) -> Drawing:
    """A pair of bars per form, median and reach of 90 %, on a logarithmic axis.

    On the points that no compared form has seen, or where there are none on those of each form.
    """
    is_common = bool((found["regime"] == COMMON).any())
    rows = found[found["regime"] == (COMMON if is_common else ALL)].set_index("form")
    names = [name for name in reversed(ordered_forms(operation)) if name in rows.index]
    remark = (
        "On the points that no compared form has seen." if is_common
        else "Each form on the points that it has not seen, which differ."
    )  # fmt: skip
    title = "Errors on unseen points, by form"
    panel = Panel(title, partial(_draw, rows, names), 3.6, 0.6 + LINE * len(names))
    return Drawing(title, [panel], remark, operation.title)


def _draw(rows: pd.DataFrame, names: list[str], axes: Axes) -> Iterator[Tip]:
    places = np.arange(len(names))
    axes.set_xscale("log")
    for label, column, colour, shift in BARS:
        values = 100 * np.array([float(rows.at[name, column]) for name in names])
        known = np.isfinite(values)
        bars = axes.barh((places + shift)[known], values[known], 0.38, color=colour, label=label)
        texts = [f"{value:.2g}" if value < 10 else f"{value:.0f}" for value in values[known]]
        axes.bar_label(bars, texts, fontsize=SMALL, padding=2)
    axes.margins(x=0.12)
    axes.set_xlim(left=LEAST_SHOWN)
    titles = [
        fill(f"{FORMS.get(name).title}, {rows.at[name, 'points']} points", LETTERS)
        for name in names
    ]
    axes.set_yticks(places, titles)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("error, % (logarithmic)")
    right = axes.get_xlim()[1]
    for place, name in zip(places, names, strict=True):
        row = rows.loc[name]
        most = known_percent(row["percentile_90"])  # not of few points
        said = f"{name}: median {percent(row['median'])}, 90 % {most}"
        text = f"{said}, worst {percent(row['worst'])}, {row['points']} points"
        yield Tip(text, LEAST_SHOWN, place - 0.4, right, place + 0.4)
