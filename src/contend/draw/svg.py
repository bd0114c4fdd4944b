"""Drawings as SVG, in light or dark as the reader has it."""

from collections.abc import Iterator
from html import escape

from contend.draw.scene import (
    Box,
    Curve,
    Drawing,
    Group,
    Line,
    Part,
    Point,
    Polygon,
    Shape,
    Text,
)
from contend.draw.style import CLASS, sheet

ANCHORS = {-1: "", 0: ' text-anchor="middle"', 1: ' text-anchor="end"'}
LEAST_SCALE = 0.6  # below which a narrow window scrolls, since text could not be read


def svg(drawing: Drawing, *, has_style: bool = True) -> str:
    """The drawing as an element of its own; a page with several needs the style once.

    >>> svg(Drawing("a < b", 10, 10, ())).startswith("<svg ")
    True
    """
    width, height = f"{drawing.width:.0f}", f"{drawing.height:.0f}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{CLASS}" role="img" '
            f'viewBox="0 0 {width} {height}" width="{width}" '
            f'style="max-width:100%;min-width:{LEAST_SCALE * drawing.width:.0f}px;height:auto">',
            f"<title>{escape(drawing.title)}</title>",
            *([f"<style>\n{sheet()}\n</style>"] if has_style else []),
            f'<rect class="paper" width="{width}" height="{height}"/>',
            *(line for corner, part in drawing.parts for line in _part(corner, part)),
            "</svg>",
        ]
    )


def _part(corner: Point, part: Part) -> Iterator[str]:
    yield f'<g transform="translate({corner[0]:.1f} {corner[1]:.1f})">'
    yield from (_shape(shape) for shape in part.shapes)
    yield "</g>"


def _shape(shape: Shape) -> str:
    if isinstance(shape, Group):
        inner = "".join(_shape(one) for one in shape.shapes)
        return f"<g><title>{escape(shape.said)}</title>{inner}</g>"
    if isinstance(shape, Box):
        place = f'x="{shape.x:.2f}" y="{shape.y:.2f}"'
        size = f'width="{max(shape.width, 0):.2f}" height="{max(shape.height, 0):.2f}"'
        corners = f' rx="{shape.radius:g}"' if shape.radius else ""
        return f"<rect {_kind(shape.kind, shape.hue)} {place} {size}{corners}/>"
    if isinstance(shape, Line):
        return f'<path {_kind(shape.kind)} d="M{_at(shape.start)}L{_at(shape.end)}"/>'
    if isinstance(shape, Curve):
        path = f"M{_at(shape.start)}Q{_at(shape.control)} {_at(shape.end)}"
        return f'<path {_kind(shape.kind, shape.hue)} d="{path}"/>'
    if isinstance(shape, Polygon):
        path = "L".join(_at(corner) for corner in shape.corners)
        return f'<path {_kind(shape.kind, shape.hue)} d="M{path}Z"/>'
    return _text(shape)


def _text(shape: Text) -> str:
    place = f'x="{shape.at[0]:.1f}" y="{shape.at[1]:.1f}"{ANCHORS[shape.anchor]}'
    return f"<text {_kind(shape.kind)} {place}>{escape(shape.text)}</text>"


def _kind(kind: str, hue: int | None = None) -> str:
    return f'class="{kind}"' if hue is None else f'class="{kind} h{hue}"'


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
