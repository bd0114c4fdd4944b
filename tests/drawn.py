"""What a panel draws, for tests: its axes and its tips."""

from typing import Any

from contend.canvas.drawing import Drawing, Panel, Tip
from contend.canvas.style import look


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
