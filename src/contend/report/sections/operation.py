"""Section of the page: one operation by one algorithm."""

from collections.abc import Sequence

import pandas as pd

from contend.network import Network, Operation
from contend.predict import DEFAULT_FORM
from contend.report import charts, tables, text
from contend.report.charts.error import chart_size
from contend.report.curves import Curve, ErrorGrid, curves, error_grid, points, time_range
from contend.report.markup import Html, chart, element, legend, paragraphs, raw
from contend.report.numbers import percent
from contend.report.sections import threshold
from contend.samples import Sample
from contend.validate import compare, summarise

CURVE_HEIGHT = 270


def section(network: Network, operation: Operation, samples: Sequence[Sample], anchor: str) -> Html:
    """Signature in words, charts, errors and parameters."""
    summary = summarise(compare(network, operation, samples))
    lead = [*text.signature(operation), text.accuracy(summary)]
    parts = [element("h2", operation.title), element("div", paragraphs(lead), class_="lead")]
    if DEFAULT_FORM in operation.forms:
        rows = points(network, operation, samples)
        parts += [_curves(network, operation, rows), _errors(error_grid(rows))]
        parts.append(threshold.block(network, operation, rows))
    parts += [_comparison(operation, summary), _parameters(operation)]
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
    return raw(heading, _legend(network, rows), element("div", *panels, class_="panels"))


def _label(curve: Curve) -> str:
    return f"Measured and predicted time over the size for {curve.n} processes"


def _legend(network: Network, rows: pd.DataFrame) -> Html:
    entries = [
        ("dot", "measured, used in the fit"),
        ("ring", "measured, not used"),
        ("line", "predicted"),
        ("band", "its interval"),
    ]
    remarks = []
    if (rows["launches"] > 1).any():
        remarks.append("Bars reach from the fastest to the slowest launch.")
    else:
        remarks.append("Bars are the 95 % interval of the median.")
    if network.point_to_point.hockney:
        entries.append(("dash", "lower bound (n − 1)(alpha + beta m)"))
    else:
        remarks.append("There is no lower bound without a point-to-point measurement.")
    return raw(element("p", legend(entries)), element("p", " ".join(remarks), class_="remark"))


def _errors(grid: ErrorGrid) -> Html:
    remark = (
        "Predicted over measured, less one, in per cent: blue where the prediction is too short, "
        "red where it is too long. The frame marks what the fit used."
    )
    if grid.is_beyond:
        remark += f" Errors beyond {percent(grid.limit)} have the colour of {percent(grid.limit)}."
    width, height = chart_size(grid)
    drawn = chart(charts.error_chart(grid), "Errors by processes and size", height, min_width=width)
    return raw(
        element("h3", "Errors of the signature"),
        element("p", remark, class_="remark"),
        element("div", drawn, class_="scroll", tabindex="0", role="region", aria_label="errors"),
    )


def _comparison(operation: Operation, summary: pd.DataFrame) -> Html:
    heading = element("h3", "Errors on unseen points, against other models")
    if summary.empty:
        return raw(heading, element("p", "No point was left to validate on."))
    best = text.best(operation, summary)
    return raw(heading, element("p", best) if best else "", tables.errors(operation, summary))


def _parameters(operation: Operation) -> Html:
    return raw(element("h3", "Fitted parameters"), tables.parameters(operation))
