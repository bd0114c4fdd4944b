"""The results as a figure: a panel for each scenario, time over size."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.exchange_at_scale.results import Row

from contend.report.canvas.axes import over_sizes
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.files import write_for_paper
from contend.report.canvas.palette import BOUND, series

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
    panels = [Panel(name, partial(_panel, rows), 3.6, 2.5) for name, rows in results.items()]
    title = "Total exchange at scale, by simulation"
    write_for_paper(Drawing(title, panels, columns=2), [path])


def _panel(rows: Sequence[Row], axes: Axes) -> list[Tip]:
    sizes = [row.m for row in rows]
    bound = [row.bound for row in rows]
    axes.plot(sizes, bound, color=BOUND, lw=1, ls="--", label="lower bound")
    drawn = lines_of(rows)
    for number, (label, times) in enumerate(drawn.items()):
        is_best = label.startswith("best")
        axes.plot(sizes, times, color=series(number), label=label, lw=2.6 if is_best else 1.1,
                  alpha=0.5 if is_best else 1.0)  # fmt: skip
    longest = max(max(times) for times in drawn.values())
    over_sizes(axes, (min(sizes), max(sizes)), (min(bound), longest))
    return []
