"""Section of the page: contention graphs, and how well each sharing model predicts their ends."""

from collections.abc import Iterator, Sequence

import pandas as pd

from contend.draw import drawing, svg
from contend.graphs.record import FittedSharing, KnownModel
from contend.graphs.sample import GraphSample
from contend.report import charts
from contend.report.charts.sharing import HEIGHT
from contend.report.graphs import Example, errors_by_edges, examples
from contend.report.markup import Html, chart, element, raw, row, table
from contend.report.numbers import MISSING, interval, percent, quantity
from contend.report.section import Findings, Part, Section
from contend.statistics.regression import UNUSABLE
from contend.units import format_bytes

TITLE = "Contention graphs"
NOT_FITTED = (
    "The network file holds no sharing models: 'contend graph fit GRAPHS -o NETWORK' adds them."
)
NOT_KEPT = (
    "The network file does not hold errors by the number of messages: 'contend graph fit GRAPHS "
    "-o NETWORK' adds them."
)
COLUMNS = {"average": "Average error of a graph", "worst": "Worst error of a message"}


class Sharing(Section):
    """Sharing models, or measured graphs that none was fitted to."""

    name = "sharing"
    order = 40

    def parts(self, findings: Findings) -> Iterator[Part]:
        """Where there are models or graphs."""
        if fitted := findings.network.sharing:
            yield Part(self.name, TITLE, section(fitted, findings.graphs))
        elif findings.graphs:
            yield Part(self.name, TITLE, without_models())


def section(sharing: FittedSharing, samples: Sequence[GraphSample] = ()) -> Html:
    """Models with their errors, by size too; with measured graphs also three of them."""
    parts = [element("h2", TITLE), element("div", element("p", _lead(sharing)), class_="lead")]
    parts += [element("h3", "Sharing models"), models(sharing)]
    errors = errors_by_edges(sharing)
    if errors is None:
        parts.append(element("p", NOT_KEPT))
    else:
        parts.append(error_charts(errors, sharing.model))
    if samples:
        parts.append(gallery(examples(sharing, samples), sharing.model))
    return element("section", *parts, id="sharing")


def without_models() -> Html:
    """The section where graphs were measured, but the file has no models of them."""
    return element("section", element("h2", TITLE), element("p", NOT_FITTED), id="sharing")


def _lead(sharing: FittedSharing) -> str:
    best = sharing.known()
    if not best.is_usable:
        return (
            f"No sharing model is usable: the closest, {best.name}, is off by "
            f"{percent(best.errors.average)} on average on graphs that it has not seen, more than "
            f"{percent(UNUSABLE)}. Parameters and penalties mean nothing then."
        )
    return (
        f"When messages share the network, {best.name} predicts their ends best: on graphs that it "
        f"has not seen it is off by {percent(best.errors.average)} on average, in the worst graph "
        f"by {percent(best.errors.worst_graph)}. {sharing.graphs} graphs were measured; the errors "
        f"are those of {sharing.folds} folds, graphs of one shape in the same one."
    )


def models(sharing: FittedSharing) -> Html:
    """A row per model, the least error first."""
    head = row(
        ["Model", "Parameters", "Bandwidth alone", "Average", "Worst graph", "Worst message"],
        heading="col",
    )
    ordered = sorted(sharing.models, key=lambda known: known.errors.average)
    return table(head, (_model(known, known.name == sharing.model) for known in ordered), "")


def _model(known: KnownModel, is_best: bool) -> Html:
    errors = known.errors
    average = percent(errors.average)
    said = (
        f"{name} {quantity(value)}{_certainty(known, name)}"
        for name, value in known.parameters.items()
    )
    return row(
        [
            known.name,
            "; ".join(said) or MISSING,
            quantity(known.bandwidth),
            element("strong", average) if is_best else average,
            percent(errors.worst_graph),
            percent(errors.worst),
        ]
    )


def _certainty(known: KnownModel, name: str) -> str:
    """Bounds of a parameter in parentheses; "" where none are known."""
    if name in known.undetermined:
        return " (not determined)"
    said = interval(known.parameters[name])
    return f" ({said})" if said else ""


def error_charts(errors: pd.DataFrame, best: str) -> Html:
    """Two charts of errors over the number of messages; `errors` as of `sharing_chart`."""
    figures = (
        element(
            "figure",
            element("figcaption", element("strong", title)),
            chart(charts.sharing_chart(errors, column, best), f"{title} by messages", HEIGHT),
        )
        for column, title in COLUMNS.items()
    )
    remark = (
        "Each graph is predicted by models that were fitted to graphs of other shapes. An error is "
        "|predicted − measured| / measured of an end."
    )
    return raw(
        element("h3", "Errors by the number of messages"),
        element("p", remark, class_="remark"),
        element("div", *figures, class_="pair"),
    )


def gallery(shown: Sequence[Example], model: str) -> Html:
    """Pictures of a few graphs, predicted and measured."""
    if not shown:
        return raw()
    remark = (
        f"The graphs that {model} predicts best, like the middle one, and worst, as it was fitted "
        "to all of them."
    )
    pictures = (
        element("div", _picture(example, number), class_="scroll", tabindex="0", role="region",
                aria_label="picture of a contention graph")
        for number, example in enumerate(shown)
    )  # fmt: skip
    return raw(
        element("h3", "Graphs, predicted and measured"),
        element("p", remark, class_="remark"),
        *pictures,
    )


def _picture(example: Example, number: int) -> Html:
    graph = example.graph
    note = (
        f"{len(graph.edges)} messages of {format_bytes(graph.m)}, {len(graph.ends)} repetitions; "
        f"off by {percent(example.error)} on average"
    )
    drawn = drawing(example.solution, graph.name, note, measured=graph.seconds)
    return Html(svg(drawn, has_style=number == 0))
