"""Figure of the errors of every form on unseen points, side by side."""

from typing import Any

import numpy as np
import pandas as pd

from contend.network import Operation
from contend.prediction.validate import ALL, COMMON
from contend.report.figures.canvas import LABEL, TICK, new_figure
from contend.report.palette import PREDICTED, PREDICTED_LIGHT
from contend.report.tables import ordered_forms
from contend.signature import FORMS

BARS = (("median", PREDICTED, 0.2), ("percentile_90", PREDICTED_LIGHT, -0.2))
LABELS = {"median": "median", "percentile_90": "90 %"}
LEAST_SHOWN = 0.1  # per cent; a logarithmic axis has no place for 0


def forms_figure(operation: Operation, summary: pd.DataFrame) -> Any:
    """A pair of bars per form, median and reach of 90 %, on a logarithmic axis.

    On the points that no compared form has seen, or where there are none on those of each form.
    """
    regime = COMMON if (summary["regime"] == COMMON).any() else ALL
    rows = summary[summary["regime"] == regime].set_index("form")
    names = [name for name in reversed(ordered_forms(operation)) if name in rows.index]
    figure = new_figure(6.0, 1.0 + 0.42 * len(names))
    axes = figure.subplots()
    places = np.arange(len(names))
    for column, colour, shift in BARS:
        values = 100 * np.array([float(rows.at[name, column]) for name in names])
        is_known = np.isfinite(values)
        bars = axes.barh(
            (places + shift)[is_known], values[is_known], 0.38, color=colour, label=LABELS[column]
        )
        texts = [f"{value:.2g}" if value < 10 else f"{value:.0f}" for value in values[is_known]]
        axes.bar_label(bars, texts, fontsize=TICK - 1, padding=2)
    axes.set_xscale("log")
    axes.set_xlim(left=LEAST_SHOWN)
    axes.margins(x=0.12)
    titles = [f"{FORMS.get(name).title}\n{rows.at[name, 'points']} points" for name in names]
    axes.set_yticks(places, titles, parse_math=False)
    axes.tick_params(labelsize=TICK)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("error on unseen points, % (logarithmic)", fontsize=LABEL)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=2, fontsize=TICK, frameon=False)
    return figure
