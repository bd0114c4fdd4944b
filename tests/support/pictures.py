"""What a panel draws, for tests: its axes and its tips."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

from contend.report.canvas.drawing import Drawing, Panel, Tip
from contend.report.canvas.palette import look


def drawn(panel: Panel) -> tuple[Any, list[Tip]]:
    """The main axes of a panel, and what a pointer reads."""
    with look():
        figure, tips = panel.figure()
        figure.canvas.draw()
        return figure.axes[0], tips


def only(drawing: Drawing) -> Panel:
    """The panel of a drawing that has one."""
    (panel,) = drawing.panels
    return panel


def content(picture: Path) -> Counter[str]:
    """What an SVG says and of what kinds its shapes are; matplotlib's versions differ in places."""
    svg = "{http://www.w3.org/2000/svg}"
    root = ET.parse(picture).getroot()
    said = ["".join(one.itertext()) for one in root.iter(f"{svg}text")]
    names = filter(None, (group.get("id") for group in root.iter(f"{svg}g")))
    return Counter([*said, *(re.sub(r"[\d_]+$", "", name) for name in names)])


def names(axes: Any) -> list[str]:
    """What the legend has."""
    return axes.get_legend_handles_labels()[1]


def marks(axes: Any) -> dict[str, list[list[float]]]:
    """Places of the points with bars, by name: x and y."""
    found = {}
    for container, name in zip(*axes.get_legend_handles_labels(), strict=True):
        if hasattr(container, "lines"):
            found[name] = [list(values) for values in container.lines[0].get_data()]
    return found
