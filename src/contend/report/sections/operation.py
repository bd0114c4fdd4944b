"""Section of the page: one operation by one algorithm."""

from collections.abc import Iterator, Sequence

import pandas as pd

from contend.errors import InvalidInputError
from contend.network import Network, Operation
from contend.prediction.validate import summary
from contend.prediction.verdict import verdict
from contend.report import charts, tables, text, threshold
from contend.report.charts.error import chart_size
from contend.report.curves import Curve, curves, error_grid, points, time_range
from contend.report.markup import Html, chart, element, legend, paragraphs, raw
from contend.report.numbers import percent
from contend.report.section import Findings, Part, Section
from contend.samples import Sample
from contend.signature import require_exchange

CURVE_HEIGHT = 270
COMPARED = (
    "Forms are compared on the points that none of them has seen, where the lowest median is in "
    "bold; on points of its own a form that was given more to fit is judged on fewer."
)


class Operations(Section):
    """A part for each operation of the network."""

    name = "operation"
    order = 30

    def parts(self, findings: Findings) -> Iterator[Part]:
        """In the order of the file."""
        for number, known in enumerate(findings.network.operations, start=1):
            anchor = f"{self.name}-{number}"
            shown = section(findings.network, known, findings.samples, anchor)
            yield Part(anchor, known.title, shown)


def section(network: Network, operation: Operation, samples: Sequence[Sample], anchor: str) -> Html:
    """Signature in words, charts, errors and parameters."""
    heading = element("h2", operation.title)
    try:
        require_exchange(operation.operation)
    except InvalidInputError as problem:
        said = element("p", f"{text.sentence(problem.message)} {text.sentence(problem.remedy)}")
        return element("section", heading, element("div", said, class_="lead"), id=anchor)
    which = [text.which_form(operation)] if operation.forms else []
    lead = [*text.signature(operation), *which, text.accuracy(operation)]
    parts = [heading, element("div", paragraphs(lead), class_="lead")]
    if operation.forms:
        rows = points(network, operation, samples)
        parts += [_curves(network, operation, rows), _errors(network, operation)]
        parts += [threshold.block(operation), _comparison(operation), _parameters(operation)]
    return element("section", *parts, id=anchor)


def _curves(network: Network, operation: Operation, rows: pd.DataFrame) -> Html:
    drawn = curves(network, operation, rows)
    heading = element("h3", "Measured and predicted")
    sizes, times = (float(rows["m"].min()), float(rows["m"].max())), time_range(drawn)
    panels = (
        element(
            "figure",
            element("figcaption", element("strong", f"n = {curve.n}")),
            chart(charts.curve_chart(curve, sizes, times), _label(curve), CURVE_HEIGHT),
        )
        for curve in drawn
    )
    has_bound = any(curve.predicted["lower_bound"].notna().any() for curve in drawn)
    return raw(
        heading,
        _legend(network, operation, rows, has_bound),
        element("div", *panels, class_="panels"),
    )


def _label(curve: Curve) -> str:
    return f"Measured and predicted time over the size for {curve.n} processes"


def _legend(network: Network, operation: Operation, rows: pd.DataFrame, has_bound: bool) -> Html:
    entries = [
        ("dot", "measured, used in the fit"),
        ("ring", "measured, not used"),
        ("line", f"predicted by {verdict(operation).form}"),
        ("band", "its interval"),
    ]
    remarks = []
    if (rows["launches"] > 1).any():
        remarks.append("Bars reach from the fastest to the slowest launch.")
    else:
        remarks.append("Bars are the 95 % interval of the median.")
    if has_bound:
        entries.append(("dash", "lower bound (n − 1)(alpha + beta m), where it holds"))
    elif network.point_to_point.hockney:
        remarks.append(
            "No lower bound is drawn: measured points are faster than (n − 1)(alpha + beta m), or "
            "too close to it to tell."
        )
    else:
        remarks.append("There is no lower bound without a point-to-point measurement.")
    return raw(element("p", legend(entries)), element("p", " ".join(remarks), class_="remark"))


def _errors(network: Network, operation: Operation) -> Html:
    form = verdict(operation).form
    heading = element("h3", f"Errors of {form}")
    grid = error_grid(network, operation)
    if grid is None:
        return raw(heading, element("p", text.NO_POINTS))
    remark = (
        "Predicted over measured, less one, in per cent: blue where the prediction is too short, "
        "red where it is too long. The frame marks what the fit used."
    )
    if grid.is_beyond:
        remark += f" Errors beyond {percent(grid.limit)} have the colour of {percent(grid.limit)}."
    width, height = chart_size(grid)
    drawn = chart(charts.error_chart(grid), "Errors by processes and size", height, min_width=width)
    return raw(
        heading,
        element("p", remark, class_="remark"),
        element("div", drawn, class_="scroll", tabindex="0", role="region", aria_label="errors"),
    )


def _comparison(operation: Operation) -> Html:
    heading, found = element("h3", "Errors on unseen points, by form"), summary(operation)
    if found.empty:
        return raw(heading, element("p", text.NOT_VALIDATED))
    return raw(heading, element("p", COMPARED, class_="remark"), tables.errors(operation, found))


def _parameters(operation: Operation) -> Html:
    return raw(element("h3", "Fitted parameters"), tables.parameters(operation))
