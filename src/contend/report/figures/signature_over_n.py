"""Figure: gamma, delta and M over the number of processes, each n fitted by itself."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from contend.base.document import Unit
from contend.base.number_text import listed, measure
from contend.base.units import format_seconds
from contend.models.fitting.by_count import signature_by_count
from contend.models.network import Operation
from contend.models.network.evidence import SignatureAt
from contend.models.signature import DEFAULT_FORM
from contend.report.canvas.axes import COUNTS, set_ticks, size_ticks
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.palette import MEASURED, PAPER, PREDICTED
from contend.report.figures.figure import Findings
from contend.report.figures.lines import Line, at_count

FEWEST_COUNTS = 3
PARAMETERS: tuple[tuple[str, Unit, str], ...] = (
    ("gamma", "1", "gamma, times beta"),
    ("delta", "s", "delta, per message from M on"),
    ("M", "B", "M, the size it starts at"),
)


def signature_over_n(findings: Findings) -> Iterator[Drawing]:
    for operation in findings.exchanges:
        table, fit = signature_by_count(operation), operation.forms.get(DEFAULT_FORM)
        if table is not None and len(table) >= FEWEST_COUNTS and fit:
            parameters = {name: float(value) for name, value in fit.parameters.items()}
            drawing = signature_drawing(operation, table, parameters, list(fit.n_fitted))
            yield from [drawing] if drawing.panels else []


def signature_drawing(
    operation: Operation, table: pd.DataFrame, parameters: dict[str, float], fitted: list[int]
) -> Drawing:
    """A panel for each parameter that some n has, which excludes a delta of 0 everywhere.

    `known` is what the network file holds.
    """
    panels = [
        Panel(title, partial(_draw, table, name, unit, fitted, parameters.get(name)), height=2.0)
        for name, unit, title in PARAMETERS
        if (table[name].fillna(0.0) != 0.0).any()
    ]
    remark = _remark(table, operation.signatures or ())
    return Drawing("Signature at each n", panels, remark, operation.title)


def _remark(table: pd.DataFrame, signatures: Sequence[SignatureAt]) -> str:
    text = (
        "A signature holds for every n where these lie level: the further an n is from the line, "
        "the less is known of it from n′."
    )
    kinds = sorted(
        {
            parameter.bounds
            for at in signatures
            for parameter in at.parameters.values()
            if parameter.bounds
        }
    )
    text += f" Bars are {' or '.join(kinds) or '95 % intervals'}."
    if without := [int(n) for n in table.loc[table["M"].isna(), "n"]]:
        text += f" No jump, and so no M, was found at n = {listed(without)}."
    return text


def _draw(
    table: pd.DataFrame,
    name: str,
    unit: Unit,
    fitted: list[int],
    parameter: float | None,
    axes: Axes,
) -> Iterator[Tip]:
    lines = []
    if parameter is not None:
        ends = [table["n"].min(), table["n"].max()]
        axes.plot(ends, [parameter, parameter], color=PREDICTED, label="in the network file")
    for is_fitted, fill, label in (
        (True, MEASURED, "fitted at n′ alone, which the network file is for"),
        (False, PAPER, "fitted at another n alone"),
    ):
        part = table[table[name].notna() & (table["n"].isin(fitted) == is_fitted)]
        if len(part):
            look = {"color": MEASURED, "markerfacecolor": fill, "markersize": 4}
            bars = part[f"{name}_low"], part[f"{name}_high"]
            lines.append(Line(label, part["n"], part[name], look, *bars))
    for line in lines:
        line.draw(axes)
        yield from line.tips(lambda value: measure(value, unit), at_count)
    if unit == "B":
        values = [*table[name].dropna(), *([parameter] if parameter else [])]
        low, high = min(values) / 2, max(values) * 2
        axes.set_yscale("log", base=2)
        axes.set_ylim(low, high)
        set_ticks(axes.yaxis, *size_ticks(low, high))
    else:
        tops = np.append(table[[name, f"{name}_high"]].to_numpy(dtype=np.float64), parameter or 0.0)
        top = tops[np.isfinite(tops)].max() or 1.0
        axes.set_ylim(-0.03 * top, 1.08 * top)
        axes.yaxis.get_major_locator().set_params(nbins=4)
    if unit == "s":
        axes.yaxis.set_major_formatter(lambda seconds, _: format_seconds(seconds))
    axes.margins(x=0.08)
    axes.set_xlabel(COUNTS)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y")
