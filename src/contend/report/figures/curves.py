"""Figure: measured and predicted times of an operation over the size, a panel for each n."""

from collections.abc import Iterator, Sequence
from typing import Any

from contend.models.network import Network, Operation
from contend.models.prediction.curves import Curve, curves, held_points
from contend.models.prediction.verdict import verdict
from contend.models.signature import EXCHANGES
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.palette import BOUND, MEASURED, PAPER, PREDICTED
from contend.report.figures.figure import Findings
from contend.report.figures.lines import Line, error_text, lines_panel, reach
from contend.samples import Sample

BARS = {
    True: "Bars are the 95 % interval of the median over launches.",
    False: "Bars are the 95 % interval of the median.",
}
BOUNDS = {
    "drawn": "The lower bound is (n − 1)(alpha + beta m), where it holds.",
    "beaten": "No lower bound is drawn: measured points are faster than (n − 1)(alpha + beta m), "
    "or too close to it to tell.",
    "unknown": "There is no lower bound without a point-to-point measurement.",
}
BOUNDS_OF_OTHERS = BOUNDS | {
    "drawn": "The lower bound is one start-up and the bytes that a port carries at least.",
    "beaten": "No lower bound is drawn: measured points are faster than a port alone could carry "
    "the bytes, or too close to that to tell.",
}


def operation_curves(findings: Findings) -> Iterator[Drawing]:
    """Draw every operation that a form was fitted to."""
    for operation in findings.fitted:
        drawing = curve_drawing(findings.network, operation, findings.samples)
        if drawing.panels:
            yield drawing


def curve_drawing(network: Network, operation: Operation, samples: Sequence[Sample]) -> Drawing:
    """Points of the samples, or without them those that it was validated on, and the curve."""
    rows = held_points(network, operation, samples)
    drawn = curves(network, operation, rows[rows["m"] > 0])
    has_bound = any(curve.predicted["lower_bound"].notna().any() for curve in drawn)
    line = network.messages(operation.algorithm).hockney
    bound = "drawn" if has_bound else "beaten" if line else "unknown"
    sentences = BOUNDS if operation.operation in EXCHANGES else BOUNDS_OF_OTHERS
    remark = f"{BARS[int(rows['launches'].max()) > 1]} {sentences[bound]}"
    form = verdict(operation).form
    lines = [_lines(curve, form) for curve in drawn]
    ends = reach([line for lines_of in lines for line in lines_of])
    panels = [
        lines_panel(f"n = {curve.n}", lines_of, ends)
        for curve, lines_of in zip(drawn, lines, strict=True)
    ]
    return Drawing("Measured and predicted", panels, remark, operation.title)


def _lines(curve: Curve, form: str) -> list[Line]:
    predicted, measured = curve.predicted, curve.measured
    beyond = [
        f"outside what was measured: {why}" if why else "" for why in predicted["extrapolates"]
    ]
    lines = [
        Line(
            f"predicted by {form}", predicted["m"], predicted["seconds"], {"color": PREDICTED},
            predicted["low"], predicted["high"], beyond, is_band=True,
        )
    ]  # fmt: skip
    if predicted["lower_bound"].notna().any():
        look = {"color": BOUND, "lw": 1, "ls": "--"}
        lines.append(Line("lower bound", predicted["m"], predicted["lower_bound"], look))
    for is_unseen, fill, name in (
        (False, MEASURED, "measured, used in the fit"),
        (True, PAPER, "measured, not used"),
    ):
        part = measured[measured["is_unseen"] == is_unseen]
        if len(part):
            look = {"color": MEASURED, "markerfacecolor": fill}
            notes = [f"{error_text(row)}\n{values_text(row)}" for row in part.to_dict("records")]
            lines.append(
                Line(name, part["m"], part["seconds"], look, part["low"], part["high"], notes)
            )
    return lines


def values_text(row: dict[Any, Any]) -> str:
    """How many values and launches a point has."""
    launches = f"{row['launches']} launches" if row["launches"] > 1 else ""
    values = f"{row['repetitions']} values" if row["repetitions"] else ""
    return ", ".join(filter(None, (launches, values)))
