"""What the commands about contention graphs show."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from contend.cli import output
from contend.document import Quantity
from contend.errors import InvalidInputError
from contend.graphs import comparison
from contend.graphs.record import FittedSharing, GraphPenalties, KnownModel
from contend.network import Network
from contend.statistics.regression import UNUSABLE
from contend.units import format_rate


def sharing_of(path: Path) -> FittedSharing:
    """The sharing models of a network file; an error where it has none."""
    network = Network.load(path)
    if network.sharing is None:
        raise InvalidInputError(
            f"{path} does not say how messages share the network",
            f"measure contention graphs, then: contend graph fit graphs.jsonl -o {path}",
        )
    return network.sharing


def show_models(fitted: FittedSharing) -> None:
    """Every model with its errors and parameters, and which is the closest."""
    models = sorted(fitted.models, key=lambda known: known.errors.average)
    rows = pd.DataFrame(
        {
            "model": known.name if known.is_usable else f"{known.name} (unusable)",
            "error": f"{known.errors.average:.1%}",
            "worst graph": f"{known.errors.worst_graph:.1%}",
            "worst message": f"{known.errors.worst:.1%}",
            "parameters": _parameters(known),
        }
        for known in models
    )
    title = f"{fitted.graphs} graphs, each by models that have not seen its shape"
    output.show_table(rows, title)
    chosen = fitted.known()
    output.console().print(
        f"closest: {chosen.name}; bandwidth {_bandwidth(fitted)}; "
        f"penalties of {len(fitted.measured)} connected shapes",
        markup=False,
    )
    if bounds := _kind_of_bounds(fitted):
        output.console().print(f"in parentheses: {bounds}", markup=False)
    if not chosen.is_usable:
        output.console().print(unusable(chosen), markup=False)


def unusable(known: KnownModel) -> str:
    """The sentence on a model whose errors are too large for anything to follow from it."""
    return (
        f"{known.name} is unusable here: off by {known.errors.average:.0%} on average on graphs "
        f"that it has not seen, more than {UNUSABLE:.0%}"
    )


def _bandwidth(fitted: FittedSharing) -> str:
    known = fitted.known().bandwidth
    rate = format_rate(8 * float(known))
    if not fitted.is_bandwidth_measured:
        return f"{rate} (fitted)"
    if not isinstance(known.low, float) or not isinstance(known.high, float):
        return f"{rate} alone"
    return f"{rate} alone ({format_rate(8 * known.low)} to {format_rate(8 * known.high)})"


def _kind_of_bounds(fitted: FittedSharing) -> str:
    """What the bounds of a file are; "" where it does not say."""
    quantities = [
        quantity
        for known in fitted.models
        for quantity in (known.bandwidth, *known.parameters.values())
    ]
    return next((quantity.bounds for quantity in quantities if quantity.bounds), "")


def _parameters(known: KnownModel) -> str:
    return ", ".join(
        f"{name} {_with_bounds(value, name in known.undetermined)}"
        for name, value in known.parameters.items()
    )


def _with_bounds(quantity: Quantity, is_undetermined: bool) -> str:
    if is_undetermined:
        return f"{quantity.value:.4g} (not determined)"
    if quantity.low is None or quantity.high is None:
        return f"{quantity.value:.4g}"
    return f"{quantity.value:.4g} ({quantity.low:.4g} to {quantity.high:.4g})"


def show_errors(rows: pd.DataFrame, left_out: Sequence[str], every: bool) -> None:
    """Errors per model and number of messages, and per graph if `every` one is wanted.

    `rows` are of the same graphs for every model; `left_out` says what is not among them, and why.
    """
    models = comparison.summary(rows).sort_values("average", kind="stable")
    by_edges = comparison.summary(rows, ("model", "edges")).set_index(["model", "edges"])
    counts = sorted(rows["edges"].unique())
    table = pd.DataFrame({"model": models["model"], "all": _cells(models)})
    for edges in counts:
        part = by_edges.xs(edges, level="edges").loc[models["model"]]
        table[str(edges)] = _cells(part)
    numbers = rows[rows["model"] == models["model"].iloc[0]].groupby("edges").size()
    seen = ", ".join(f"{numbers[edges]} of {edges}" for edges in counts)
    title = "error of a graph, average / worst, by number of messages"
    output.show_table(table, title)
    output.note(f"the same graphs for every model, by number of messages: {seen}")
    for said in left_out:
        output.note(said)
    if every:
        wide = rows.pivot(index=["graph", "m", "edges"], columns="model", values="average")
        shown = wide[models["model"]].map(lambda error: f"{error:.1%}").reset_index()
        output.show_table(shown, "average error of each graph")


def _cells(rows: pd.DataFrame) -> list[str]:
    return [
        f"{average:.1%} / {worst:.1%}"
        for average, worst in zip(rows["average"], rows["worst_graph"], strict=True)
    ]


def show_penalties(fitted: FittedSharing, most: int) -> None:
    """What each message of the measured shapes of up to `most` messages loses to the others.

    They are those of the first step, while all messages are under way, and follow from the ends by
    the inverse method. Where the later steps of a shape were not measured as graphs of their own,
    the fallback model stands in for them.
    """
    shapes = [shape for shape in fitted.measured if len(shape.edges) <= most]
    title = f"penalties; later steps: {fitted.fallback}"
    kinds = {shape.bounds for shape in shapes if shape.bounds}
    title += f"; intervals: {', '.join(sorted(kinds))}" if kinds else ""
    output.show_table(penalty_table(shapes), title)
    if not fitted.known(fitted.fallback).is_usable:
        output.note(unusable(fitted.known(fitted.fallback)))
    if left := len(fitted.measured) - len(shapes):
        output.note(f"{left} larger shapes; a larger --penalties shows more")


def penalty_table(shapes: Sequence[GraphPenalties]) -> pd.DataFrame:
    """A row per message of each shape, as text."""
    rows = []
    for shape in shapes:
        for number, (src, dst) in enumerate(shape.edges):
            first = number == 0
            rows.append(
                {
                    "shape": _names(shape.graphs) if first else "",
                    "message": f"{src} to {dst}",
                    "penalty": f"{shape.penalties[number]:.3f}",
                    "interval": _interval(shape, number),
                    "repetitions": shape.repetitions if first else "",
                    "later steps": _later(shape) if first else "",
                }
            )
    return pd.DataFrame(rows)


def _names(graphs: Sequence[str]) -> str:
    return graphs[0] + (f" and {len(graphs) - 1} more" if len(graphs) > 1 else "")


def _interval(shape: GraphPenalties, number: int) -> str:
    if shape.low is None or shape.high is None:
        return "unknown"
    return f"{shape.low[number]:.3f} .. {shape.high[number]:.3f}"


def _later(shape: GraphPenalties) -> str:
    if not shape.later_steps:
        return "none"
    return f"{shape.later_measured} of {shape.later_steps} measured"
