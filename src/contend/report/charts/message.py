"""Charts of one message between two processes: ping-pong against Hockney's line, and pLogP."""

import numpy as np
import pandas as pd

from contend.pointtopoint import Hockney, PLogP
from contend.report.charts.axes import Figure, over_sizes
from contend.report.charts.curve import line_trace, point_text, point_trace
from contend.report.palette import MEASURED, PREDICTED, THIRD
from contend.units import format_bytes, format_seconds

COLOURS = {"gap": PREDICTED, "send_overhead": MEASURED, "receive_overhead": THIRD}
POINTS_OF_A_LINE = 80


def message_chart(trips: pd.DataFrame, hockney: Hockney | None) -> Figure:
    """Half round trips over the size, and Hockney's line where it is known."""
    shown = trips[trips["m"] > 0]
    sizes = (float(shown["m"].min()), float(shown["m"].max()))
    texts = [point_text(row) for row in shown.to_dict("records")]
    traces, times = (
        [point_trace(shown, "circle", texts)],
        [shown["seconds"], shown["low"], shown["high"]],
    )
    if hockney is not None:
        line = pd.Series(np.geomspace(*sizes, POINTS_OF_A_LINE))
        times.append(pd.Series(hockney.seconds(line)))
        traces.insert(0, _line(line, times[-1], PREDICTED, "alpha + beta m"))
    return {"data": traces, "layout": over_sizes(sizes, _range(times))}


def plogp_chart(plogp: PLogP) -> Figure:
    """Gap and overheads over the size; values of 0 s have no place on the axis."""
    sizes = plogp.size.array
    traces, times = [], []
    for name, colour in COLOURS.items():
        values = getattr(plogp, name).array
        shown = (sizes > 0) & (values > 0)
        line = pd.Series(sizes[shown]), pd.Series(values[shown])
        traces.append(_line(*line, colour, name.replace("_", " ")) | {"mode": "lines+markers"})
        times.append(line[1])
    inside = sizes[sizes > 0]
    return {
        "data": traces,
        "layout": over_sizes((float(inside.min()), float(inside.max())), _range(times)),
    }


def _line(sizes: pd.Series, times: pd.Series, colour: str, name: str) -> Figure:
    texts = [
        f"{format_bytes(size)}: {name} {format_seconds(time)}"
        for size, time in zip(sizes, times, strict=True)
    ]
    style = {"color": colour, "width": 2}
    return line_trace(sizes, times, texts, style) | {"marker": {"size": 5}}


def _range(times: list[pd.Series]) -> tuple[float, float]:
    together = pd.concat(times)
    positive = together[together > 0]
    return float(positive.min()) / 1.4, float(positive.max()) * 1.4
