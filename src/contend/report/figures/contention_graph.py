"""A contention graph: hosts as vertices, messages as arrows between them.

Parallel messages are bent apart, and past hosts in the way. Text stands beside its arrow where it
covers the least of what is there.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from contend.base.document import Floats
from contend.base.units import format_bytes
from contend.report.canvas.axes import rounded
from contend.report.canvas.drawing import Axes, Panel, Tip
from contend.report.canvas.palette import INK, PAPER, SMALL, TICK
from contend.report.figures.gantt import LETTER, MOST_WITH_PENALTIES, colours
from contend.simulate.flows.messages import Messages, shortened
from contend.simulate.flows.places import Pair, places

MOST_HOSTS, MOST_EDGES = 30, 150  # that can be followed with the eye
MOST_NUMBERS, MOST_SIZES = 60, 12  # on arrows
LONGEST_NAME = 14
# Points: of the sheet; beside it; above it, for a title and times of a chart; of hosts; of arrows.
MARGIN, ASIDE, ABOVE = 6.0, 7.5, 32.0
HOST_HEIGHT, LEAST_WIDTH = 14.0, 16.0
APART, AROUND = 17.0, 23.0
GAPS = 3.0, 7.0  # between an arrow and its text
NEAR = 10.0  # from a host within which a line seems to end there
ALONG = np.linspace(0.2, 0.8, 7)[[3, 2, 4, 1, 5, 0, 6]]  # an arrow, where its text is tried
ALIKE = 0.5  # square points: layouts that differ by rounding alone have their texts in one place


def too_large(messages: Messages) -> str:
    """Why the graph cannot be drawn, "" if it can."""
    hosts, edges = len(messages.hosts), len(messages)
    for count, most, kind in ((hosts, MOST_HOSTS, "hosts"), (edges, MOST_EDGES, "messages")):
        if count > most:
            return f"The graph of {count} {kind} is not drawn: beyond {most} no eye can follow it."
    return ""


def contention_graph(messages: Messages, width: float, height: float) -> Panel:
    return Panel("Messages", partial(_draw, messages, width, height), width, height)


def _draw(messages: Messages, width: float, height: float, axes: Axes) -> Iterator[Tip]:
    """In points; text has its own size, so one unit has to be about one point."""
    sheet = 72 * np.array([width, height]) - [2 * ASIDE, ABOVE]
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(0, sheet[0])
    axes.set_ylim(0, sheet[1])
    names = {h: shortened(messages.short_name(h), LONGEST_NAME) for h in messages.hosts}
    widths = {
        h: max(LEAST_WIDTH, 1.15 * LETTER * TICK * len(name) + 8) for h, name in names.items()
    }
    sizes = {h: np.array([width, HOST_HEIGHT]) for h, width in widths.items()}
    at, bends = _arranged(messages, sizes, sheet)
    boxes = {h: np.concatenate([at[h] - sizes[h] / 2, at[h] + sizes[h] / 2]) for h in at}
    centred = {"ha": "center", "va": "center_baseline"}
    for host, name in names.items():
        axes.text(*at[host], name, weight="bold", zorder=4, **centred)
    vertices = {
        h: rounded(axes, (*(at[h] - size / 2), *size), HOST_HEIGHT / 2, fc=PAPER, ec=INK, zorder=3)
        for h, size in sizes.items()
    }
    _draw_arrows(axes, messages, at, bends, vertices)
    curves = [_curve(at, edge, bend) for edge, bend in zip(messages.edges, bends, strict=True)]
    paper = {"fc": PAPER, "ec": "none", "pad": 0.3, "alpha": 0.85}
    texts = _texts(messages)
    for text, place in zip(texts, _beside(texts, curves, list(boxes.values())), strict=True):
        axes.text(*place, text, fontsize=SMALL, zorder=5, bbox=paper, **centred)
    return _tips(messages, curves, boxes)


def _draw_arrows(
    axes: Axes,
    messages: Messages,
    at: dict[int, Floats],
    bends: Sequence[float],
    vertices: dict[int, Any],
) -> None:
    from matplotlib.patches import FancyArrowPatch

    for (src, dst), bend, colour in zip(messages.edges, bends, colours(messages), strict=True):
        length = float(np.linalg.norm(at[dst] - at[src])) or 1.0
        arrow = FancyArrowPatch(
            tuple(at[src]), tuple(at[dst]), arrowstyle="-|>", mutation_scale=7, shrinkA=0,
            shrinkB=0, connectionstyle=f"arc3,rad={2 * bend / length}", patchA=vertices[src],
            patchB=vertices[dst], color=colour, lw=1.1, zorder=2,
        )  # fmt: skip
        axes.add_patch(arrow)


def _tips(messages: Messages, curves: Sequence[Floats], boxes: dict[int, Floats]) -> Iterator[Tip]:
    for host, box in boxes.items():
        yield Tip(f"host {messages.solution.flows.name(host)}", *box)
    for flow, curve in enumerate(curves):
        for share in ALONG:
            yield Tip(messages.summary(flow), *_on(curve, share))


def _arranged(
    messages: Messages, sizes: dict[int, Floats], sheet: Floats
) -> tuple[dict[int, Floats], list[float]]:
    """Places of the hosts and bends of the messages, such that no arrow leaves the sheet."""
    border = np.max(list(sizes.values()), axis=0) / 2 + MARGIN
    for _ in range(2):
        positions = places(messages.edges, *np.maximum(sheet - 2 * border, 1.0))
        at = {host: np.array(place) + border for host, place in positions.items()}
        bends = list(_bends(messages.edges, at))
        curves = (_curve(at, edge, bend) for edge, bend in zip(messages.edges, bends, strict=True))
        points = np.array([_on(curve, share) for curve in curves for share in ALONG])
        border = border + np.maximum(MARGIN - np.minimum(points, sheet - points).min(axis=0), 0.0)
    return at, bends


def _bends(edges: Sequence[Pair], at: dict[int, Floats]) -> Iterator[float]:
    """Points that each message leaves the straight line by, to its right."""
    between: defaultdict[Pair, list[int]] = defaultdict(list)
    for flow, (src, dst) in enumerate(edges):
        between[min(src, dst), max(src, dst)].append(flow)
    for flow, (src, dst) in enumerate(edges):
        alike = between[min(src, dst), max(src, dst)]
        bend = (alike.index(flow) - (len(alike) - 1) / 2) * min(APART, 4 * APART / len(alike))
        bend = bend or (AROUND if _is_blocked((min(src, dst), max(src, dst)), at) else 0.0)
        yield bend if src < dst else -bend


def _is_blocked(pair: Pair, at: dict[int, Floats]) -> bool:
    """Whether another host lies on the straight line of a pair."""
    start, way = at[pair[0]], at[pair[1]] - at[pair[0]]
    length = float(np.linalg.norm(way)) or 1.0
    others = np.array([at[host] - start for host in at.keys() - set(pair)]).reshape(-1, 2)
    along, aside = others @ way / length, abs(others @ [way[1], -way[0]]) / length
    return bool(((along > 0) & (along < length) & (aside < NEAR)).any())


def _curve(at: dict[int, Floats], edge: Pair, bend: float) -> Floats:
    """Start, control point and end (3, 2) of the arrow that "arc3" draws."""
    start, end = at[edge[0]], at[edge[1]]
    dx, dy = end - start
    side = 2 * bend / (float(np.hypot(dx, dy)) or 1.0)
    return np.array([start, (start + end) / 2 + side * np.array([dy, -dx]), end])


def _on(curve: Floats, share: float) -> Floats:
    """The point at a share of the way."""
    point: Floats = np.array([(1 - share) ** 2, 2 * share * (1 - share), share**2]) @ curve
    return point


def _texts(messages: Messages) -> list[str]:
    """Number, bytes if they differ, and first penalty of each message; fewer for many."""
    numbers = [str(flow + 1) for flow in range(len(messages))]
    if len(messages) > MOST_WITH_PENALTIES:
        return numbers if len(messages) <= MOST_NUMBERS else []
    sizes, penalties = messages.solution.flows.bytes, messages.first_penalty()
    has_sizes = sizes.min() != sizes.max() and len(messages) <= MOST_SIZES
    texts = []
    for flow, number in enumerate(numbers):
        words = [format_bytes(float(sizes[flow]))] if has_sizes else []
        words += [f"×{penalties[flow]:.3g}"] if flow in penalties else []
        texts.append(f"{number}: {' '.join(words)}" if words else number)
    return texts


def _beside(
    texts: Sequence[str], curves: Sequence[Floats], taken: Sequence[Floats]
) -> Iterator[Floats]:
    """Middle of each text, on one side of its arrow; `taken` are boxes of the hosts."""
    points = [_on(curve, share) for curve in curves for share in ALONG]
    covered = [*taken, *(np.concatenate([point - 1, point + 1]) for point in points)]
    for text, curve in zip(texts, curves, strict=False):
        half = np.array([LETTER * SMALL * len(text) / 2, SMALL / 2 + 0.5])
        middles = []
        for gap, share, side in product(GAPS, ALONG, (-1, 1)):
            dx, dy = _on(curve, share + 0.05) - _on(curve, share - 0.05)
            normal = side * np.array([dy, -dx]) / (np.hypot(dx, dy) or 1.0)
            middles.append(_on(curve, share) + normal * (abs(normal) @ half + gap))
        boxes = np.array([np.concatenate([middle - half, middle + half]) for middle in middles])
        costs = _common(boxes, np.array(covered))
        best = int(np.argmax(costs <= costs.min() + ALIKE))
        covered.append(boxes[best])
        yield middles[best]


def _common(boxes: Floats, others: Floats) -> Floats:
    """Area (n,) that each of n boxes (n, 4) shares with others (m, 4)."""
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    area: Floats = np.maximum(high - low, 0.0).prod(axis=2).sum(axis=1)
    return area
