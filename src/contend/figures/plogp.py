"""Figure: the gap and the overheads of pLogP over the size."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from contend.canvas.axes import over_sizes
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import mark, series
from contend.figures.figure import Figure, Findings
from contend.pointtopoint import PLogP
from contend.units import format_bytes, format_seconds

CURVES = {
    "gap": "g, gap",
    "send_overhead": "os, sender busy",
    "receive_overhead": "or, receiver busy",
}


class PLogPCurves(Figure):
    """Of the outermost level, which is what crosses the network, under each of its conditions."""

    name = "plogp"
    section = "message"
    order = 20

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where they are known of more than empty messages."""
        outermost = {level.conditions: level.plogp for level in findings.network.levels}
        for conditions, plogp in outermost.items():
            title = ", ".join(filter(None, ("pLogP", conditions)))
            if plogp is not None and (plogp.size.array > 0).any():
                yield Drawing(title, [Panel(title, partial(_draw, plogp), 4.0)])


def _draw(plogp: PLogP, axes: Axes) -> list[Tip]:
    sizes = plogp.size.array
    tips, shown = [], []
    for number, (name, label) in enumerate(CURVES.items()):
        values = getattr(plogp, name).array
        is_shown = (sizes > 0) & (values > 0)  # others have no place on the axes
        line = sizes[is_shown], values[is_shown]
        axes.plot(*line, color=series(number), marker=mark(number), markersize=2.5, label=label)
        tips += [
            Tip(f"{format_bytes(m)}: {label} {format_seconds(time)}", m, time)
            for m, time in zip(*line, strict=True)
        ]
        shown.append(line[1])
    times, inside = np.concatenate(shown), sizes[sizes > 0]
    if times.size:
        over_sizes(axes, (inside.min(), inside.max()), (times.min() / 1.4, times.max() * 1.4))
    return tips
