"""Sharing models in lines and tables: fitted, and compared with measured graphs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from contend.base.number_text import percent, with_bounds
from contend.base.result import Cell, Line, Part, Table
from contend.base.units import format_rate
from contend.models.prediction.flows import unusable
from contend.report.summary import kinds
from contend.simulate.graphs import comparison
from contend.simulate.graphs.record import FittedSharing, GraphPenalties, KnownModel

SEED = 1  # of the division into parts, and of where fits start


def models(fitted: FittedSharing) -> Iterator[Part]:
    """Show every model with its errors and parameters, and which is the closest."""
    ranked = sorted(fitted.models, key=lambda model: model.errors.average)
    title = f"{fitted.graphs} graphs, each by models that have not seen its shape"
    yield Table(ranked, MODELS, title)
    chosen = fitted.by_name()
    yield Line(
        f"closest: {chosen.name}; bandwidth {_bandwidth(fitted)}; "
        f"penalties of {len(fitted.measured)} connected shapes"
    )
    if bounds := _kind_of_bounds(fitted):
        yield Line(f"in parentheses: {bounds}")
    if not chosen.is_usable:
        yield Line(unusable(chosen))


def _bandwidth(fitted: FittedSharing) -> str:
    bandwidth = fitted.by_name().bandwidth
    rate = format_rate(8 * float(bandwidth))
    if not fitted.is_bandwidth_measured:
        return f"{rate} (fitted)"
    if not isinstance(bandwidth.low, float) or not isinstance(bandwidth.high, float):
        return f"{rate} alone"
    return f"{rate} alone ({format_rate(8 * bandwidth.low)} to {format_rate(8 * bandwidth.high)})"


def _kind_of_bounds(fitted: FittedSharing) -> str:
    quantities = [
        quantity
        for model in fitted.models
        for quantity in (model.bandwidth, *model.parameters.values())
    ]
    return next((quantity.bounds for quantity in quantities if quantity.bounds), "")


def _parameters(model: KnownModel) -> str:
    return ", ".join(
        f"{name} {_number(float(value))} (not determined)"
        if name in model.undetermined
        else f"{name} {with_bounds(value, _number)}"
        for name, value in model.parameters.items()
    )


def _number(value: float) -> str:
    return f"{value:.4g}"


MODELS: dict[str, Cell] = {
    "model": lambda model: model.name if model.is_usable else f"{model.name} (unusable)",
    "error": lambda model: percent(model.errors.average),
    "worst graph": lambda model: percent(model.errors.worst_graph),
    "worst message": lambda model: percent(model.errors.worst),
    "parameters": _parameters,
}


def errors(rows: pd.DataFrame, left_out: Sequence[str], *, every: bool) -> Iterator[Part]:
    """Show errors per model and number of messages, and per graph if `every` one is wanted.

    `rows` are of the same graphs for every model; `left_out` says what is not among them, and why.
    """
    models = comparison.summary(rows).sort_values("average", kind="stable")
    by_edges = comparison.summary(rows, ("model", "edges")).set_index(["model", "edges"])
    counts = sorted(rows["edges"].unique())
    table = {"model": models["model"], "all": _cells(models)}
    for edges in counts:
        table[str(edges)] = _cells(by_edges.xs(edges, level="edges").loc[models["model"]])
    yield Table(table, title="error of a graph, average / worst, by number of messages")
    numbers = rows[rows["model"] == models["model"].iloc[0]].groupby("edges").size()
    seen = ", ".join(f"{numbers[edges]} of {edges}" for edges in counts)
    yield f"the same graphs for every model, by number of messages: {seen}"
    yield from left_out
    if every:
        wide = rows.pivot(index=["graph", "m", "edges"], columns="model", values="average")
        shown = wide[models["model"]].map(percent).reset_index()
        yield Table(shown, title="average error of each graph")


def _cells(rows: pd.DataFrame) -> list[str]:
    pairs = zip(rows["average"], rows["worst_graph"], strict=True)
    return [f"{percent(average)} / {percent(worst)}" for average, worst in pairs]


def penalties(fitted: FittedSharing, most: int) -> Iterator[Part]:
    """Show what each message of the measured shapes of up to `most` messages loses to the others.

    They are those of the first step, while all messages are under way, and follow from the ends by
    the inverse method. Where the later steps of a shape were not measured as graphs of their own,
    the fallback model stands in for them.
    """
    shapes = [shape for shape in fitted.measured if len(shape.edges) <= most]
    title = f"penalties; later steps: {fitted.fallback}"
    bounds = {shape.bounds for shape in shapes if shape.bounds}
    title += f"; intervals: {', '.join(sorted(bounds))}" if bounds else ""
    yield Table([row for shape in shapes for row in penalty_rows(shape)], title=title)
    if not fitted.by_name(fitted.fallback).is_usable:
        yield unusable(fitted.by_name(fitted.fallback))
    if larger := len(fitted.measured) - len(shapes):
        yield f"{larger} larger shapes; a larger --penalties shows more"


def penalty_rows(shape: GraphPenalties) -> Iterator[dict[str, str]]:
    """Return a row per message of a shape, as text."""
    more = f" and {len(shape.graphs) - 1} more" if len(shape.graphs) > 1 else ""
    later = f"{shape.later_measured} of {shape.later_steps} measured"
    for number, (src, dst) in enumerate(shape.edges):
        first = number == 0
        yield {
            "shape": f"{shape.graphs[0]}{more}" if first else "",
            "message": f"{src} to {dst}",
            "penalty": f"{shape.penalties[number]:.3f}",
            "interval": _interval(shape, number),
            "repetitions": str(shape.repetitions) if first else "",
            "later steps": (later if shape.later_steps else "none") if first else "",
        }


def _interval(shape: GraphPenalties, number: int) -> str:
    if shape.low is None or shape.high is None:
        return "unknown"
    return f"{shape.low[number]:.3f} .. {shape.high[number]:.3f}"


def sharing_parts(fitted: FittedSharing, path: Path, most: int = 0) -> Iterator[Part]:
    """Show the fitted models, the penalties that are wanted, and what to do with them."""
    yield from models(fitted)
    if most:
        yield from penalties(fitted, most)
    yield from kinds(fitted.warnings)
    yield f"written to {path}; next: contend solve flows.csv --network {path}"
