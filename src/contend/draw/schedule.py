"""Drawing of a schedule: ranks below each other, time to the right, who sends what when.

A rank has two bars: above when it sends, below when it receives. An arrow goes from the start of a
send, when the first byte leaves, to the end of its reception. Sizes are in pixels.
"""

from collections.abc import Iterator
from html import escape
from math import ceil, floor, log10

import numpy as np

from contend.errors import InvalidInputError
from contend.schedules.ragged import Ints, ints
from contend.schedules.timing.timeline import Timeline
from contend.units import format_bytes, format_seconds

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 900.0, 64.0, 36.0, 62.0, 56.0  # of the bars; margins around
ROW_HEIGHT, LEAST_ROW_HEIGHT, FEW_ROWS = 28.0, 14.0, 24
TICKS = 8
MOST_MESSAGES = 4000  # that still can be told apart, and that a browser draws at once
CROWDED = 10  # rows that all arrows together pass, per rank, from which most are drawn pale
COLOURS = 6  # classes c0 to c5 of the style

STYLE = """
.schedule-picture { --ink: #1d2430; --soft: #596273; --line: #e3e7ec; --paper: #ffffff;
  --c0: #2f7fc1; --c1: #d1600f; --c2: #2e9e75; --c3: #8d5fb8; --c4: #b8860b; --c5: #c0446c;
  font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media screen and (prefers-color-scheme: dark) { .schedule-picture { --ink: #e3e7ed;
  --soft: #9ba5b4; --line: #2c333d; --paper: #15191f; } }
.schedule-picture .paper { fill: var(--paper); }
.schedule-picture .line { stroke: var(--line); }
.schedule-picture text { fill: var(--soft); }
.schedule-picture .name { fill: var(--ink); font-weight: 650; font-size: 15px; }
.schedule-picture .end { text-anchor: end; }
.schedule-picture .middle { text-anchor: middle; }
.schedule-picture .on { fill: #ffffff; font-size: 10px; text-anchor: middle; pointer-events: none; }
.schedule-picture .bar { fill: var(--own); stroke: var(--paper); stroke-width: 0.8; }
.schedule-picture .taken { fill: var(--own); fill-opacity: 0.35; stroke: var(--paper); }
.schedule-picture .arrow { stroke: var(--own); stroke-width: 1.2; stroke-opacity: 0.85; }
.schedule-picture .head { fill: var(--own); }
.schedule-picture .pale .arrow { stroke-opacity: 0.32; }
.schedule-picture .pale .head { fill-opacity: 0.45; }
.schedule-picture g:hover .arrow { stroke: var(--ink); stroke-opacity: 1; stroke-width: 2; }
"""


def picture(messages: Timeline, title: str, note: str) -> str:
    """The drawing as SVG, in light or dark as the reader has it."""
    require_few(messages)
    row = row_height(messages)
    height, width = TOP + row * messages.ranks + BOTTOM, LEFT + WIDTH + RIGHT
    colours = "".join(
        f".schedule-picture .c{i} {{ --own: var(--c{i}); }}\n" for i in range(COLOURS)
    )
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" class="schedule-picture" role="img" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            'style="max-width:100%;min-width:600px;height:auto">',
            f"<title>{escape(title)}</title><style>{STYLE}{colours}</style>",
            f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
            _text(title, LEFT, 22, "name"),
            _text(note, LEFT, 42, "note"),
            *_axes(messages, row),
            *_messages(messages, row),
            "</svg>",
        ]
    )


def require_few(messages: Timeline) -> None:
    """Raise an error for more messages than can be told apart."""
    if messages.src.size > MOST_MESSAGES:
        raise InvalidInputError(
            f"{messages.src.size} messages cannot be told apart in a picture",
            f"draw at most {MOST_MESSAGES}: fewer ranks, or larger segments",
        )


def row_height(messages: Timeline) -> float:
    """Pixels of a rank."""
    return ROW_HEIGHT if messages.ranks <= FEW_ROWS else LEAST_ROW_HEIGHT


def page(drawing: str, title: str) -> str:
    """A page of HTML that holds a drawing; messages light up under the pointer."""
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<body style="margin:0">\n{drawing}\n</body></html>\n'
    )


def _axes(messages: Timeline, row: float) -> Iterator[str]:
    bottom = TOP + row * messages.ranks
    for rank in range(messages.ranks):
        y = TOP + row * rank
        yield _line(LEFT, y, LEFT + WIDTH, y)
        yield _text(f"rank {rank}", LEFT - 8, y + row / 2 + 4, "end")
    yield _line(LEFT, bottom, LEFT + WIDTH, bottom)
    for time in ticks(messages.seconds):
        x = LEFT + WIDTH * time / (messages.seconds or 1.0)
        yield _line(x, TOP, x, bottom + 5)
        yield _text(format_seconds(time), x, bottom + 20, "middle")
    yield _text(legend(messages), LEFT, bottom + 44, "note")


