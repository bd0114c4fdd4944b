"""The compact form of a picture, for many messages: how many are under way, how busy each host is.

Rows are hosts, shades the share of a link's rate that is used; cells of one shade that meet are
drawn as one, which says their mean rate.
"""

from collections.abc import Iterator
from itertools import groupby, pairwise
from math import ceil

from contend.document import Floats
from contend.draw.axis import HEIGHT as AXIS_HEIGHT
from contend.draw.axis import TimeAxis
from contend.draw.load import Load, load
from contend.draw.messages import Messages, rate_text
from contend.draw.scene import (
    Box,
    Group,
    Part,
    Polygon,
    Shape,
    Text,
    shortened,
    text_width,
)
from contend.draw.style import FULL_FROM, LEVELS, level
from contend.units import format_seconds

PIXELS_PER_INTERVAL = 6.0
MOST_ROWS = 64
AREA_HEIGHT, HEADING, GAP = 84.0, 22.0, 14.0
RIGHT = 30.0
LONGEST_NAME = 18
TEXT = 12.0
LEAST_LINE_OF_TEXT = 12.0


def heat(messages: Messages, width: float) -> Part:
    """Messages under way, what hosts send, what they receive, above one axis of time."""
    found = load(messages, max(8, int(width / PIXELS_PER_INTERVAL)), MOST_ROWS)
    names = [_row_name(messages, hosts) for hosts in found.hosts]
    said = [
        " – ".join(messages.solution.flows.name(host) for host in dict.fromkeys((row[0], row[-1])))
        for row in found.hosts
    ]
    left = max(text_width(name, TEXT) for name in [*names, "00000"]) + 12
    axis = TimeAxis(left, width - left - RIGHT, messages.seconds)
    shapes = list(_under_way(found, axis))
    y = HEADING + AREA_HEIGHT + GAP
    for title, rates in (("Sending", found.sent), ("Receiving", found.received)):
        shapes.append(Text("name", title, (left, y + HEADING - 7)))
        shapes += _rows(rates, found, names, said, axis, y + HEADING)
        y += HEADING + _row(len(names)) * len(names) + GAP
    bottom = y - GAP + 2
    return Part(width, bottom + AXIS_HEIGHT, (*axis.shapes(HEADING, bottom), *shapes))


def _row(rows: int) -> float:
    return 14.0 if rows <= 32 else 9.0


def _row_name(messages: Messages, hosts: list[int]) -> str:
    if len(hosts) == 1:
        return shortened(messages.short_name(hosts[0]), LONGEST_NAME)
    ends = (messages.short_name(host) for host in (hosts[0], hosts[-1]))
    return " – ".join(shortened(name, LONGEST_NAME // 2) for name in ends)


def _under_way(found: Load, axis: TimeAxis) -> Iterator[Shape]:
    """Number of messages over time, as an area with its greatest value beside it."""
    greatest = float(found.under_way.max(initial=0.0)) or 1.0
    bottom = HEADING + AREA_HEIGHT
    yield Text("name", "Messages under way", (axis.left, HEADING - 7))
    for value, y in ((greatest, HEADING), (0.0, bottom)):
        yield Text("note", f"{value:.0f}", (axis.left - 8, y + (4 if value else 0)), 1)
    outline = [(axis.left, bottom)]
    for value, (begin, until) in zip(found.under_way, pairwise(found.edges), strict=True):
        y = bottom - AREA_HEIGHT * value / greatest
        outline += [(axis.at(begin), y), (axis.at(until), y)]
    outline.append((axis.at(found.edges[-1]), bottom))
    yield Polygon("area", tuple(outline), 0)
    for value, (begin, until) in zip(found.under_way, pairwise(found.edges), strict=True):
        said = f"{_times(begin, until)}: {value:.4g} messages under way on average"
        x = axis.at(begin)
        yield Group(said, (Box("catch", x, HEADING, axis.at(until) - x, AREA_HEIGHT),))


def _rows(
    rates: Floats, found: Load, names: list[str], said: list[str], axis: TimeAxis, top: float
) -> Iterator[Shape]:
    """A line of cells per row, and names where there is room; `said` are the full names."""
    height = _row(len(names))
    every = max(1, ceil(LEAST_LINE_OF_TEXT / height))
    for number, (name, full, line) in enumerate(zip(names, said, rates, strict=True)):
        y = top + number * height
        if number % every == 0:
            yield Text("note", name, (axis.left - 8, y + height / 2 + 4), 1)
        yield Box("track", axis.left, y, axis.width, height - 1)
        yield from _cells(line, found, full, axis, y, height - 1)


def _cells(
    line: Floats, found: Load, name: str, axis: TimeAxis, y: float, height: float
) -> Iterator[Group]:
    levels = [level(rate / found.reference) for rate in line]
    for shade, run in groupby(range(len(line)), key=levels.__getitem__):
        numbers = list(run)
        if not shade:
            continue
        begin, until = found.edges[numbers[0]], found.edges[numbers[-1] + 1]
        rate = float(line[numbers].mean())
        said = (
            f"{name}, {_times(begin, until)}: {rate_text(rate)}, "
            f"{100 * rate / found.reference:.0f} % of its link"
        )
        x = axis.at(begin)
        box = Box(f"level-{shade}", x, y, axis.at(until) - x, height, 0)
        yield Group(said, (box,))


def _times(begin: float, until: float) -> str:
    return f"{format_seconds(begin)} to {format_seconds(until)}"


def legend() -> Part:
    """The shades, and what they mean."""
    text, width, top = "Share of a link: 0", 22.0, 16.0
    x = text_width(text, TEXT) + 6
    shapes: list[Shape] = [Text("note", text, (0.0, top))]
    for shade in range(1, LEVELS + 1):
        shapes.append(Box("track", x, 5.0, width, 13.0))
        shapes.append(Box(f"level-{shade}", x, 5.0, width, 13.0, 0))
        x += width
    shapes.append(Text("note", f"≥ {100 * FULL_FROM:.0f} %", (x + 6, top)))
    return Part(x, 22.0, tuple(shapes))
