"""Gantt chart of messages: a bar each whose height is its rate, so that its area is bytes.

The grey band behind a bar is as high as the rate of the message alone. Lines part the steps.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from contend.base.document import Floats
from contend.base.units import format_bytes, format_seconds
from contend.report.canvas.axes import over_time
from contend.report.canvas.drawing import Axes, Panel, Tip
from contend.report.canvas.palette import INK, PAPER, SERIES, SHADE, SMALL, SOFT, TICK, series
from contend.simulate.flows.messages import Messages, rate_text

MOST_MESSAGES = 60  # with a bar of their own
MOST_STEPS = 60  # that lines can part
MOST_WITH_PENALTIES = 24  # messages whose penalties have room
LONGEST_NAME = 12
BAND = 0.82  # of a row
LETTER = 0.58  # of the size of a text


def gantt(messages: Messages, width: float) -> Panel:
    """A panel with one line per message, `width` inches wide."""
    height = row_height(len(messages)) * len(messages) / 72 + 0.45
    return Panel("Rates over time", partial(_draw, messages, width), width, height)


def row_height(count: int) -> float:
    return 18.0 if count <= 12 else 13.0 if count <= MOST_WITH_PENALTIES else 9.0


def colours(messages: Messages) -> list[str]:
    """Return each message's colour, one per source where there are colours enough."""
    number = messages.source * (messages.source.max() < len(SERIES))
    return [series(source) for source in number]


def _draw(messages: Messages, width: float, axes: Axes) -> Iterator[Tip]:
    from matplotlib.colors import to_rgba

    count, flows, rates = len(messages), messages.solution.flows, messages.rates
    row, end = -np.arange(count), messages.solution.end
    moves = rates.groupby("flow")["begin"].min().reindex(range(count)).to_numpy()
    begin = np.where(np.isnan(moves), end, moves)
    colour = np.array([to_rgba(name) for name in colours(messages)])[rates["flow"]]
    bottom, height = row[rates["flow"]] - BAND / 2, BAND / rates["penalty"].to_numpy()
    axes.barh(row, end - begin, BAND, begin, color=SHADE, label="rate alone")
    axes.bar(
        rates["begin"], height, rates["until"] - rates["begin"], bottom, align="edge",
        color=colour * [1, 1, 1, 0.45], edgecolor=colour, lw=0.6, label="rate of the message",
    )  # fmt: skip
    if (waits := begin > flows.start).any():
        axes.hlines(row[waits], flows.start[waits], begin[waits], color=SOFT, label="latency")
    if len(messages.times) <= MOST_STEPS:
        axes.vlines(
            messages.times, 0.5 - count, 0.5, color=SOFT, lw=0.6, ls=":", label="start or end"
        )
    if messages.measured is not None:
        marks = {"ms": 5, "mfc": INK, "mec": PAPER, "mew": 0.6, "label": "measured end"}
        axes.plot(messages.measured, row, "D", clip_on=False, zorder=3, **marks)
    axes.set_yticks(row, [_label(messages, flow) for flow in range(count)])
    axes.set_ylim(0.4 - count, 0.6)
    _write_ends(messages, axes)
    room = _room(messages, width)
    if count <= MOST_WITH_PENALTIES:
        _write_penalties(messages, room, axes)
    over_time(axes, messages.seconds, room)
    return _tips(messages, begin, bottom, bottom + height)


def _tips(messages: Messages, begin: Floats, low: Floats, high: Floats) -> Iterator[Tip]:
    for flow, end in enumerate(messages.solution.end):
        yield Tip(messages.summary(flow), begin[flow], -flow - BAND / 2, end, -flow + BAND / 2)
    for number, rate in enumerate(messages.rates.itertuples()):
        yield Tip(_text_of(messages, rate), rate.begin, low[number], rate.until, high[number])


def _room(messages: Messages, width: float) -> float:
    """About how many inches the bars have beside the texts."""
    flows = range(len(messages))
    letters = max(len(_label(messages, f)) for f in flows) + max(
        len(_end(messages, f)) for f in flows
    )
    return max(width - LETTER * TICK * letters / 72, 0.8)


def _label(messages: Messages, flow: int) -> str:
    """Number and hosts; bytes where they differ."""
    sizes = messages.solution.flows.bytes
    size = f", {format_bytes(float(sizes[flow]))}" if sizes.min() != sizes.max() else ""
    return f"{flow + 1}: {messages.ends(flow, LONGEST_NAME)}{size}"


def _end(messages: Messages, flow: int) -> str:
    predicted = float(messages.solution.end[flow])
    text = format_seconds(predicted)
    if messages.measured is None or not messages.measured[flow]:
        return text
    error = 100 * (predicted / float(messages.measured[flow]) - 1)
    return f"{text}, {error:+.1f} %".replace("-", "−")


def _write_ends(messages: Messages, axes: Axes) -> None:
    """When each message ends, right of what is drawn of it."""
    last = messages.solution.end
    if messages.measured is not None:
        last = np.maximum(last, messages.measured)
    for flow, x in enumerate(last):
        axes.annotate(
            _end(messages, flow), (x, -flow), (5, 0), textcoords="offset points",
            va="center_baseline", bbox={"fc": PAPER, "ec": "none", "pad": 0.5},
        )  # fmt: skip


def _write_penalties(messages: Messages, room: float, axes: Axes) -> None:
    """The penalty in each bar that is wide enough: within it, or above it if it is low."""
    points = row_height(len(messages))
    for rate in messages.rates.itertuples():
        text, height = f"×{rate.penalty:.3g}", BAND / rate.penalty
        if (
            72 * room * (rate.until - rate.begin) / messages.seconds
            < LETTER * SMALL * len(text) + 4
        ):
            continue
        is_inside = height * points >= SMALL
        above = min(height, BAND - SMALL / points)
        axes.annotate(
            text, (rate.begin, -rate.flow - BAND / 2 + (height / 2 if is_inside else above)),
            (2, 0), textcoords="offset points", fontsize=SMALL,
            va="center_baseline" if is_inside else "bottom",
        )  # fmt: skip


def _text_of(messages: Messages, rate: Any) -> str:
    """The message, the steps and the time of a constant rate, and what it moves."""
    first = int(messages.times.searchsorted(rate.begin)) + 1
    last = int(messages.times.searchsorted(rate.until))
    steps = f"step {first}" if first == last else f"steps {first} to {last}"
    return (
        f"{rate.flow + 1}: {messages.ends(rate.flow)}, {steps}, {format_seconds(rate.begin)} to "
        f"{format_seconds(rate.until)}: {rate_text(rate.rate)}, penalty {rate.penalty:.4g}, "
        f"{format_bytes(rate.rate * (rate.until - rate.begin))} moved"
    )
