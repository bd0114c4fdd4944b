"""Drawing of a lab: clusters with hosts and switch, and the backbones between the switches."""

from collections.abc import Iterator
from html import escape

from contend.lab.arrangement import (
    BETWEEN,
    HOST_HEIGHT,
    HOST_WIDTH,
    LEAST_HOSTS_HEIGHT,
    LETTER,
    LINE_HEIGHT,
    LINE_PITCH,
    ROW_PITCH,
    SWITCH_HEIGHT,
    WIRES_HEIGHT,
    Box,
    Placed,
    Point,
    ends,
    label_boxes,
    label_lines,
    place,
)
from contend.lab.specification import Backbone, Lab

MARGIN = 16.0

STYLE = """
.lab-picture { --ink: #1d2430; --soft: #596273; --line: #c9d0d8; --paper: #ffffff; --shade: #f5f7f9;
  --host: #ffffff; --switch: #2f7fc1; --wire: #6ba4d4; --backbone: #d1600f;
  font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media screen and (prefers-color-scheme: dark) { .lab-picture { --ink: #e3e7ed; --soft: #9ba5b4;
  --line: #3f4854; --paper: #15191f; --shade: #1c2129; --host: #2a313b; --wire: #4d84b3; } }
.lab-picture .paper { fill: var(--paper); }
.lab-picture .cluster { fill: var(--shade); stroke: var(--line); }
.lab-picture .host { fill: var(--host); stroke: var(--soft); }
.lab-picture .wire { fill: none; stroke: var(--wire); stroke-width: 1.3; }
.lab-picture .switch { fill: var(--switch); }
.lab-picture .backbone { stroke: var(--backbone); stroke-width: 3.5; stroke-linecap: round; }
.lab-picture text { fill: var(--soft); }
.lab-picture .name { fill: var(--ink); font-weight: 650; }
.lab-picture .number { fill: var(--ink); font-size: 11px; text-anchor: middle; }
.lab-picture .on-switch { fill: #ffffff; text-anchor: middle; }
.lab-picture .middle { text-anchor: middle; }
.lab-picture .end { text-anchor: end; }
"""


def picture(lab: Lab) -> str:
    """The drawing as SVG, for a page or a file of its own, in light or dark as the reader has it.

    >>> from contend.lab import read_lab
    >>> picture(read_lab("two-clusters")).startswith("<svg ")
    True
    """
    placed = place(lab.clusters)
    labels = label_boxes(lab.backbones, placed)
    boxes = [*(cluster.box for cluster in placed.values()), *(box for _, box in labels)]
    left, top = min(box.x for box in boxes) - MARGIN, min(box.y for box in boxes) - MARGIN
    note = dilation_note(lab)
    right = max(*(box.right for box in boxes), left + MARGIN + LETTER * len(note)) + MARGIN
    bottom = max(box.bottom for box in boxes) + MARGIN + (LINE_HEIGHT + 6 if note else 0)
    width, height = right - left, bottom - top
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lab-picture" role="img" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" width="{width:.0f}" '
        f'style="max-width:100%;min-width:{min(width, 600):.0f}px;height:auto">',
        f"<title>{escape(f'The emulated network {lab.name}')}</title><style>{STYLE}</style>",
        f'<rect class="paper" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"/>',
        *(_rectangle("cluster", cluster.box, 10) for cluster in placed.values()),
        *(_line(*ends(placed, backbone)) for backbone in lab.backbones),
        *(part for cluster in placed.values() for part in _cluster(cluster)),
        *(part for backbone, box in labels for part in _label(backbone, box)),
    ]
    if note:
        parts.append(_text(note, (left + right) / 2, bottom - MARGIN, "middle"))
    return "\n".join([*parts, "</svg>"])


def dilation_note(lab: Lab) -> str:
    """What a reader has to know of a lab in slow motion, "" of another."""
    if lab.time_dilation == 1:
        return ""
    return f"emulated in slow motion: everything takes {lab.time_dilation:g} times as long"


