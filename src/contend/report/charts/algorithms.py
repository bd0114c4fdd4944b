"""Chart of an algorithm that was run: predicted lines and measured points over the size."""

import pandas as pd

from contend.report.candidates import series
from contend.report.charts.axes import Figure, digits, over_sizes
from contend.report.numbers import signed_percent
from contend.report.palette import LINES
from contend.schedules.option_text import options_text
from contend.units import format_bytes, format_seconds

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "x", "star")


def algorithm_chart(
    best: pd.DataFrame, names: list[str], ranges: tuple[tuple[float, float], tuple[float, float]]
) -> Figure:
    """A line and points for each n; rows of `best_options` of one algorithm.

    `names` are the series of all algorithms, for their colours.
    """
    traces = []
    for name, rows in series(best):
        place = names.index(name)
        traces += [_line(rows, place), _points(rows, place)]
    return {"data": traces, "layout": over_sizes(*ranges)}


def line_colour(place: int) -> str:
    """Colour of the series with that place among the names."""
    return LINES[place % len(LINES)]


def _line(rows: pd.DataFrame, place: int) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": rows["m"].tolist(),
        "y": digits(rows["predicted"]),
        "line": {"color": line_colour(place), "width": 1.6},
        "hoverinfo": "skip",
    }


def _points(rows: pd.DataFrame, place: int) -> Figure:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": rows["m"].tolist(),
        "y": digits(rows["measured"]),
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": digits((rows["high"] - rows["measured"]).fillna(0)),
            "arrayminus": digits((rows["measured"] - rows["low"]).fillna(0)),
            "thickness": 1,
            "width": 2,
        },
        "marker": {"size": 7, "color": line_colour(place), "symbol": SYMBOLS[place % len(SYMBOLS)]},
        "text": [_said(row) for row in rows.to_dict("records")],
        "hoverinfo": "text",
    }


def _said(row: dict[str, object]) -> str:
    options = options_text(dict(row["options"]))  # type: ignore[call-overload]
    return (
        f"{row['series']}, {format_bytes(int(row['m']))}{f', {options}' if options else ''}<br>"  # type: ignore[call-overload]
        f"measured {format_seconds(float(row['measured']))}<br>"  # type: ignore[arg-type]
        f"predicted {format_seconds(float(row['predicted']))}, "  # type: ignore[arg-type]
        f"{signed_percent(float(row['error']))}"  # type: ignore[arg-type]
    )
