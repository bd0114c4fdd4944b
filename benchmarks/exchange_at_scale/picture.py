"""The results as a figure: a panel for each scenario, time over size."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.exchange_at_scale.results import Row

from contend.report.curves import size_ticks, time_ticks
from contend.report.figures.canvas import LABEL, TICK, new_figure
from contend.report.palette import BOUND, LINES

LIBRARIES = ("linear", "Open MPI", "MPICH")


def lines_of(rows: Sequence[Row]) -> dict[str, list[float]]:
    """Seconds by what is drawn."""
    drawn = {name: [row.libraries[name].seconds for row in rows] for name in LIBRARIES}
    drawn["LG"] = [row.members["lg_balanced"].seconds for row in rows]
    drawn["paced"] = [row.members["paced"].seconds for row in rows]
    drawn["best of the portfolio"] = [row.best.seconds for row in rows]
    return drawn


def draw(results: Mapping[str, Sequence[Row]], path: Path) -> None:
    """Write the figure; the suffix of the path says in which format."""
    figure = new_figure(7.2, 5.4)
    panels = figure.subplots(2, 2, squeeze=False).ravel()
    for axes, (name, rows) in zip(panels, results.items(), strict=False):
        _panel(axes, name, rows)
    for axes in panels[len(results) :]:
        axes.remove()
    figure.supxlabel("m, size of a message", fontsize=LABEL)
    figure.supylabel("time", fontsize=LABEL)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=4, fontsize=TICK, frameon=False
    )
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _panel(axes: Any, name: str, rows: Sequence[Row]) -> None:
    sizes = [row.m for row in rows]
    bound = [row.bound for row in rows]
    axes.plot(sizes, bound, color=BOUND, lw=1, linestyle="--", label="lower bound")
    drawn = lines_of(rows)
    for colour, (label, times) in zip(LINES, drawn.items(), strict=False):
        is_best = label.startswith("best")
        axes.plot(sizes, times, color=colour, label=label, lw=2.6 if is_best else 1.1,
                  alpha=0.5 if is_best else 1.0)  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    longest = max(max(times) for times in drawn.values())
    for axis, (values, names) in (
        (axes.xaxis, size_ticks(min(sizes), max(sizes), most=4)),
        (axes.yaxis, time_ticks(min(bound), longest)),
    ):
        axis.set_ticks(values, names)
        axis.set_ticks([], minor=True)
    axes.text(0.05, 0.94, name, transform=axes.transAxes, va="top", fontsize=LABEL)
    axes.grid(linewidth=0.4, alpha=0.5)
    axes.tick_params(labelsize=TICK)
