"""Figure: what each rank did when: ranks as rows, time to the right, an arrow for each message."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from contend.canvas.axes import over_time
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.style import INK, PAPER, SMALL
from contend.number_text import count
from contend.timelines.binning import binned
from contend.timelines.kinds import Activity
from contend.timelines.page_data import shares
from contend.timelines.timeline import Timeline
from contend.units import format_seconds

WIDTH, MARGINS = 8.0, 0.8  # inches, of all and of what stands beside the rows
ROW, LEAST_ROW, MOST_HEIGHT = 0.24, 0.05, 9.0  # inches
BAR, LOW = 0.84, 0.5  # of a row; of a bar, the height of waiting, to tell it from calls in grey too
MOST_INTERVALS = 3000  # with a shape of their own
MOST_MESSAGES = 400  # arrows that can be told apart
COLUMNS = 1000  # of a picture of bins
LABELS = 32  # names of ranks that have room


def timeline_drawing(timeline: Timeline, title: str) -> Drawing:
    """A row for each rank, or for several where they are many."""
    rows = min(timeline.ranks, 512)
    height = float(np.clip(rows * ROW, 0.8, max(3.0, min(rows * LEAST_ROW, MOST_HEIGHT))))
    panel = Panel(title, partial(_draw, timeline), WIDTH, height + 0.4)
    return Drawing(title, [panel], " ".join(_remarks(timeline)))


def _remarks(timeline: Timeline) -> Iterator[str]:
    found = shares(timeline)
    said = (
        f"{100 * found[kind]:.1f} % {kind.title}"
        for kind in (Activity.COMPUTATION, Activity.WAITING)
    )
    yield f"Of the time of all ranks {', '.join(said)}."
    there = timeline.messages.count
    if there > MOST_MESSAGES:
        yield (
            f"{MOST_MESSAGES} of {count(there)} messages are drawn, those that are under way "
            "longest."
        )
    if not _is_single(timeline):
        yield (
            f"{count(timeline.rank.size)} intervals: each of {COLUMNS} columns has the colour of "
            "what takes most of it."
        )


def _is_single(timeline: Timeline) -> bool:
    return timeline.rank.size <= MOST_INTERVALS


def _draw(timeline: Timeline, axes: Axes) -> list[Tip]:
    seconds = timeline.seconds or 1.0
    (_shapes if _is_single(timeline) else _columns)(timeline, axes)
    _arrows(timeline, axes)
    axes.set_ylim(timeline.ranks - 0.5, -0.5)
    every = max(1, -(-timeline.ranks // LABELS))
    ticks = np.arange(0, timeline.ranks, every)
    axes.set_yticks(ticks, [f"rank {rank}" for rank in ticks], fontsize=SMALL)
    over_time(axes, seconds, WIDTH - MARGINS)
    return list(_tips(timeline)) if _is_single(timeline) else []


def _shapes(timeline: Timeline, axes: Axes) -> None:
    """A box for each interval, hatched so that grey tells its activity too."""
    turn = timeline.begin + timeline.waiting
    for kind in Activity:
        own = timeline.activity == kind
        begin, end, rank = turn[own], timeline.end[own], timeline.rank[own]
        if kind is Activity.WAITING:
            own = timeline.waiting > 0
            begin, end = timeline.begin[own], turn[own]
            rank = timeline.rank[own] + BAR * (1 - LOW) / 2
        if not own.any():
            continue
        height = BAR * LOW if kind is Activity.WAITING else BAR
        axes.barh(
            rank, end - begin, height, begin, color=kind.colour, hatch=kind.hatch,
            edgecolor=PAPER, linewidth=0, label=kind.title,
        )  # fmt: skip


def _columns(timeline: Timeline, axes: Axes) -> None:
    """An image: the colour of what takes most of each column of a row."""
    from matplotlib.colors import to_rgba

    share = binned(timeline, most_bins=COLUMNS).share
    most = share[:, :, 1:].argmax(axis=2) + 1
    most[share[:, :, 1:].max(axis=2) == 0] = Activity.NOTHING
    colours = np.array([to_rgba(kind.colour) for kind in Activity])
    axes.imshow(
        colours[most], aspect="auto", interpolation="nearest",
        extent=(0, timeline.seconds, timeline.ranks - 0.5, -0.5),
    )  # fmt: skip
    for kind in Activity:
        if kind is not Activity.NOTHING and share[:, :, kind].any():
            axes.bar([0], [0], color=kind.colour, label=kind.title)


def _arrows(timeline: Timeline, axes: Axes) -> None:
    shown = timeline.messages.longest(MOST_MESSAGES)
    if not shown.begin.size:
        return
    axes.quiver(
        shown.begin, shown.src, shown.end - shown.begin, shown.dst - shown.src,
        color=INK, alpha=0.6 if shown.begin.size <= 100 else 0.3,
        angles="xy", scale_units="xy", scale=1, units="inches", width=0.009,
        headwidth=6, headlength=7, headaxislength=7, zorder=3,
    )  # fmt: skip


def _tips(timeline: Timeline) -> Iterator[Tip]:
    columns = (timeline.rank, timeline.begin, timeline.end, timeline.activity, timeline.call)
    for rank, begin, end, activity, call in zip(*(one.tolist() for one in columns), strict=True):
        name = timeline.calls[call] if call >= 0 else Activity(activity).title
        text = f"rank {rank}, {name}: {format_seconds(end - begin)} from {format_seconds(begin)} on"
        yield Tip(text, begin, rank - BAR / 2, end, rank + BAR / 2)
