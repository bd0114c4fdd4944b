"""Heat map of how busy the links of an emulated network were over time."""

import numpy as np

from contend.lab.utilisation import Utilisation
from contend.report.charts.axes import Figure, digits, layout
from contend.report.palette import LOAD

MOST_INTERVALS = 400  # more than that a screen does not show
LINE_HEIGHT, LEAST_HEIGHT = 14, 220  # pixels


def utilisation_chart(utilisation: Utilisation) -> Figure:
    """Links from above, time to the right, colour from idle to saturated."""
    coarse = utilisation.coarser(MOST_INTERVALS)
    percents = 100 * coarse.share.T
    heat = {
        "type": "heatmap",
        "x": digits(coarse.times),
        "y": list(coarse.links),
        "z": [[None if np.isnan(v) else round(float(v), 1) for v in line] for line in percents],
        "zmin": 0,
        "zmax": 100,
        "colorscale": [[i / (len(LOAD) - 1), colour] for i, colour in enumerate(LOAD)],
        "colorbar": {"ticksuffix": " %", "thickness": 12, "outlinewidth": 0, "x": 1.01, "xpad": 4},
        "hovertemplate": "%{y}, %{x:.4g} s: %{z:.0f} %<extra></extra>",
    }
    over = layout(
        {"title": {"text": "seconds since the start"}, "showgrid": False},
        {"type": "category", "autorange": "reversed", "showgrid": False, "tickfont": {"size": 11}},
    )
    return {"data": [heat], "layout": over}


def chart_height(utilisation: Utilisation) -> int:
    """Height in pixels at which each link has a line of its own."""
    return 70 + max(LEAST_HEIGHT, LINE_HEIGHT * len(utilisation.links))