def legend(messages: Timeline) -> str:
    """What bars, arrows and colours mean."""
    text = "dark bars: sending; light bars: receiving; arrows: first byte leaves to last byte there"
    if _is_crowded(messages):
        return f"{text}; orange: what rank 0 sends"
    return f"{text}; colours: segments" if messages.segment.max(initial=0) > 0 else text


def ticks(end: float, most: int = TICKS) -> list[float]:
    """Round times from 0 to the end, at most about `most`."""
    if end <= 0:
        return [0.0]
    power = 10.0 ** floor(log10(end / most))
    step = next(s for s in (1, 2, 5, 10) if end / (s * power) <= most) * power
    return [step * i for i in range(ceil(end / step) + 1) if step * i <= end * (1 + 1e-9)]


def _messages(messages: Timeline, row: float) -> Iterator[str]:
    """Pale ones first, so that the others are seen."""
    pale, colour = is_pale(messages), colours(messages)
    order = np.argsort(~pale, kind="stable")
    for index in order:
        kind = f"c{colour[index]}" + (" pale" if pale[index] else "")
        yield f'<g class="{kind}">{_message(messages, int(index), row)}</g>'


def _is_crowded(messages: Timeline) -> bool:
    passed = int(np.abs(messages.src - messages.dst).sum())
    return passed > CROWDED * messages.ranks


def is_pale(messages: Timeline) -> np.ndarray:
    """In a crowd, all messages but those of rank 0."""
    return np.asarray((messages.src != 0) & _is_crowded(messages))


def colours(messages: Timeline) -> Ints:
    """Number of the colour of each message: that of its segment, or in a crowd of rank 0."""
    if _is_crowded(messages):
        return ints(messages.src == 0)
    return ints(np.maximum(messages.segment, 0) % COLOURS)


def _message(messages: Timeline, index: int, row: float) -> str:
    src, dst = int(messages.src[index]), int(messages.dst[index])
    times = (messages.send, messages.sent, messages.receive, messages.received)
    send, sent, receive, received = (float(one[index]) for one in times)
    per_second = WIDTH / (messages.seconds or 1.0)
    left, right, begin, end = (LEFT + per_second * time for time in (send, sent, receive, received))
    bar, gap = row * 0.4, row * 0.08
    top, below = TOP + row * src + gap, TOP + row * dst + row - gap - bar
    words = (
        f"{src} to {dst}: {format_bytes(int(messages.bytes[index]))}, sent from "
        f"{format_seconds(send)} to {format_seconds(sent)}, there at {format_seconds(received)}"
    )
    start = (left, top + bar / 2)
    target = (end, below if dst > src else below + bar)
    label = _label(messages, index, right - left, bar)
    parts = [
        f"<title>{escape(words)}</title>",
        _bar("taken", begin, below, end - begin, bar),
        _bar("bar", left, top, right - left, bar),
        *_arrow(start, target),
        *([_text(label, (left + right) / 2, top + bar / 2 + 4, "on")] if label else []),
    ]
    return "".join(parts)


def _label(messages: Timeline, index: int, width: float, height: float) -> str:
    """Receiver of a message, if the bar has room for it."""
    text = f"to {messages.dst[index]}"
    if width < 6.0 * len(text):
        text = str(messages.dst[index])
    return text if width >= 6.5 * len(text) and height >= 9 else ""


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> Iterator[str]:
    (x1, y1), (x2, y2) = start, end
    length = max(float(np.hypot(x2 - x1, y2 - y1)), 1e-9)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    size = min(7.0, length)
    bx, by = x2 - size * dx, y2 - size * dy
    yield f'<path class="arrow" d="M{x1:.1f} {y1:.1f}L{bx:.1f} {by:.1f}"/>'
    wing = 0.4 * size
    yield (
        f'<path class="head" d="M{x2:.1f} {y2:.1f}L{bx - wing * dy:.1f} {by + wing * dx:.1f}'
        f'L{bx + wing * dy:.1f} {by - wing * dx:.1f}Z"/>'
    )


def _bar(kind: str, x: float, y: float, width: float, height: float) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}"'
    return f'<rect class="{kind}" {place} rx="1.5"/>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="line" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def _text(text: str, x: float, y: float, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
