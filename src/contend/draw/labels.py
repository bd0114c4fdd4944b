"""Text beside the arrows of a contention graph, where it covers the least of what is there."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

from contend.draw.arrows import Bounds
from contend.draw.scene import Curve, Point, Text, text_width

SIZE = 11.0
GAP = 2.0  # pixels between an arrow and its text
ALIKE = 1.0  # square pixels: layouts that differ by rounding alone have their texts in one place
PLACES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)  # along an arrow


def labels(
    texts: Sequence[str], curves: Sequence[Curve], taken: Sequence[Bounds]
) -> Iterator[Text]:
    """The text of each arrow on one side of it; `taken` are the boxes of the hosts."""
    covered = [*taken, *(_around(_on(curve, share)) for curve in curves for share in PLACES)]
    for text, curve in zip(texts, curves, strict=True):
        width = text_width(text, SIZE)
        middles = [_beside(curve, share, side, width) for share in PLACES for side in (-1, 1)]
        boxes = [bounds(middle, width, SIZE) for middle in middles]
        costs = [sum(_common(box, other) for other in covered) for box in boxes]
        least = min(costs) + ALIKE
        best = next(place for place, cost in enumerate(costs) if cost <= least)
        covered.append(boxes[best])
        x, y = middles[best]
        yield Text("label", text, (x, y + 0.36 * SIZE), 0)


def _beside(curve: Curve, share: float, side: int, width: float) -> Point:
    """Middle of a text that touches the arrow there."""
    x, y = _on(curve, share)
    (x1, y1), (x2, y2) = _on(curve, share - 0.05), _on(curve, share + 0.05)
    length = hypot(x2 - x1, y2 - y1) or 1.0
    across, down = side * (y1 - y2) / length, side * (x2 - x1) / length
    away = abs(across) * width / 2 + abs(down) * SIZE / 2 + GAP
    return x + away * across, y + away * down


def _around(point: Point) -> Bounds:
    return bounds(point, 2 * GAP, 2 * GAP)


def _on(curve: Curve, share: float) -> Point:
    """The point of a curve at a share of its way."""
    points = [curve.start, curve.control, curve.end]
    while len(points) > 1:
        points = [
            (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
            for (x1, y1), (x2, y2) in pairwise(points)
        ]
    return points[0]


def bounds(middle: Point, width: float, height: float) -> Bounds:
    """The box of that size around a point."""
    x, y = middle
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _common(one: Bounds, other: Bounds) -> float:
    """Area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)
