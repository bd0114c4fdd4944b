"""Charts of gamma, delta and M over the number of processes, each n fitted by itself."""

import numpy as np
import pandas as pd

from contend.document import Unit
from contend.report.charts.axes import Figure, digits, layout
from contend.report.curves import size_ticks
from contend.report.numbers import measure
from contend.report.palette import MEASURED, PREDICTED
from contend.units import format_seconds

N_TITLE = "n, processes"


def parameter_chart(
    table: pd.DataFrame, name: str, unit: Unit, fitted: list[int], known: float | None
) -> Figure:
    """A parameter over n with its 95 % intervals; `known` is what the network file holds.

    `table` is of `signature_by_count`; `fitted` are the n that the network was fitted at.
    """
    shown = table[table[name].notna()]
    ends = [shown[name], shown[f"{name}_low"], shown[f"{name}_high"]]
    values = np.concatenate([np.asarray(column, dtype=np.float64) for column in ends])
    top = max([float(np.nanmax(values)) if values.size else 0.0, known or 0.0]) or 1.0
    step = _step(top)
    ticks = [step * index for index in range(int(top * 1.08 / step) + 1)]
    axis = {
        "range": [-0.03 * top, 1.08 * top],
        "tickvals": ticks,
        "ticktext": [_tick(tick, unit) for tick in ticks],
    }
    traces = [_line(table, known)] if known is not None else []
    return {
        "data": [*traces, *_points(shown, name, unit, fitted)],
        "layout": layout(_count_axis(table), axis),
    }


def threshold_chart(table: pd.DataFrame, fitted: list[int], known: float | None) -> Figure:
    """M over n, logarithmic; an n without a jump has no point."""
    shown = table[table["M"].notna()]
    sizes = [*shown["M"], *([known] if known else [])] or [1.0]
    low, high = min(sizes) / 2, max(sizes) * 2
    values, names = size_ticks(low, high)
    axis = {
        "type": "log",
        "range": [float(np.log10(low)), float(np.log10(high))],
        "tickvals": values,
        "ticktext": names,
    }
    traces = [_line(table, known)] if known else []
    return {
        "data": [*traces, *_points(shown, "M", "B", fitted)],
        "layout": layout(_count_axis(table), axis),
    }


def _count_axis(table: pd.DataFrame) -> Figure:
    counts = [int(n) for n in table["n"]]
    margin = 0.06 * (max(counts) - min(counts)) or 1.0
    return {
        "title": {"text": N_TITLE},
        "range": [min(counts) - margin, max(counts) + margin],
        "tickformat": "d",
    }


def _points(shown: pd.DataFrame, name: str, unit: Unit, fitted: list[int]) -> list[Figure]:
    """Points filled at the n that the network was fitted at, open elsewhere."""
    is_fitted = shown["n"].isin(fitted)
    parts = (("circle", shown[is_fitted]), ("circle-open", shown[~is_fitted]))
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [int(n) for n in part["n"]],
            "y": digits(part[name]),
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": digits((part[f"{name}_high"] - part[name]).fillna(0.0)),
                "arrayminus": digits((part[name] - part[f"{name}_low"]).fillna(0.0)),
                "thickness": 1,
                "width": 2,
            },
            "marker": {
                "symbol": symbol,
                "size": 8,
                "color": MEASURED,
                "line": {"width": 1.5, "color": MEASURED},
            },
            "text": [
                f"n = {row['n']}: {_said(row, name, unit)}" for row in part.to_dict("records")
            ],
            "hoverinfo": "text",
        }
        for symbol, part in parts
        if len(part)
    ]


def _said(row: dict[str, float], name: str, unit: Unit) -> str:
    text = f"{name} {measure(row[name], unit)}"
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if np.isnan(low) or np.isnan(high):
        return text
    return f"{text}<br>{measure(low, unit)} to {measure(high, unit)}"


def _line(table: pd.DataFrame, known: float) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [int(table["n"].min()), int(table["n"].max())],
        "y": digits([known, known]),
        "line": {"color": PREDICTED, "width": 2},
        "hoverinfo": "skip",
    }


def _step(top: float) -> float:
    """Distance of some four ticks from 0 to `top`: 1, 2 or 5 times a power of ten."""
    raw = top / 4
    power = 10.0 ** np.floor(np.log10(raw))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= raw))


def _tick(value: float, unit: Unit) -> str:
    return format_seconds(value) if unit == "s" else f"{value:.3g}"
