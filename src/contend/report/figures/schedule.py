"""Figure: who sends what when in a schedule: ranks below each other, time to the right.

A rank has two bars: above when it sends, below when it receives. An arrow goes from the start of a
send, when the first byte leaves, to the end of its reception.
"""

from functools import partial

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds
from contend.report.canvas.axes import over_time
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.palette import GRID, PAPER, SERIES, SMALL
from contend.schedules.ragged_rows import Ints, ints
from contend.schedules.timing.timeline import Timeline

WIDTH, MARGINS = 8.0, 0.8  # inches, of all and of what stands beside the bars
ROW, LEAST_ROW, FEW_ROWS = 0.29, 0.15, 24  # inches of a rank
MOST = 300.0  # inches of all ranks; beyond, pixels are more than matplotlib can draw
BAR, GAP = 0.4, 0.08  # shares of a row
LETTER = 0.055  # inches
MOST_MESSAGES = 4000  # that still can be distinguished, and that a browser draws at once
CROWDED = 10  # rows that all arrows together pass, per rank, from which most are drawn pale
COLOURS = 6
HEAD = 7.0  # lengths of a head, in widths of its arrow


def schedule_drawing(messages: Timeline, title: str, note: str) -> Drawing:
    """A row for each rank.

    Raises InvalidInputError for more messages than can be distinguished.
    """
    if messages.src.size > MOST_MESSAGES:
        raise InvalidInputError(
            f"{messages.src.size} messages cannot be distinguished in a picture",
            f"draw at most {MOST_MESSAGES}: fewer ranks, or larger segments",
        )
    row = ROW if messages.ranks <= FEW_ROWS else min(LEAST_ROW, MOST / messages.ranks)
    panel = Panel(title, partial(_draw, messages, row), WIDTH, row * messages.ranks + 0.4)
    return Drawing(title, [panel], f"{note}. {_legend(messages)}.")


def _legend(messages: Timeline) -> str:
    text = "Dark bars: sending; light bars: receiving; arrows: first byte leaves to last byte there"
    if _is_crowded(messages):
        return f"{text}; orange: what rank 0 sends"
    return f"{text}; colours: segments" if messages.segment.max(initial=0) > 0 else text


def _is_crowded(messages: Timeline) -> bool:
    passed = int(np.abs(messages.src - messages.dst).sum())
    return passed > CROWDED * messages.ranks


def _colours(messages: Timeline) -> Ints:
    """Number of the colour of each message: that of its segment, or in a crowd of rank 0."""
    if _is_crowded(messages):
        return ints(messages.src == 0)
    return ints(np.maximum(messages.segment, 0) % COLOURS)


def _draw(messages: Timeline, row: float, axes: Axes) -> list[Tip]:
    seconds = messages.seconds or 1.0
    top, below = messages.src + GAP, messages.dst + 1 - GAP - BAR
    colour = np.array(SERIES)[_colours(messages)]
    look = {"height": BAR, "align": "edge", "linewidth": 0.6, "edgecolor": PAPER}
    receiving = messages.received - messages.receive
    axes.barh(below, receiving, left=messages.receive, color=colour, alpha=0.35, **look)
    axes.barh(top, messages.sent - messages.send, left=messages.send, color=colour, **look)
    ends = np.where(messages.dst > messages.src, below, below + BAR)
    _arrows(axes, messages, colour, top + BAR / 2, ends)
    _labels(axes, messages, row, top + BAR / 2)
    every = np.arange(messages.ranks)
    axes.set_ylim(messages.ranks, 0)
    axes.set_yticks(every + 0.5, [f"rank {rank}" for rank in every])
    axes.hlines(every, 0, seconds, color=GRID, linewidth=0.6, zorder=0)
    over_time(axes, seconds, WIDTH - MARGINS)
    axes.spines["bottom"].set_visible(False)
    return [tip for at in range(messages.src.size) for tip in _tips(messages, at)]


def _arrows(
    axes: Axes, messages: Timeline, colour: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> None:
    """In a crowd all are pale but those of rank 0, which are drawn last."""
    from matplotlib.colors import to_rgba_array

    pale = (messages.src != 0) & _is_crowded(messages)
    order = np.argsort(~pale, kind="stable")
    along, down = messages.received - messages.send, ends - starts
    axes.quiver(
        messages.send[order], starts[order], along[order], down[order],
        color=to_rgba_array(colour, np.where(pale, 0.32, 0.85))[order],
        angles="xy", scale_units="xy", scale=1, units="inches", width=0.011,
        headwidth=HEAD * 0.8, headlength=HEAD, headaxislength=HEAD, zorder=3,
    )  # fmt: skip


def _labels(axes: Axes, messages: Timeline, row: float, middles: np.ndarray) -> None:
    if row < ROW:
        return
    inches = (messages.sent - messages.send) * (WIDTH - MARGINS) / (messages.seconds or 1.0)
    for at, room in enumerate(inches):
        text = f"to {messages.dst[at]}"
        text = text if room > LETTER * len(text) else str(messages.dst[at])
        if room > LETTER * len(text):
            middle = (messages.send[at] + messages.sent[at]) / 2
            axes.text(
                middle, middles[at], text, ha="center", va="center_baseline", fontsize=SMALL,
                color="black", zorder=4,
            )  # fmt: skip


def _tips(messages: Timeline, at: int) -> tuple[Tip, Tip]:
    src, dst = int(messages.src[at]), int(messages.dst[at])
    times = (messages.send, messages.sent, messages.receive, messages.received)
    send, sent, receive, received = (float(time_[at]) for time_ in times)
    text = (
        f"{src} to {dst}: {format_bytes(int(messages.bytes[at]))}, sent from "
        f"{format_seconds(send)} to {format_seconds(sent)}, there at {format_seconds(received)}"
    )
    top, below = src + GAP, dst + 1 - GAP - BAR
    return Tip(text, send, top, sent, top + BAR), Tip(text, receive, below, received, below + BAR)
