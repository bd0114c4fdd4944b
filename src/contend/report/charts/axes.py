"""Axes and layout that the charts have in common."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from contend.report.curves import size_ticks, time_ticks

Figure = dict[str, Any]

SIZE_TITLE = "m, size of a message"


def layout(x_axis: Figure, y_axis: Figure) -> Figure:
    """Layout without a title; a finger on the chart scrolls the page."""
    common = {"zeroline": False, "automargin": True}
    return {
        "xaxis": {**common, **x_axis},
        "yaxis": {**common, **y_axis},
        "margin": {"l": 60, "r": 12, "t": 8, "b": 42},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
    }


def over_sizes(sizes: tuple[float, float], times: tuple[float, float]) -> Figure:
    """Layout of a time over a size, both logarithmic."""
    low, high = sizes
    x_axis = _log_axis(low / 1.3, high * 1.3, *size_ticks(low, high))
    return layout({"title": {"text": SIZE_TITLE}, **x_axis}, _log_axis(*times, *time_ticks(*times)))


def _log_axis(low: float, high: float, values: list[float], names: list[str]) -> Figure:
    return {
        "type": "log",
        "range": [float(np.log10(low)), float(np.log10(high))],
        "tickvals": values,
        "ticktext": names,
    }


def digits(values: Iterable[float]) -> list[float]:
    """Values with six digits, which is more than a screen shows."""
    return [float(f"{value:.6g}") for value in values]
