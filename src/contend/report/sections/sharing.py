"""Section of the page: contention graphs, and how well each sharing model predicts their ends."""

from collections.abc import Iterator, Sequence

from contend.base.number_text import MISSING, percent, quantity, with_interval
from contend.base.statistics.regression import UNUSABLE
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.markup import Html, element, raw, table
from contend.report.figures.figure import Findings, drawings_of
from contend.report.section import lead, shown
from contend.simulate.graphs.record import FittedSharing, KnownModel

NOT_FITTED = "The network file holds no sharing models: 'contend fit GRAPHS -o NETWORK' adds them."
NOT_KEPT = (
    "The network file does not hold errors by the number of messages: 'contend fit GRAPHS "
    "-o NETWORK' adds them."
)


def sharing(findings: Findings) -> Iterator[Html]:
    if fitted := findings.network.sharing:
        yield section(fitted, drawings_of(findings, "sharing"))
    elif findings.graphs:
        yield element("p", NOT_FITTED)


def section(sharing: FittedSharing, drawings: Sequence[Drawing] = ()) -> Html:
    """Models with their errors, by size too; with measured graphs also three of them."""
    parts = [lead(element("p", _lead(sharing))), element("h3", "Sharing models"), models(sharing)]
    if sharing.by_edges is None:
        parts.append(element("p", NOT_KEPT))
    return raw(*parts, shown(drawings))


def _lead(sharing: FittedSharing) -> str:
    best = sharing.by_name()
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


HEAD = ("Model", "Parameters", "Bandwidth alone", "Average", "Worst graph", "Worst message")


def models(sharing: FittedSharing) -> Html:
    ordered = sorted(sharing.models, key=lambda model: model.errors.average)
    return table(HEAD, (_model(model, model.name == sharing.model) for model in ordered), "")


def _model(model: KnownModel, is_best: bool) -> list[object]:
    errors = model.errors
    average = percent(errors.average)
    words = (
        f"{name} {quantity(value)} (not determined)"
        if name in model.undetermined
        else f"{name} {with_interval(value)}"
        for name, value in model.parameters.items()
    )
    return [
        model.name,
        "; ".join(words) or MISSING,
        quantity(model.bandwidth),
        element("strong", average) if is_best else average,
        percent(errors.worst_graph),
        percent(errors.worst),
    ]
