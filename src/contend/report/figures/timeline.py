"""Figure: what each rank did when: ranks as rows, time to the right, an arrow for each message.

Above the rows is how many messages are under way.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from contend.base.number_text import count, percent
from contend.base.units import format_bytes, format_seconds
from contend.report.canvas.axes import over_time
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.palette import INK, LOAD, PAPER, SMALL
from contend.report.timelines.kinds import Activity
from contend.report.timelines.timeline import MOST_ROWS, Timeline, binned, shares

WIDTH, MARGINS = 8.0, 0.8  # inches, of all and of what stands beside the rows
ROW, LEAST_ROW, MOST_HEIGHT, FLIGHT = 0.24, 0.05, 9.0, 0.35  # inches
BAR, LOW = 0.84, 0.5  # of a row; of a bar, the height of waiting, to tell it from calls in grey too
MOST_INTERVALS = 3000  # with a shape of their own
MOST_MESSAGES = 400  # arrows that can be distinguished
COLUMNS = 1000  # of a picture of bins
LABELS = 32  # names of ranks that have room


def timeline_drawing(timeline: Timeline, title: str, lead: str = "") -> Drawing:
    """A row for each rank, or for several where they are many; `lead` is the first sentence."""
    rows = min(timeline.ranks, MOST_ROWS)
    height = float(np.clip(rows * ROW, 0.8, max(3.0, min(rows * LEAST_ROW, MOST_HEIGHT))))
    panel = Panel(title, partial(_draw, timeline, height), WIDTH, height + FLIGHT + 0.6)
    return Drawing(title, [panel], " ".join(filter(None, [lead, *_remarks(timeline)])))


def _remarks(timeline: Timeline) -> Iterator[str]:
    total = timeline.messages.count
    shown = min(timeline.messages.begin.size, MOST_MESSAGES)
    if total > shown:
        yield (
            f"{count(shown)} of {count(total)} messages are drawn as arrows, those that are under "
            "way longest; the curve above the ranks counts them all."
        )
    elif total:
        yield f"All {count(total)} messages are drawn as arrows."
    if not _is_single(timeline):
        yield (
            f"{count(timeline.rank.size)} intervals are too many to draw: each of {COLUMNS} "
            "columns has the colour of what takes most of it."
        )
        if timeline.ranks > MOST_ROWS:
            yield f"Each row is {-(-timeline.ranks // MOST_ROWS)} ranks."


def _is_single(timeline: Timeline) -> bool:
    return timeline.rank.size <= MOST_INTERVALS and timeline.ranks <= MOST_ROWS


def _draw(timeline: Timeline, height: float, axes: Axes) -> Iterator[Tip]:
    share_of = shares(timeline)
    names = {
        kind: f"{kind.title}, {percent(share)}" for kind, share in share_of.items() if share > 0
    }
    (_shapes if _is_single(timeline) else _columns)(timeline, names, axes)
    _arrows(timeline, axes)
    every = max(1, -(-timeline.ranks // LABELS))
    ticks = np.arange(0, timeline.ranks, every)
    axes.set_yticks(ticks, [f"rank {rank}" for rank in ticks], fontsize=SMALL)
    top = _flight(timeline, FLIGHT * timeline.ranks / height, axes)
    axes.set_ylim(timeline.ranks - 0.5, top)
    over_time(axes, timeline.seconds or 1.0, WIDTH - MARGINS)
    if _is_single(timeline):
        yield from _tips(timeline)


def _flight(timeline: Timeline, height: float, axes: Axes) -> float:
    """Messages under way, a curve of that height in rows; where its name ends."""
    base, greatest = -0.5 - height / 4, float(timeline.flight.max(initial=0.0)) or 1.0
    edges = np.linspace(0.0, timeline.seconds or 1.0, timeline.flight.size + 1)
    axes.stairs(
        base - timeline.flight / greatest * height, edges, baseline=base, fill=True,
        fc=LOAD[1], ec=LOAD[2],
    )  # fmt: skip
    words = f"messages under way, at most {greatest:.3g}"
    axes.text(0, base - height, words, fontsize=SMALL, va="bottom")
    return base - 1.6 * height


def _shapes(timeline: Timeline, names: dict[Activity, str], axes: Axes) -> None:
    """A box for each interval, hatched so that grey tells its activity too."""
    turn = timeline.begin + timeline.waiting
    for kind in Activity:
        is_kind = timeline.activity == kind
        begin, end, rank = turn[is_kind], timeline.end[is_kind], timeline.rank[is_kind]
        if kind is Activity.WAITING:
            is_kind = timeline.waiting > 0
            begin, end = timeline.begin[is_kind], turn[is_kind]
            rank = timeline.rank[is_kind] + BAR * (1 - LOW) / 2
        if not is_kind.any():
            continue
        height = BAR * LOW if kind is Activity.WAITING else BAR
        axes.barh(
            rank, end - begin, height, begin, color=kind.colour, hatch=kind.hatch,
            edgecolor=PAPER, linewidth=0, label=names.get(kind, kind.title),
        )  # fmt: skip


def _columns(timeline: Timeline, names: dict[Activity, str], axes: Axes) -> None:
    """An image: the colour of what takes most of each column of a row."""
    from matplotlib.colors import to_rgba

    share = binned(timeline, COLUMNS)
    most = share[:, :, 1:].argmax(axis=2) + 1
    most[share[:, :, 1:].max(axis=2) == 0] = Activity.NOTHING
    colours = np.array([to_rgba(kind.colour) for kind in Activity])
    axes.imshow(
        colours[most], aspect="auto", interpolation="nearest",
        extent=(0, timeline.seconds, timeline.ranks - 0.5, -0.5),
    )  # fmt: skip
    for kind, name in names.items():
        if kind is not Activity.NOTHING:
            axes.bar([0], [0], color=kind.colour, label=name)


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
    columns = (timeline.rank, timeline.begin, timeline.end, timeline.activity, timeline.call,
               timeline.bytes, timeline.waiting, timeline.awaited)  # fmt: skip
    for rank, begin, end, activity, call, size, waiting, awaited in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        name = timeline.calls[call] if call >= 0 else Activity(activity).title
        text = f"rank {rank}, {name}: {format_seconds(end - begin)} from {format_seconds(begin)} on"
        text += f", {format_bytes(size)}" if size > 0 else ""
        text += f"\nwaits {format_seconds(waiting)} for rank {awaited}" if waiting > 0 else ""
        yield Tip(text, begin, rank - BAR / 2, end, rank + BAR / 2)
