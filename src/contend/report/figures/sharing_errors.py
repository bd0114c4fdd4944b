"""Figures: errors of sharing models over the number of messages of a graph, and some graphs.

Source: Martinasso, Méhaut, Euro-Par 2011, figure 5, which has one model.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from contend.base.number_text import percent
from contend.base.units import format_bytes
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.palette import DASHES, MEASURED, mark, series
from contend.report.figures.figure import Findings
from contend.report.figures.flows import flow_drawing
from contend.report.figures.lines import Line
from contend.simulate.graphs.comparison import summary
from contend.simulate.graphs.examples import Example, errors_by_edges, examples
from contend.simulate.graphs.measurements import MeasuredGraph

COLUMNS = {"average": "Average error of a graph", "worst": "Worst error of a message"}
MESSAGES = "messages of the graph"
SPREAD = 0.18  # of the messages of one number, so that they do not hide each other
PLACES = {1: ("best",), 2: ("best", "worst"), 3: ("best", "like the middle one", "worst")}


def sharing_errors(findings: Findings) -> Iterator[Drawing]:
    sharing = findings.network.sharing
    errors = errors_by_edges(sharing) if sharing else None
    if sharing and errors is not None:
        yield error_drawing(errors, sharing.model)


def error_drawing(errors: pd.DataFrame, best: str) -> Drawing:
    """A panel each for averages and worst errors; `best` stands out.

    `errors` has a row per model and number of edges, with the columns model, edges, graphs,
    average, worst_graph and worst; errors are relative, 0.1 is 10 %.
    """
    remark = (
        "Each graph is predicted by models that were fitted to graphs of other shapes. An error is "
        "|predicted − measured| / measured of an end."
    )
    panels = [
        Panel(title, partial(_errors, errors, column, best), 3.6, 2.5)
        for column, title in COLUMNS.items()
    ]
    return Drawing("Errors by the number of messages", panels, remark)


def comparison_drawing(
    graphs: Sequence[MeasuredGraph], bandwidth: float | None, rows: pd.DataFrame
) -> Drawing:
    """Measured ends of `graphs` above the errors `rows`, which `cross_validated` returned."""
    errors, size = summary(rows, ("model", "edges")), (5.0, 2.3)
    panels = [
        Panel("Measured ends", partial(_ends, graphs, bandwidth), *size),
        Panel("Average error on graphs not seen", partial(_errors, errors, "average", ""), *size),
    ]
    return Drawing("Sharing models on measured graphs", panels, columns=1)


def _ends(graphs: Sequence[MeasuredGraph], bandwidth: float | None, axes: Axes) -> list[Tip]:
    for graph in graphs:
        count = len(graph.edges)
        places = count + SPREAD * np.linspace(-1, 1, count) if count > 1 else [count]
        times = graph.seconds * bandwidth / graph.m if bandwidth else graph.seconds
        axes.plot(
            places, np.sort(times), ".", color=MEASURED, markersize=3, alpha=0.5, markeredgewidth=0
        )
    unit = "over that of a message alone" if bandwidth else "in seconds"
    axes.set_ylabel(f"measured end, {unit}")
    _by_messages(axes)
    return []


def _errors(errors: pd.DataFrame, column: str, best: str, axes: Axes) -> Iterator[Tip]:
    averages = errors.groupby("model", sort=False)["average"].mean().sort_values()
    for number, name in enumerate(averages.index):
        rows = errors[errors["model"] == name].sort_values("edges")
        look = {
            "color": series(number), "marker": mark(number), "lw": 2.2 if name == best else 1.1,
            "ls": DASHES[number % len(DASHES)],
        }  # fmt: skip
        notes = [_note(row) for row in rows.to_dict("records")]
        line = Line(name, rows["edges"], 100 * rows[column], look, notes=notes)
        line.draw(axes)
        yield from line.tips(
            lambda error: percent(error / 100), lambda edges: f"{edges:g} messages"
        )
    axes.set_ylabel("error, %")
    axes.set_ylim(bottom=0)
    _by_messages(axes)


def _by_messages(axes: Axes) -> None:
    axes.set_xlabel(MESSAGES)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid()


def _note(row: dict[Any, Any]) -> str:
    graphs = f"{row['graphs']} graph{'s' if row['graphs'] > 1 else ''}"
    errors = ("average", "worst_graph", "worst")
    average, worst_graph, worst = (percent(row[name]) for name in errors)
    return f"{graphs}: average {average}, worst graph {worst_graph}, worst message {worst}"


def graph_examples(findings: Findings) -> Iterator[Drawing]:
    sharing = findings.network.sharing
    if sharing and findings.graphs and (shown := examples(sharing, findings.graphs)):
        for place, example in zip(PLACES[len(shown)], shown, strict=True):
            yield _drawing(example, f"Predicted {place} by {sharing.model}, fitted to all graphs")


def _drawing(example: Example, place: str) -> Drawing:
    graph = example.graph
    note = (
        f"{place}: {len(graph.edges)} messages of {format_bytes(graph.m)}, {len(graph.ends)} "
        f"repetitions; off by {percent(example.error)} on average"
    )
    return flow_drawing(example.solution, graph.name, note, graph.seconds, subject=graph.name)
