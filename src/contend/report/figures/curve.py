"""Figure of measured and predicted times over the size, a panel for each n."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from contend.report.curves import Curve, size_ticks, time_range, time_ticks
from contend.report.figures.canvas import LABEL, TICK, new_figure
from contend.report.palette import BAND_OPACITY, BOUND, MEASURED, PREDICTED

PANEL_WIDTH, PANEL_HEIGHT = 2.5, 2.0  # inches; three fill a page of text
MOST_IN_A_ROW = 3


def curve_figure(drawn: Sequence[Curve]) -> Any:
    """Panels with common axes, and one legend above them."""
    columns = min(len(drawn), MOST_IN_A_ROW)
    lines = -(-len(drawn) // columns)
    figure = new_figure(max(PANEL_WIDTH * columns, 4.6), PANEL_HEIGHT * lines + 0.7)
    panels = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, curve in zip(panels, drawn, strict=False):
        _panel(axes, curve)
    _set_axes(panels[0], drawn)
    for axes in panels[len(drawn) :]:
        axes.remove()
    for axes in panels[len(drawn) - columns : len(drawn)]:
        axes.xaxis.set_tick_params(labelbottom=True)  # the row below may be short
    figure.supxlabel("m, size of a message", fontsize=LABEL)
    figure.supylabel("time", fontsize=LABEL)
    figure.legend(
        handles=_handles(panels), loc="outside upper center", ncols=3, fontsize=TICK,
        frameon=False,
    )  # fmt: skip
    return figure


def _handles(panels: Sequence[Any]) -> list[Any]:
    """One entry for each thing that some panel shows, by name."""
    entries = {
        label: handle
        for axes in panels
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    return [entries[label] for label in sorted(entries)]


def _panel(axes: Any, curve: Curve) -> None:
    predicted, measured = curve.predicted, curve.measured[curve.measured["m"] > 0]
    axes.fill_between(
        predicted["m"], predicted["low"], predicted["high"],
        color=PREDICTED, alpha=BAND_OPACITY, linewidth=0, label="predicted, interval",
    )  # fmt: skip
    axes.plot(predicted["m"], predicted["seconds"], color=PREDICTED, lw=1.4, label="predicted")
    if predicted["lower_bound"].notna().all():
        axes.plot(
            predicted["m"], predicted["lower_bound"],
            color=BOUND, lw=1, linestyle="--", label="lower bound",
        )  # fmt: skip
    for is_unseen, fill, label in (
        (False, MEASURED, "measured, used in the fit"),
        (True, "white", "measured, not used in the fit"),
    ):
        part = measured[measured["is_unseen"] == is_unseen]
        if part.empty:
            continue
        bars = np.array([part["seconds"] - part["low"], part["high"] - part["seconds"]])
        bars = np.nan_to_num(bars)  # of a single launch with few repetitions nothing is known
        axes.errorbar(
            part["m"], part["seconds"], yerr=bars, fmt="o", markersize=3, color=MEASURED,
            markerfacecolor=fill, elinewidth=0.7, markeredgewidth=0.8, label=label,
        )  # fmt: skip
    axes.text(0.05, 0.94, f"n = {curve.n}", transform=axes.transAxes, va="top", fontsize=LABEL)
    axes.grid(linewidth=0.4, alpha=0.5)
    axes.tick_params(labelsize=TICK)


def _set_axes(axes: Any, drawn: Sequence[Curve]) -> None:
    """Logarithmic axes for all panels, which share them."""
    sizes = drawn[0].predicted["m"]
    times = time_range(drawn)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    for axis, (values, names) in (
        (axes.xaxis, size_ticks(sizes.min(), sizes.max(), most=4)),
        (axes.yaxis, time_ticks(*times)),
    ):
        axis.set_ticks(values, names)
        axis.set_ticks([], minor=True)
    axes.set_xlim(sizes.min() / 1.3, sizes.max() * 1.3)
    axes.set_ylim(*times)