def _label(backbone: Backbone, box: Box) -> Iterator[str]:
    x, _ = box.middle
    yield _rectangle("paper", box, 6)
    for number, line in enumerate(label_lines(backbone)):
        kind = "middle" if number else "middle name"
        yield _text(line, x, box.y + LINE_HEIGHT * (number + 0.85), kind)


def _cluster(placed: Placed) -> Iterator[str]:
    """Wires, hosts, switch and text of a cluster, in this order."""
    shape, switch = placed.shape, placed.switch
    boxes = list(_hosts(placed))
    for number, box in enumerate(boxes):
        yield _wire(box, number // shape.columns, placed)
    for number, box in enumerate(boxes, start=1):
        yield _rectangle("host", box, 4)
        x, y = box.middle
        yield _text(str(number), x, y + 4, "number")
    yield _rectangle("switch", switch, 6)
    yield _text("switch", switch.middle[0], switch.middle[1] + 4.5, "on-switch")
    yield from _texts(placed)


def _hosts(placed: Placed) -> Iterator[Box]:
    """Places of the hosts, row by row from the top."""
    shape, switch = placed.shape, placed.switch
    used = shape.columns * shape.pitch
    left = switch.x + (switch.width - used) / 2 + (used / shape.columns - HOST_WIDTH) / 2
    left -= LINE_PITCH * (shape.rows - 1) / 2
    grid = shape.rows * ROW_PITCH - (ROW_PITCH - HOST_HEIGHT)
    rest = shape.hosts_height - grid
    if placed.is_turned:
        top = switch.bottom + WIRES_HEIGHT
    else:
        top = switch.y - WIRES_HEIGHT - shape.hosts_height + rest
    for number in range(shape.cluster.hosts):
        row, column = divmod(number, shape.columns)
        x, y = left + column * shape.pitch, top + row * ROW_PITCH
        yield Box(x, y, HOST_WIDTH, HOST_HEIGHT)


def _wire(host: Box, row: int, placed: Placed) -> str:
    """From a host to the switch, past the hosts of its column that are nearer to it."""
    passed = row if placed.is_turned else placed.shape.rows - 1 - row
    end = placed.switch.bottom if placed.is_turned else placed.switch.y
    x, y = host.middle
    if passed:
        aside = host.right + 2 + LINE_PITCH * passed
        path = f"M{host.right:.1f} {y:.1f}H{aside:.1f}V{end:.1f}"
    else:
        path = f"M{x:.1f} {y:.1f}V{end:.1f}"
    return f'<path class="wire" d="{path}"/>'


def _texts(placed: Placed) -> Iterator[str]:
    """Three times two lines, at the heights of hosts, wires and switch."""
    shape, switch, sign = placed.shape, placed.switch, 1 if placed.is_turned else -1
    x, kind = (switch.right + BETWEEN, "") if placed.has_text_right else (switch.x - BETWEEN, "end")
    middle = switch.middle[1]
    wires = middle + sign * (SWITCH_HEIGHT + WIRES_HEIGHT) / 2
    hosts = wires + sign * (WIRES_HEIGHT + LEAST_HOSTS_HEIGHT) / 2
    farthest = wires + sign * (WIRES_HEIGHT / 2 + shape.hosts_height - LEAST_HOSTS_HEIGHT / 2)
    heights = (hosts if placed.is_turned else farthest, wires, middle)
    for height, (first, second) in zip(heights, shape.texts, strict=True):
        upper = height - (0.15 * LINE_HEIGHT if second else -4.5)
        yield _text(first, x, upper, f"name {kind}".strip())
        if second:
            yield _text(second, x, height + 0.85 * LINE_HEIGHT, kind)


def _text(text: str, x: float, y: float, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _rectangle(kind: str, box: Box, radius: float) -> str:
    place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<rect class="{kind}" {place} rx="{radius:g}"/>'


def _line(start: Point, end: Point) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line class="backbone" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
