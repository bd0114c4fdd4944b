"""Chart of a decision map: fields by algorithm, borders, hatching, and each cell in words."""

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np

from contend.choose import DecisionMap
from contend.document import Floats
from contend.report.charts.axes import SIZE_TITLE, Figure, digits, layout
from contend.report.curves import count_ticks, size_ticks
from contend.report.palette import BORDER, FIELDS, INK_ON_FIELD
from contend.report.regions import Regions, regions
from contend.schedules.option_text import options_text
from contend.units import format_seconds

PER_LETTER, LINE = 0.026, 0.085  # shares of the axes that a letter and a line take, 330 pixels wide
FONT = 11  # pixels


def decision_chart(found: DecisionMap) -> Figure:
    """Fields with their names; the pointer on a cell tells its time and its second."""
    known = regions(found)
    outlines = [known.outline(known.index == place) for place in range(len(known.names))]
    traces = [_fields(known, found)]
    if known.is_unsure.any():
        traces.append(_lines(known.outline(known.is_unsure)) | _HATCHED)
    traces += [_lines(loops) | _BORDER for loops in outlines]
    return {"data": traces, "layout": _layout(known, found)}


_HATCHED: Figure = {
    "fill": "toself",
    "line": {"width": 0},
    "fillcolor": "rgba(0,0,0,0)",
    "fillpattern": {
        "shape": "/", "size": 7, "solidity": 0.16, "fgcolor": BORDER, "bgcolor": "rgba(0,0,0,0)",
    },
}  # fmt: skip
_BORDER: Figure = {"line": {"width": 1, "color": BORDER}}


def field_colour(place: int) -> str:
    """Colour of the algorithm with the so many largest fields before it."""
    return FIELDS[place % len(FIELDS)]


def _fields(known: Regions, found: DecisionMap) -> Figure:
    count = len(known.names)
    edges = [(place + shift) / count for place in range(count) for shift in (0, 1)]
    colours = [field_colour(place) for place in range(count) for _ in range(2)]
    return {
        "type": "heatmap",
        "x": found.m.tolist(),  # on a logarithmic axis cells reach to the geometric means
        "y": found.n.tolist(),
        "z": known.index.tolist(),
        "zmin": -0.5,
        "zmax": count - 0.5,
        "colorscale": [list(pair) for pair in zip(edges, colours, strict=True)],
        "showscale": False,
        "text": [list(_texts(found, row)) for row in range(found.n.size)],
        "hovertemplate": "n = %{y}, m = %{x:.0f} B<br>%{text}<extra></extra>",
    }


def _texts(found: DecisionMap, row: int) -> Iterator[str]:
    """What is fastest, for each size, in few words: there are thousands of cells."""
    for column in range(found.m.size):
        chosen = options_text(found.options[row, column])
        name = found.algorithm[row, column] + (f", {chosen}" if chosen else "")
        time, ratio = format_seconds(float(found.seconds[row, column])), found.ratio[row, column]
        others = "as all" if isnan(ratio) else f"{found.second[row, column]} ×{ratio:.3g}"
        yield f"{name}: {time}; {others}"


def _lines(loops: Sequence[Floats]) -> Figure:
    """Loops one after the other, with gaps between them."""
    x, y = ([place for loop in loops for place in (*digits(2 ** loop[:, i]), None)] for i in (0, 1))
    return {"type": "scatter", "mode": "lines", "x": x[:-1], "y": y[:-1], "hoverinfo": "skip"}


def _layout(known: Regions, found: DecisionMap) -> Figure:
    sizes, names = size_ticks(float(found.m.min()), float(found.m.max()))
    counts = count_ticks(int(found.n.min()), int(found.n.max()))
    axes: tuple[Figure, Figure] = (
        {"title": {"text": SIZE_TITLE}, "tickvals": sizes, "ticktext": names},
        {"title": {"text": "n, processes"}, "tickvals": counts, "ticktext": list(map(str, counts))},
    )
    for axis, edges in zip(axes, (known.x, known.y), strict=True):
        axis |= {"type": "log", "showgrid": False, "range": _log10(edges[[0, -1]])}
    return layout(*axes) | {"annotations": list(_names(known))}


def _names(known: Regions) -> Iterator[Figure]:
    """Names in the fields that have room for them."""
    for place, name in enumerate(known.names):
        middle = known.label_place(known.index == place, PER_LETTER * len(name), LINE)
        if middle is not None:
            x, y = _log10(np.array(middle))
            yield {
                "x": x, "y": y, "text": name, "showarrow": False,
                "font": {"size": FONT, "color": INK_ON_FIELD}, "bgcolor": field_colour(place),
                "borderpad": 1,
            }  # fmt: skip


def _log10(places: Floats) -> list[float]:
    """Logarithms to the base 2 as plotly wants them."""
    return digits(places * np.log10(2.0))
