"""Values over the size of a message, or another number: what many figures are made of."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.number_text import signed_percent
from contend.base.units import format_bytes, format_seconds
from contend.report.canvas.axes import log_sizes, over_sizes, points, ratios
from contend.report.canvas.drawing import HEIGHT, WIDTH, Axes, Panel, Tip
from contend.report.canvas.palette import BAND_OPACITY, BOUND

FARTHEST = 4.0  # a wide interval must not press the values together
TICKS = 1.5  # sizes to the inch


@dataclass(frozen=True, eq=False)
class Line:
    """Values at sizes, with bars from `low` to `high` or a band, in a `look` of matplotlib.

    A pointer reads the name, the size, the value, its interval, and the note of a point; nothing
    of a line without a name, which is not in the legend either.
    """

    name: str
    m: ArrayLike
    values: ArrayLike
    look: Mapping[str, Any] = field(default_factory=dict)
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    notes: Iterable[str] | None = None
    is_band: bool = False

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """Ends of the interval of each value; NaN where it has none."""
        nothing = np.full(np.size(self.values), np.nan)
        low, high = (nothing if end is None else end for end in (self.low, self.high))
        return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)

    def draw(self, axes: Axes) -> None:
        """The band or the bars, and the line."""
        name, (low, high) = self.name or "_nolegend_", self.ends
        if self.low is not None and not self.is_band:
            points(axes, self.m, self.values, low, high, label=name, **self.look)
            return
        if self.is_band:
            axes.fill_between(
                self.m, low, high, color=self.look["color"], alpha=BAND_OPACITY, linewidth=0,
                label="its interval",
            )  # fmt: skip
        axes.plot(self.m, self.values, label=name, **self.look)

    def tips(
        self, text: Callable[[float], str], place: Callable[[float], str] = format_bytes
    ) -> Iterator[Tip]:
        """One for each value, with the words for it and for its place."""
        notes = self.notes or [""] * np.size(self.values)
        columns = (self.m, self.values, *self.ends)
        rows = zip(
            *(np.asarray(column, dtype=np.float64).tolist() for column in columns), strict=True
        )
        for (m, value, low, high), note in zip(rows, notes, strict=True):
            words = f"{self.name}, {place(m)}: {text(value)}"
            if np.isfinite([low, high]).all() and low < high:
                words += f"\n{text(low)} to {text(high)}"
            elif self.is_band:
                words += "\ninterval unknown"
            if self.name and np.isfinite(value):
                yield Tip(f"{words}\n{note}" if note else words, m, value)


def lines_panel(
    title: str,
    lines: Sequence[Line],
    ends: tuple[float, float] | None = None,
    width: float = WIDTH,
    height: float = HEIGHT,
    *,
    are_ratios: bool = False,
) -> Panel:
    """A panel of times, or of ratios to what is drawn at 1; `ends` are shared by panels."""
    limits = ends or reach(lines)
    return Panel(title, partial(_draw, lines, limits, width, are_ratios), width, height)


def reach(lines: Sequence[Line]) -> tuple[float, float]:
    """Least and largest value; an interval that reaches far beyond all of these is cut."""
    low, high = _positive([line.values for line in lines])
    least, most = _positive([end for line in lines for end in (line.values, *line.ends)])
    return max(least, low / FARTHEST), min(most, high * FARTHEST)


def _positive(values: Iterable[ArrayLike]) -> tuple[float, float]:
    every = np.concatenate([np.zeros(0), *(np.asarray(part, dtype=float) for part in values)])
    every = every[np.isfinite(every) & (every > 0)]
    return (float(every.min()), float(every.max())) if every.size else (1.0, 2.0)


def _draw(
    lines: Sequence[Line], ends: tuple[float, float], width: float, are_ratios: bool, axes: Axes
) -> Iterator[Tip]:
    sizes = np.concatenate([np.asarray(line.m, dtype=np.float64) for line in lines])
    least, most = float(sizes.min()), float(sizes.max())
    if are_ratios:
        draw_ratios(lines, (least, most), ends, int(TICKS * width), axes)
    else:
        for line in lines:
            line.draw(axes)
        over_sizes(axes, (least, most), (ends[0] / 1.3, ends[1] * 1.3))
    text = times_text if are_ratios else format_seconds
    for line in lines:
        yield from line.tips(text)


def draw_ratios(
    lines: Iterable[Line], sizes: tuple[float, float], ends: tuple[float, float], most: int,
    axes: Axes,
) -> None:  # fmt: skip
    """Lines around 1, which is drawn as well; `most` sizes have a tick."""
    log_sizes(axes, *sizes, most)
    ratios(axes, min(ends[0] / 1.15, 0.9), max(ends[1] * 1.2, 1.2))
    axes.axhline(1.0, color=BOUND, lw=0.8, ls="--", zorder=1)
    for line in lines:
        line.draw(axes)


def at_count(n: float) -> str:
    return f"n = {n:g}"


def times_text(ratio: float) -> str:
    return f"{ratio:.3g} times"


def error_text(row: Mapping[Any, Any]) -> str:
    """What was predicted of a measured point, and how far off that is."""
    return f"predicted {format_seconds(row['predicted'])}, {signed_percent(row['error'])}"
