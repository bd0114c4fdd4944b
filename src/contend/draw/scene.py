"""What a drawing consists of, in pixels from the upper left corner; a writer turns it into a file.

A shape has a kind, which `style` gives its colours, and one of six hues where the kind asks for it.
"""

from dataclasses import dataclass

Point = tuple[float, float]

# Mean widths of letters of a sans-serif font, in terms of its size: narrow, wide, others.
NARROW, WIDE, USUAL = 0.33, 0.92, 0.6
FULL = 1.05  # an ideograph


@dataclass(frozen=True)
class Box:
    """Rectangle, with round corners where it has a radius."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    hue: int | None = None
    radius: float = 0.0


@dataclass(frozen=True)
class Line:
    """Straight from the first point to the second."""

    kind: str
    start: Point
    end: Point


@dataclass(frozen=True)
class Curve:
    """From start to end, drawn towards `control`: a quadratic Bézier curve."""

    kind: str
    start: Point
    control: Point
    end: Point
    hue: int | None = None


@dataclass(frozen=True)
class Polygon:
    """Closed line through the corners, filled."""

    kind: str
    corners: tuple[Point, ...]
    hue: int | None = None


@dataclass(frozen=True)
class Text:
    """One line of text whose baseline starts, has its middle or ends (-1, 0, 1) at the point."""

    kind: str
    text: str
    at: Point
    anchor: int = -1


@dataclass(frozen=True)
class Group:
    """Shapes that a pointer meets as one, and what is said of them then."""

    said: str
    shapes: tuple["Shape", ...]


Shape = Box | Line | Curve | Polygon | Text | Group


@dataclass(frozen=True)
class Part:
    """Shapes with a corner of their own, `width` by `height`."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Drawing:
    """Parts, each with the place of its corner; `title` is for those who do not see them."""

    title: str
    width: float
    height: float
    parts: tuple[tuple[Point, Part], ...]


def text_width(text: str, size: float) -> float:
    """Width in pixels, as far as it can be told without the font."""
    return size * sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    if ord(letter) > 0x2E7F:
        return FULL
    return NARROW if letter in " .,:;|!'il()[]" else WIDE if letter in "MWmw@→" else USUAL


def shortened(text: str, most: int) -> str:
    """Text of at most `most` letters; names of hosts differ at their end, so that is kept.

    >>> shortened("node-17.cluster.example", 12)
    'node…example'
    """
    if len(text) <= most:
        return text
    kept = (most - 1) * 2 // 3
    return f"{text[: most - 1 - kept]}…{text[-kept:]}"
