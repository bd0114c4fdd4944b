"""Chart of the errors of sharing models over the number of messages of a graph.

Source: Martinasso, Méhaut, Euro-Par 2011, figure 5.
"""

import pandas as pd

from contend.report.charts.axes import Figure, digits, layout
from contend.report.numbers import percent
from contend.report.palette import BOUND, MEASURED, PREDICTED, THIRD

# A model has a symbol and a dash of its own too, for readers who do not tell the colours apart.
COLOURS = (PREDICTED, MEASURED, THIRD, "#bd5f93", "#b98300", BOUND, "#56b4e9")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
EDGES_TITLE = "messages of the graph"
HEIGHT = 380  # pixels, with the names of the models below


def sharing_chart(errors: pd.DataFrame, column: str, best: str) -> Figure:
    """Lines of `column` over `edges`, one per model, the least error first; `best` stands out.

    `errors` has a row per model and number of edges, with the columns model, edges, graphs,
    average, worst_graph and worst; errors are relative, 0.1 is 10 %.
    """
    names = list(errors.groupby("model", sort=False)["average"].mean().sort_values().index)
    traces = [
        _line(errors[errors["model"] == name], column, name, number, name == best)
        for number, name in enumerate(names)
    ]
    over = layout(
        {"title": {"text": EDGES_TITLE}, "tickformat": "d"},
        {"title": {"text": "error, %"}, "rangemode": "tozero"},
    )
    over |= {"showlegend": True, "legend": {"orientation": "h", "y": -0.22, "yanchor": "top"}}
    return {"data": traces, "layout": over}


def _line(rows: pd.DataFrame, column: str, name: str, number: int, is_best: bool) -> Figure:
    colour = COLOURS[number % len(COLOURS)]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": [int(edges) for edges in rows["edges"]],
        "y": digits(100 * rows[column]),
        "line": {
            "color": colour,
            "width": 3 if is_best else 1.5,
            "dash": DASHES[number % len(DASHES)],
        },
        "marker": {"size": 8 if is_best else 6, "symbol": SYMBOLS[number % len(SYMBOLS)]},
        "text": [_said(row, name) for row in rows.to_dict("records")],
        "hoverinfo": "text",
    }


def _said(row: dict[str, float], name: str) -> str:
    graphs = f"{row['graphs']} graph{'s' if row['graphs'] > 1 else ''}"
    return (
        f"{name}<br>{row['edges']} messages, {graphs}<br>average {percent(row['average'])}, "
        f"worst graph {percent(row['worst_graph'])}, worst message {percent(row['worst'])}"
    )
