"""Figure: measured and predicted times of an operation over the size, a panel for each n."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from contend.canvas.axes import over_sizes, points
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import BAND_OPACITY, BOUND, MEASURED, PREDICTED
from contend.canvas.style import PAPER
from contend.figures.figure import Figure, Findings
from contend.network import Network, Operation
from contend.number_text import signed_percent
from contend.prediction.curves import Curve, curves, held_points
from contend.prediction.verdict import verdict
from contend.samples import Sample
from contend.signature import EXCHANGES
from contend.units import format_bytes, format_seconds

FARTHEST_INTERVAL = 4.0  # a wide interval must not press the curves together
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


class Curves(Figure):
    """Of every operation of the network."""

    name = "curves"
    section = "operation"
    order = 10

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where a form was fitted."""
        for operation in findings.fitted:
            found = curve_drawing(findings.network, operation, findings.samples)
            if found.panels:
                yield found


def curve_drawing(network: Network, operation: Operation, samples: Sequence[Sample]) -> Drawing:
    """Points of the samples, or without them those that it was validated on, and the curve."""
    rows = held_points(network, operation, samples)
    drawn = curves(network, operation, rows[rows["m"] > 0])
    has_bound = any(curve.predicted["lower_bound"].notna().any() for curve in drawn)
    line = network.messages(operation.algorithm).hockney
    bound = "drawn" if has_bound else "beaten" if line else "unknown"
    said = BOUNDS if operation.operation in EXCHANGES else BOUNDS_OF_OTHERS
    remark = f"{BARS[int(rows['launches'].max()) > 1]} {said[bound]}"
    form, times = verdict(operation).form, _times(drawn)
    panels = [Panel(f"n = {one.n}", partial(_draw, one, form, times)) for one in drawn]
    return Drawing("Measured and predicted", panels, remark, operation.title)


def _times(drawn: Sequence[Curve]) -> tuple[float, float]:
    """Shortest and longest time of all curves, with a margin.

    An interval that reaches far beyond everything else runs out of the chart.
    """
    if not drawn:
        return 1.0, 2.0
    low, high = _ends(
        [curve.measured[["seconds", "low", "high"]] for curve in drawn]
        + [curve.predicted[["seconds", "lower_bound"]] for curve in drawn]
    )
    lowest, highest = _ends([curve.predicted[["seconds", "low", "high"]] for curve in drawn])
    return (
        max(min(low, lowest), low / FARTHEST_INTERVAL) / 1.3,
        min(max(high, highest), high * FARTHEST_INTERVAL) * 1.3,
    )


def _ends(tables: list[pd.DataFrame]) -> tuple[float, float]:
    values = np.concatenate([part.to_numpy(dtype=np.float64).ravel() for part in tables])
    positive = values[np.isfinite(values) & (values > 0)]
    return float(positive.min()), float(positive.max())


def _draw(curve: Curve, form: str, times: tuple[float, float], axes: Axes) -> list[Tip]:
    predicted, measured = curve.predicted, curve.measured
    sizes = predicted["m"]
    axes.fill_between(
        sizes, predicted["low"], predicted["high"],
        color=PREDICTED, alpha=BAND_OPACITY, linewidth=0, label="its interval",
    )  # fmt: skip
    axes.plot(sizes, predicted["seconds"], color=PREDICTED, label=f"predicted by {form}")
    if predicted["lower_bound"].notna().any():
        axes.plot(sizes, predicted["lower_bound"], color=BOUND, lw=1, ls="--", label="lower bound")
    for is_unseen, fill, name in (
        (False, MEASURED, "measured, used in the fit"),
        (True, PAPER, "measured, not used"),
    ):
        part = measured[measured["is_unseen"] == is_unseen]
        if len(part):
            points(
                axes, part["m"], part["seconds"], part["low"], part["high"],
                color=MEASURED, markerfacecolor=fill, label=name,
            )  # fmt: skip
    over_sizes(axes, (float(sizes.min()), float(sizes.max())), times)
    return [
        *(Tip(_line(row), row["m"], row["seconds"]) for row in predicted.to_dict("records")),
        *(Tip(_point(row), row["m"], row["seconds"]) for row in measured.to_dict("records")),
    ]


def _line(row: dict[Any, Any]) -> str:
    text = f"{format_bytes(row['m'])}: predicted {format_seconds(row['seconds'])}"
    span = f"{format_seconds(row['low'])} to {format_seconds(row['high'])}"
    text += "\ninterval unknown" if np.isnan(row["low"]) else f"\n{span}"
    if row["extrapolates"]:
        text += f"\noutside what was measured: {row['extrapolates']}"
    return text


def _point(row: dict[Any, Any]) -> str:
    used = "not used" if row["is_unseen"] else "used"
    error = f"predicted {format_seconds(row['predicted'])}, {signed_percent(row['error'])}"
    return f"{median_text(row)}\n{error}\n{used} in the fit"


def median_text(row: dict[Any, Any]) -> str:
    """What was measured at a point, a line of text each."""
    text = f"{format_bytes(row['m'])}: measured {format_seconds(row['seconds'])}"
    if row["launches"] > 1:
        span = f"{format_seconds(row['low'])} to {format_seconds(row['high'])}"
        text += f"\n{row['launches']} launches, 95 % {span}"
    return f"{text}\n{row['repetitions']} values" if row["repetitions"] else text
