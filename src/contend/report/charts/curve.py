"""Chart of measured and predicted times of one number of processes over the size."""

from typing import Any

import pandas as pd

from contend.report.charts.axes import Figure, digits, over_sizes
from contend.report.curves import Curve
from contend.report.numbers import signed_percent
from contend.report.palette import BAND_OPACITY, BOUND, MEASURED, PREDICTED
from contend.units import format_bytes, format_seconds


def curve_chart(curve: Curve, sizes: tuple[float, float], times: tuple[float, float]) -> Figure:
    """Points with bars, the predicted line in its band, and the lower bound where it is known."""
    traces = [*_band(curve.predicted), _line(curve.predicted), *_measured(curve.measured)]
    if curve.predicted["lower_bound"].notna().all():
        traces.insert(0, _bound(curve.predicted))
    return {"data": traces, "layout": over_sizes(sizes, times)}


def _band(predicted: pd.DataFrame) -> list[Figure]:
    edge = {
        "type": "scatter",
        "mode": "lines",
        "line": {"width": 0, "color": PREDICTED},
        "hoverinfo": "skip",
        "x": digits(predicted["m"]),
    }
    red, green, blue = (int(PREDICTED[i : i + 2], 16) for i in (1, 3, 5))
    fill = {"fill": "tonexty", "fillcolor": f"rgba({red},{green},{blue},{BAND_OPACITY})"}
    return [
        {**edge, "y": digits(predicted["low"])},
        {**edge, "y": digits(predicted["high"]), **fill},
    ]


def _line(predicted: pd.DataFrame) -> Figure:
    texts = [
        f"{format_bytes(row['m'])}: predicted {format_seconds(row['seconds'])}"
        f"<br>{format_seconds(row['low'])} to {format_seconds(row['high'])}"
        + (f"<br>outside what was measured: {row['extrapolates']}" if row["extrapolates"] else "")
        for row in predicted.to_dict("records")
    ]
    return line_trace(predicted["m"], predicted["seconds"], texts, {"color": PREDICTED, "width": 2})


def _bound(predicted: pd.DataFrame) -> Figure:
    texts = [f"lower bound {format_seconds(value)}" for value in predicted["lower_bound"]]
    style = {"color": BOUND, "width": 1.5, "dash": "dash"}
    return line_trace(predicted["m"], predicted["lower_bound"], texts, style)


def _measured(measured: pd.DataFrame) -> list[Figure]:
    """Points filled where the fit used them, open elsewhere."""
    shown = measured[measured["m"] > 0]
    parts = (("circle", shown[~shown["is_unseen"]]), ("circle-open", shown[shown["is_unseen"]]))
    return [point_trace(part, symbol, _point_texts(part)) for symbol, part in parts if len(part)]


def _point_texts(rows: pd.DataFrame) -> list[str]:
    return [
        f"{point_text(row)}<br>predicted {format_seconds(row['predicted'])}, "
        f"{signed_percent(row['error'])}"
        f"<br>{'not used' if row['is_unseen'] else 'used'} in the fit"
        for row in rows.to_dict("records")
    ]


def point_text(row: dict[Any, Any]) -> str:
    """What was measured at a point, a line of text each."""
    text = f"{format_bytes(row['m'])}: measured {format_seconds(row['seconds'])}"
    if row["launches"] > 1:
        span = f"{format_seconds(row['low'])} to {format_seconds(row['high'])}"
        text += f"<br>{row['launches']} launches, 95 % {span}"
    return f"{text}<br>{row['repetitions']} values"


def point_trace(rows: pd.DataFrame, symbol: str, texts: list[str]) -> Figure:
    """Medians with bars for their intervals, where these are known."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": digits(rows["m"]),
        "y": digits(rows["seconds"]),
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": digits((rows["high"] - rows["seconds"]).fillna(0)),
            "arrayminus": digits((rows["seconds"] - rows["low"]).fillna(0)),
            "thickness": 1,
            "width": 2,
        },
        "marker": {
            "symbol": symbol,
            "size": 7,
            "color": MEASURED,
            "line": {"width": 1.5, "color": MEASURED},
        },
        "text": texts,
        "hoverinfo": "text",
    }


def line_trace(sizes: pd.Series, times: pd.Series, texts: list[str], style: Figure) -> Figure:
    """Line over the size with a text at each of its points."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": digits(sizes),
        "y": digits(times),
        "line": style,
        "text": texts,
        "hoverinfo": "text",
    }
