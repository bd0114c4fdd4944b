"""Figure of measured ends and of the errors of sharing models, by number of messages.

Source: Martinasso, Méhaut, Euro-Par 2011, figure 5, which has one model.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from contend.errors import InvalidInputError
from contend.graphs.comparison import summary
from contend.graphs.measured import MeasuredGraph
from contend.report.figures.canvas import LABEL, TICK, new_figure
from contend.report.figures.write import RESOLUTION
from contend.report.palette import BOUND, MEASURED, PREDICTED, THIRD
from contend.wholefile import replacing

COLOURS = (PREDICTED, THIRD, MEASURED, BOUND)
MARKERS = ("o", "s", "^", "v", "D", "P", "X", "*", "h", "<", ">")
SUFFIXES = (".svg", ".png")
SPREAD = 0.18  # of the messages of one number, so that they do not hide each other


def check_name(path: Path) -> None:
    """Raise an error unless this is a kind of file that can be drawn."""
    if path.suffix not in SUFFIXES:
        raise InvalidInputError(f"a figure as {path.suffix or path.name!r}", "use .svg or .png")


def write_sharing_figure(
    path: Path, graphs: Sequence[MeasuredGraph], bandwidth: float | None, rows: pd.DataFrame
) -> None:
    """Draw the ends of `graphs` over the errors `rows`, which `cross_validated` returned."""
    check_name(path)
    figure = new_figure(5.4, 5.0)
    ends, errors = figure.subplots(2, 1, sharex=True)
    _ends(ends, graphs, bandwidth)
    _errors(errors, rows)
    errors.set_xlabel("messages of a graph", fontsize=LABEL)
    figure.legend(
        *errors.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=TICK,
        frameon=False,
    )  # fmt: skip
    for axes in (ends, errors):
        axes.grid(linewidth=0.4, alpha=0.5)
        axes.tick_params(labelsize=TICK)
    options: dict[str, Any] = (
        {"metadata": {"Date": None}} if path.suffix == ".svg" else {"dpi": RESOLUTION}
    )
    with replacing(path) as new:
        figure.savefig(new, **options)


def _ends(axes: Any, graphs: Sequence[MeasuredGraph], bandwidth: float | None) -> None:
    for graph in graphs:
        count = len(graph.edges)
        places = count + SPREAD * np.linspace(-1, 1, count) if count > 1 else [count]
        times = graph.seconds * bandwidth / graph.m if bandwidth else graph.seconds
        axes.plot(
            places, np.sort(times), ".", color=MEASURED, markersize=3, alpha=0.5,
            markeredgewidth=0,
        )  # fmt: skip
    unit = "over that of a message alone" if bandwidth else "in seconds"
    axes.set_ylabel(f"measured end,\n{unit}", fontsize=LABEL)


def _errors(axes: Any, rows: pd.DataFrame) -> None:
    by_edges = summary(rows, ("model", "edges"))
    averages = rows.groupby("model")["average"].mean().sort_values()
    for number, (model, average) in enumerate(averages.items()):
        part = by_edges[by_edges["model"] == model].sort_values("edges")
        axes.plot(
            part["edges"], 100 * part["average"], color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)], markersize=3.5, linewidth=1,
            linestyle="-" if number < len(COLOURS) else ":", label=f"{model} ({average:.1%})",
        )  # fmt: skip
    axes.set_ylabel("error of a graph that was\nnot seen, average, %", fontsize=LABEL)
    axes.set_ylim(bottom=0)
    axes.xaxis.get_major_locator().set_params(integer=True)
