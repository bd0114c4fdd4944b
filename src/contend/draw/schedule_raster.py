"""The drawing of a schedule as a figure of matplotlib, which writes PNG and PDF.

It shows what `picture` does: above when a rank sends, below when it receives, and an arrow for each
message, pale in a crowd unless rank 0 sends it.
"""

from typing import Any

import numpy as np

from contend.draw import schedule as picture
from contend.schedules.timing.timeline import Timeline
from contend.units import format_seconds

COLOURS = ("#2f7fc1", "#d1600f", "#2e9e75", "#8d5fb8", "#b8860b", "#c0446c")  # of the SVG
INK, SOFT, LINE = "#1d2430", "#596273", "#e3e7ec"
PIXELS_PER_INCH = 96.0
BAR, GAP = 0.4, 0.08  # of a row


def figure(messages: Timeline, title: str, note: str) -> Any:
    """Figure with a row for each rank, time to the right.

    Raises
    ------
    InvalidInputError
        For more messages than can be told apart.
    """
    from matplotlib.figure import Figure

    picture.require_few(messages)
    row = picture.row_height(messages)
    made = Figure(
        figsize=(10.4, (row * messages.ranks + 130) / PIXELS_PER_INCH),
        dpi=PIXELS_PER_INCH,
        layout="constrained",
    )
    axes = made.add_subplot()
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold", color=INK, pad=22)
    axes.text(0, 1.0, note, transform=axes.transAxes, fontsize=9, color=SOFT, va="bottom")
    _frame(axes, messages)
    _messages(axes, messages)
    return made


def _frame(axes: Any, messages: Timeline) -> None:
    axes.set_xlim(0, messages.seconds or 1.0)
    axes.set_ylim(messages.ranks, 0)
    times = picture.ticks(messages.seconds)
    axes.set_xticks(times, [format_seconds(time) for time in times])
    every = np.arange(messages.ranks)
    axes.set_yticks(every + 0.5, [f"rank {rank}" for rank in every])
    axes.hlines(every, 0, messages.seconds or 1.0, color=LINE, linewidth=0.8, zorder=0)
    axes.grid(axis="x", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelsize=9, labelcolor=SOFT)
    axes.set_xlabel(picture.legend(messages), loc="left", fontsize=9, color=SOFT)
    for side in axes.spines.values():
        side.set_visible(False)


def _messages(axes: Any, messages: Timeline) -> None:
    from matplotlib.collections import LineCollection

    top, below = messages.src + GAP, messages.dst + 1 - GAP - BAR
    down = messages.dst > messages.src
    starts = np.column_stack([messages.send, top + BAR / 2])
    ends = np.column_stack([messages.received, np.where(down, below, below + BAR)])
    colour = np.array(COLOURS)[picture.colours(messages)]
    pale = picture.is_pale(messages)
    bars = {"height": BAR, "align": "edge", "linewidth": 0.8, "edgecolor": "white"}
    axes.barh(below, messages.received - messages.receive, left=messages.receive, color=colour,
              alpha=0.35, **bars)  # fmt: skip
    axes.barh(top, messages.sent - messages.send, left=messages.send, color=colour, **bars)
    strength = np.where(pale, 0.32, 0.85)
    segments = np.stack([starts, ends], axis=1)
    axes.add_collection(LineCollection(list(segments), colors=colour, alpha=strength, linewidth=1))
    for is_down, marker in ((True, "v"), (False, "^")):
        chosen = down == is_down
        if chosen.any():
            look = {"c": colour[chosen], "alpha": strength[chosen], "marker": marker}
            axes.scatter(*ends[chosen].T, s=14, **look)
