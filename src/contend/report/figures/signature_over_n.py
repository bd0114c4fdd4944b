"""Figure: gamma, delta and M over the number of processes, each n fitted by itself."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from contend.base.document import Quantity, Unit
from contend.base.number_text import listed, measure
from contend.base.units import format_seconds
from contend.models.network import Operation
from contend.models.network.evidence import SignatureAt
from contend.models.signature import DEFAULT_FORM, FittedForm
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
    """Draw every exchange that the file keeps signatures of, at enough n."""
    for operation in findings.exchanges:
        fit = operation.forms.get(DEFAULT_FORM)
        if fit and len(operation.signatures or ()) >= FEWEST_COUNTS:
            drawing = signature_drawing(operation, fit)
            yield from [drawing] if drawing.panels else []


def signature_drawing(operation: Operation, fit: FittedForm) -> Drawing:
    """A panel for each parameter that some n has, which excludes a delta of 0 everywhere."""
    signatures = operation.signatures or ()
    panels = [
        Panel(title, partial(_draw, signatures, name, unit, fit), height=2.0)
        for name, unit, title in PARAMETERS
        if any(float(parameter) for _, parameter in _of(signatures, name))
    ]
    return Drawing("Signature at each n", panels, _remark(signatures), operation.title)


def _of(signatures: Sequence[SignatureAt], name: str) -> list[tuple[int, Quantity]]:
    """Pairs of n and the parameter there, if any: M is one of jumps, gamma of shared nodes."""
    return [(at.n, at.parameters[name]) for at in signatures if name in at.parameters]


def _remark(signatures: Sequence[SignatureAt]) -> str:
    text = (
        "A signature holds for every n where these lie level: the further an n is from the line, "
        "the less is known of it from n′."
    )
    parameters = [parameter for at in signatures for parameter in at.parameters.values()]
    kinds = sorted({parameter.bounds for parameter in parameters if parameter.bounds})
    text += f" Bars are {' or '.join(kinds) or '95 % intervals'}."
    if without := [at.n for at in signatures if "M" not in at.parameters]:
        text += f" No jump, and so no M, was found at n = {listed(without)}."
    return text


def _draw(
    signatures: Sequence[SignatureAt], name: str, unit: Unit, fit: FittedForm, axes: Axes
) -> Iterator[Tip]:
    lines = []
    parameter = float(fit.parameters[name]) if name in fit.parameters else None
    if parameter is not None:
        ends = [signatures[0].n, signatures[-1].n]
        axes.plot(ends, [parameter, parameter], color=PREDICTED, label="in the network file")
    for is_fitted, fill, label in (
        (True, MEASURED, "fitted at n′ alone, which the network file is for"),
        (False, PAPER, "fitted at another n alone"),
    ):
        part = [(n, q) for n, q in _of(signatures, name) if (n in fit.n_fitted) == is_fitted]
        if part:
            look = {"color": MEASURED, "markerfacecolor": fill, "markersize": 4}
            columns = np.array([(n, float(q), q.low, q.high) for n, q in part], dtype=float)
            counts, values, *bars = columns.T
            lines.append(Line(label, counts, values, look, *bars))
    for line in lines:
        line.draw(axes)
        yield from line.tips(lambda value: measure(value, unit), at_count)
    drawn = np.concatenate([np.asarray(e) for line in lines for e in (line.values, *line.ends)])
    drawn = np.append(drawn[np.isfinite(drawn)], [parameter] if parameter else [])
    if unit == "B":
        low, high = drawn.min() / 2, drawn.max() * 2
        axes.set_yscale("log", base=2)
        axes.set_ylim(low, high)
        set_ticks(axes.yaxis, *size_ticks(low, high))
    else:
        top = drawn.max(initial=0.0) or 1.0
        axes.set_ylim(-0.03 * top, 1.08 * top)
        axes.yaxis.get_major_locator().set_params(nbins=4)
    if unit == "s":
        axes.yaxis.set_major_formatter(lambda seconds, _: format_seconds(seconds))
    axes.margins(x=0.08)
    axes.set_xlabel(COUNTS)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y")
