"""A drawing: panels with axes, from which a page and every kind of file is made.

A panel is a function that draws on axes of matplotlib and returns its tips: what a pointer on a
place of the panel reads. A page shows panels beside or below each other, as there is room; a file
has all of them and one legend.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import wrap
from typing import Any, NamedTuple

from contend.report.canvas.palette import LABEL, SOFT, look

WIDTH, HEIGHT = 3.0, 2.2  # inches
MOST_IN_A_ROW = 3
HANDLE = 0.5  # inches, of what stands before a name of the legend
LINE, LETTERS = 0.16, 18  # inches of a line of text; letters to the inch


class Tip(NamedTuple):
    """Text at a point, or with `right` and `top` in a box, in the units of the axes."""

    text: str
    x: float
    y: float
    right: float | None = None
    top: float | None = None


Axes = Any  # of matplotlib, which is imported only to draw
Draw = Callable[[Axes], Iterable[Tip]]


@dataclass(frozen=True)
class Panel:
    """A title, a function that draws, and inches."""

    title: str
    draw: Draw
    width: float = WIDTH
    height: float = HEIGHT

    def figure(self) -> "tuple[Any, list[Tip]]":
        """A figure of matplotlib with nothing but the axes, and the tips. Call it within `look`."""
        from matplotlib.figure import Figure

        made = Figure(figsize=(self.width, self.height), layout="constrained")
        return made, list(self.draw(made.add_subplot()))


@dataclass(frozen=True)
class Drawing:
    """Panels with one title, and a remark on what they show.

    `subject` is what it is drawn of, where there may be several: an operation, a collective.
    """

    title: str
    panels: Sequence[Panel]
    remark: str = ""
    subject: str = ""
    columns: int = MOST_IN_A_ROW

    def figure(self, title: str = "") -> Any:
        """A figure of matplotlib with all panels and one legend below.

        With a title also the remark, as there is no caption then.
        """
        from matplotlib.figure import Figure

        with look():
            columns = min(len(self.panels), self.columns)
            rows = [self.panels[at : at + columns] for at in range(0, len(self.panels), columns)]
            widths = [max(row[at].width for row in rows if at < len(row)) for at in range(columns)]
            heights = [max(panel.height for panel in row) for row in rows]
            made = Figure(layout="constrained")
            grid = made.add_gridspec(len(rows), columns, width_ratios=widths, height_ratios=heights)
            for number, panel in enumerate(self.panels):
                axes = made.add_subplot(grid[divmod(number, columns)])
                list(panel.draw(axes))  # which may be a generator
                if panel.title != self.title:
                    axes.set_title(panel.title)
            entries = legend(made.axes)
            widest = HANDLE + max(map(len, entries), default=0) / LETTERS
            most = max(1, int(sum(widths) / widest))
            if entries:
                made.legend(entries.values(), entries.keys(), loc="outside lower left", ncols=most)
            lines_of_remark = wrap(self.remark, int(sum(widths) * LETTERS)) if title else []
            lines = ceil(len(entries) / most) + (1.5 + len(lines_of_remark)) * bool(title)
            made.set_size_inches(sum(widths), sum(heights) + LINE * lines)
            if title:
                _head(made, title, lines_of_remark)
            return made


def _head(figure: Any, title: str, lines_of_remark: Sequence[str]) -> None:
    """The title and sentences below it, for which the title keeps empty lines."""
    figure.suptitle(title + "\n" * len(lines_of_remark), x=0.01, ha="left", fontsize=LABEL + 1)
    below = 1 - 1.7 * LINE / figure.get_figheight()
    figure.text(0.01, below, "\n".join(lines_of_remark), va="top", color=SOFT)


def settle(figure: Any) -> None:
    """Gives all parts of a figure their places, once for all kinds of files.

    A figure that has an engine left, even one that does nothing, is drawn twice for each file.
    """
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine(None)


def legend(axes: Iterable[Axes]) -> dict[str, Any]:
    """One handle for each name that is drawn on any of the axes, in order of appearance."""
    handles: dict[str, Any] = {}
    for axis in axes:
        for handle, name in zip(*axis.get_legend_handles_labels(), strict=True):
            handles.setdefault(name, handle)
    return handles
