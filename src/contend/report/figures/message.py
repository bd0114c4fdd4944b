"""Figures: one message over its size, its half round trips and the costs of pLogP."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from contend.report.canvas.drawing import Drawing
from contend.report.canvas.palette import MEASURED, PREDICTED, mark, series
from contend.report.figures.curves import values_text
from contend.report.figures.figure import Findings
from contend.report.figures.lines import Line, lines_panel
from contend.samples import table
from contend.samples.by_setting import conditions_in, under_conditions
from contend.schedules.pointtopoint import Hockney, PLogP

WIDTH = 4.0  # inches
POINTS_OF_A_LINE = 80
CURVES = {
    "gap": "g, gap",
    "send_overhead": "os, sender busy",
    "receive_overhead": "or, receiver busy",
}


def ping_pong(findings: Findings) -> Iterator[Drawing]:
    passed = [sample for sample in findings.samples if sample.experiment == "pingpong"]
    lines = {level.conditions: level.hockney for level in findings.network.levels}
    for conditions in conditions_in(passed):
        trips = table.medians(table.timed(under_conditions(passed, conditions)))
        trips = trips[trips["m"] > 0]
        if len(trips):
            yield _drawing("Ping-pong", conditions, _trips(trips, lines.get(conditions)))


def plogp_curves(findings: Findings) -> Iterator[Drawing]:
    outermost = {level.conditions: level.plogp for level in findings.network.levels}
    for conditions, plogp in outermost.items():
        if plogp is not None and (plogp.size.array > 0).any():
            yield _drawing("pLogP", conditions, _costs(plogp))


def _drawing(name: str, conditions: str, lines: list[Line]) -> Drawing:
    title = ", ".join(filter(None, (name, conditions)))
    return Drawing(title, [lines_panel(title, lines, width=WIDTH)])


def _trips(trips: pd.DataFrame, hockney: Hockney | None) -> list[Line]:
    notes = [values_text(row) for row in trips.to_dict("records")]
    measured = Line(
        "measured, half a round trip", trips["m"], trips["seconds"], {"color": MEASURED},
        trips["low"], trips["high"], notes,
    )  # fmt: skip
    if hockney is None:
        return [measured]
    sizes = np.geomspace(trips["m"].min(), trips["m"].max(), POINTS_OF_A_LINE)
    return [Line("alpha + beta m", sizes, hockney.seconds(sizes), {"color": PREDICTED}), measured]


def _costs(plogp: PLogP) -> list[Line]:
    """Costs of messages with bytes; those of 0 s have no place on the axes."""
    inside = plogp.size.array > 0
    lines = []
    for number, (name, label) in enumerate(CURVES.items()):
        values = getattr(plogp, name).array[inside]
        look = {"color": series(number), "marker": mark(number), "markersize": 2.5}
        values = np.where(values > 0, values, np.nan)
        lines.append(Line(label, plogp.size.array[inside], values, look))
    return lines
