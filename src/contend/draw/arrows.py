"""Arrows of a contention graph: parallel messages are bent apart, and past hosts in the way."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import hypot

from contend.draw.layout import Pair
from contend.draw.scene import Curve, Point, Polygon

APART, AROUND = 30.0, 40.0  # pixels between parallel messages, and past a host
NEAR = 18.0  # pixels from a host within which a line seems to end there
HEAD = 8.0

Bounds = tuple[float, float, float, float]  # left, top, right, bottom


def arrows(
    edges: Sequence[Pair], at: dict[int, Point], boxes: dict[int, Bounds], hues: Sequence[int]
) -> list[Curve]:
    """A curve per edge, from border to border of the boxes of its hosts."""
    bent = zip(edges, _bends(edges, at), hues, strict=True)
    return [_curve(at, boxes, edge, bend, hue) for edge, bend, hue in bent]


def head(curve: Curve) -> Polygon:
    """The tip at the end of an arrow."""
    (bx, by), (x, y) = curve.control, curve.end
    length = hypot(x - bx, y - by) or 1.0
    dx, dy = HEAD * (x - bx) / length, HEAD * (y - by) / length
    wings = (x - dx - 0.42 * dy, y - dy + 0.42 * dx), (x - dx + 0.42 * dy, y - dy - 0.42 * dx)
    return Polygon("head", ((x, y), *wings), curve.hue)


def _bends(edges: Sequence[Pair], at: dict[int, Point]) -> Iterator[float]:
    """Pixels that each message leaves the straight line by, to the left of low to high host."""
    between: defaultdict[Pair, list[int]] = defaultdict(list)
    for flow, (src, dst) in enumerate(edges):
        between[min(src, dst), max(src, dst)].append(flow)
    for flow, (src, dst) in enumerate(edges):
        pair = min(src, dst), max(src, dst)
        number, count = between[pair].index(flow), len(between[pair])
        bend = (number - (count - 1) / 2) * min(APART, 4 * APART / count)
        yield AROUND if bend == 0 and _is_blocked(pair, at) else bend


def _is_blocked(pair: Pair, at: dict[int, Point]) -> bool:
    """Whether another host lies on the straight line of a pair."""
    (x1, y1), (x2, y2) = (at[host] for host in pair)
    dx, dy = x2 - x1, y2 - y1
    length = hypot(dx, dy) or 1.0
    for host in at.keys() - set(pair):
        x, y = at[host][0] - x1, at[host][1] - y1
        along, aside = (x * dx + y * dy) / length, abs(x * dy - y * dx) / length
        if 0 < along < length and aside < NEAR:
            return True
    return False


def _curve(
    at: dict[int, Point], boxes: dict[int, Bounds], edge: Pair, bend: float, hue: int
) -> Curve:
    src, dst = edge
    (x1, y1), (x2, y2) = at[min(edge)], at[max(edge)]
    length = hypot(x2 - x1, y2 - y1) or 1.0
    side = 2 * bend / length
    control = (x1 + x2) / 2 + side * (y2 - y1), (y1 + y2) / 2 - side * (x2 - x1)
    start, end = _border(at[src], boxes[src], control), _border(at[dst], boxes[dst], control)
    return Curve("edge", start, control, end, hue)


def _border(at: Point, box: Bounds, towards: Point) -> Point:
    """Where a line from the middle of a box leaves it, and a little further."""
    dx, dy = towards[0] - at[0], towards[1] - at[1]
    half_width, half_height = (box[2] - box[0]) / 2 + 2, (box[3] - box[1]) / 2 + 2
    share = min(
        half_width / abs(dx) if dx else float("inf"), half_height / abs(dy) if dy else float("inf")
    )
    return at[0] + share * dx, at[1] + share * dy
