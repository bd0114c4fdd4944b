"""The Gantt chart of a picture: a bar per message whose height is its rate, so its area is bytes.

The grey band behind a bar is as high as the rate of the message alone. Dashed lines part the steps.
"""

from collections.abc import Iterator
from typing import Any

from contend.draw.axis import HEIGHT as AXIS_HEIGHT
from contend.draw.axis import TimeAxis
from contend.draw.messages import Messages, rate_text
from contend.draw.scene import (
    Box,
    Group,
    Line,
    Part,
    Polygon,
    Shape,
    Text,
    text_width,
)
from contend.units import format_bytes, format_seconds

MOST_MESSAGES = 60  # with a bar of their own
MOST_STEPS = 60  # that lines can part
LONGEST_NAME, SHORTEST_NAME = 12, 7
LEAST_WIDTH_WITH_BYTES = 450.0
LEAST_WIDTH = 60.0  # of the bars, whatever the names
TEXT, SMALL = 12.0, 10.0  # pixels, of letters
MOST_WITH_PENALTIES = 24  # messages whose penalties have room
LEAST_BAR_WITH_TEXT = 12.0
MARK = 5.5  # half a diamond
TOP = 6.0


def gantt(messages: Messages, width: float) -> Part:
    """The chart, `width` pixels wide, one line per message."""
    row = row_height(len(messages))
    labels = [_label(messages, flow, width) for flow in range(len(messages))]
    ends = [_end(messages, flow) for flow in range(len(messages))]
    left = max(text_width(label, TEXT) for label in labels) + 10
    right = max(text_width(end, TEXT) for end in ends) + MARK + 12
    axis = TimeAxis(left, max(width - left - right, LEAST_WIDTH), messages.seconds)
    bottom = TOP + row * len(messages) + 4
    rates = {flow: list(rows.itertuples()) for flow, rows in messages.rates.groupby("flow")}
    shapes: list[Shape] = [*axis.shapes(TOP, bottom), *_steps(messages, axis, bottom)]
    for flow, (label, end) in enumerate(zip(labels, ends, strict=True)):
        top = TOP + row * flow
        shapes.append(Text("text", label, (left - 8, top + row / 2 + 4), 1))
        shapes += _message(messages, flow, rates.get(flow, []), axis, top, row)
        x = axis.at(max(_last(messages, flow)))
        shapes.append(Text("end", end, (x + MARK + 4, top + row / 2 + 4)))
    return Part(width, bottom + AXIS_HEIGHT, tuple(shapes))


def row_height(count: int) -> float:
    """Pixels for each of `count` messages."""
    return 32.0 if count <= 12 else 22.0 if count <= MOST_WITH_PENALTIES else 15.0


def has_steps(messages: Messages) -> bool:
    """Whether lines part the steps, which takes that they are few."""
    return len(messages.times) <= MOST_STEPS


def _label(messages: Messages, flow: int, width: float) -> str:
    """Number and hosts; bytes where they differ and there is room."""
    if width < LEAST_WIDTH_WITH_BYTES:
        return f"{flow + 1}: {messages.ends(flow, SHORTEST_NAME)}"
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


def _last(messages: Messages, flow: int) -> list[float]:
    measured = [] if messages.measured is None else [float(messages.measured[flow])]
    return [float(messages.solution.end[flow]), *measured]


def _steps(messages: Messages, axis: TimeAxis, bottom: float) -> Iterator[Line]:
    for time in messages.times if has_steps(messages) else ():
        yield Line("step", (axis.at(time), TOP), (axis.at(time), bottom))


def _message(
    messages: Messages, flow: int, rates: list[Any], axis: TimeAxis, top: float, row: float
) -> Iterator[Shape]:
    """Waiting, the band, the bar of each rate, and the measured end."""
    height = row - 0.19 * row
    start, end = float(messages.solution.flows.start[flow]), float(messages.solution.end[flow])
    begin = float(rates[0].begin) if rates else end
    if begin > start:
        middle = top + row / 2
        yield Line("wait", (axis.at(start), middle), (axis.at(begin), middle))
    place = axis.at(begin), top + (row - height) / 2
    band = Box("track", *place, axis.at(end) - axis.at(begin), height)
    yield Group(messages.said(flow), (band,))
    for rate in rates:
        yield _bar(messages, flow, rate, axis, place[1], height)
    if len(messages) <= MOST_WITH_PENALTIES:
        for rate in rates:
            yield from _penalty(rate, axis, place[1], height)
    if messages.measured is not None:
        yield _mark(messages, flow, axis.at(float(messages.measured[flow])), top + row / 2)


def _bar(
    messages: Messages, flow: int, rate: Any, axis: TimeAxis, top: float, height: float
) -> Group:
    own = height / rate.penalty
    x = axis.at(rate.begin)
    said = (
        f"{flow + 1}: {messages.ends(flow)}, {_between(messages, rate)}: {rate_text(rate.rate)}, "
        f"penalty {rate.penalty:.4g}, {format_bytes(rate.rate * (rate.until - rate.begin))} moved"
    )
    kind = "bar" if height >= LEAST_BAR_WITH_TEXT + 1 else "thin-bar"
    place = x, top + height - own, axis.at(rate.until) - x, own
    box = Box(kind, *place, int(messages.hue[flow]))
    return Group(said, (box,))


def _between(messages: Messages, rate: Any) -> str:
    """The steps and the time of a constant rate."""
    first = int(messages.times.searchsorted(rate.begin)) + 1
    last = int(messages.times.searchsorted(rate.until))
    steps = f"step {first}" if first == last else f"steps {first} to {last}"
    return f"{steps}, {format_seconds(rate.begin)} to {format_seconds(rate.until)}"


def _penalty(rate: Any, axis: TimeAxis, top: float, height: float) -> Iterator[Text]:
    """The penalty in the bar if it is high enough, else above it."""
    text, own = f"×{rate.penalty:.3g}", height / rate.penalty
    left, right = axis.at(rate.begin), axis.at(rate.until)
    if right - left < text_width(text, SMALL) + 6:
        return
    is_inside = own >= LEAST_BAR_WITH_TEXT
    below = (own / 2 - 0.36 * SMALL) if is_inside else own + 3
    yield Text("small", text, (left + 4, top + height - min(below, height - 0.72 * SMALL)))


def _mark(messages: Messages, flow: int, x: float, y: float) -> Group:
    corners = ((x, y - MARK), (x + MARK, y), (x, y + MARK), (x - MARK, y))
    return Group(messages.said(flow), (Polygon("mark", corners),))
