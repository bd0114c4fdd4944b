"""Drawings as figures of matplotlib, which writes PNG and PDF."""

from typing import Any

from contend.draw.scene import (
    Box,
    Curve,
    Drawing,
    Group,
    Line,
    Point,
    Polygon,
    Shape,
    Text,
)
from contend.draw.style import STYLES, Style, colour

PIXELS_PER_INCH = 96.0  # as browsers count
POINTS_PER_PIXEL = 72.0 / PIXELS_PER_INCH
ANCHORS = {-1: "left", 0: "center", 1: "right"}
HALO = 3.0  # pixels


def figure(drawing: Drawing) -> Any:
    """Figure of the drawing's size, of 96 pixels to the inch, in light colours."""
    from matplotlib.figure import Figure

    size = drawing.width / PIXELS_PER_INCH, drawing.height / PIXELS_PER_INCH
    made = Figure(figsize=size, dpi=PIXELS_PER_INCH)
    axes = made.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    axes.set_axis_off()
    for corner, part in drawing.parts:
        for shape in part.shapes:
            _add(axes, shape, corner)
    return made


def _add(axes: Any, shape: Shape, corner: Point) -> None:
    if isinstance(shape, Group):
        for one in shape.shapes:
            _add(axes, one, corner)
    elif isinstance(shape, Text):
        _add_text(axes, shape, corner)
    else:
        axes.add_patch(_patch(shape, corner))


def _patch(shape: Box | Line | Curve | Polygon, corner: Point) -> Any:
    from matplotlib import patches
    from matplotlib.path import Path

    def at(point: Point) -> Point:
        return point[0] + corner[0], point[1] + corner[1]

    hue = None if isinstance(shape, Line) else shape.hue
    look = _look(STYLES[shape.kind], hue)
    if isinstance(shape, Box):
        place = at((shape.x, shape.y))
        if not shape.radius:
            return patches.Rectangle(place, shape.width, shape.height, **look)
        rounded = f"Round,pad=0,rounding_size={shape.radius:g}"
        return patches.FancyBboxPatch(place, shape.width, shape.height, boxstyle=rounded, **look)
    if isinstance(shape, Line):
        return patches.PathPatch(Path([at(shape.start), at(shape.end)]), **look)
    if isinstance(shape, Curve):
        points = [at(point) for point in (shape.start, shape.control, shape.end)]
        codes = [Path.MOVETO, Path.CURVE3, Path.CURVE3]
        return patches.PathPatch(Path(points, codes), **look)
    return patches.Polygon([at(point) for point in shape.corners], closed=True, **look)


def _look(style: Style, hue: int | None) -> dict[str, Any]:
    from matplotlib.colors import to_rgba

    line = (0, style.dash) if style.dash else "solid"
    return {
        "facecolor": to_rgba(colour(style.fill, hue), style.opacity) if style.fill else "none",
        "edgecolor": colour(style.stroke, hue) if style.stroke else "none",
        "linewidth": style.width * POINTS_PER_PIXEL,
        "linestyle": line,
    }


def _add_text(axes: Any, shape: Text, corner: Point) -> None:
    from matplotlib.patheffects import withStroke

    style = STYLES[shape.kind]
    halo = withStroke(linewidth=HALO * POINTS_PER_PIXEL, foreground=colour("paper", None))
    axes.text(
        corner[0] + shape.at[0], corner[1] + shape.at[1], shape.text,
        fontsize=style.size * POINTS_PER_PIXEL, color=colour(style.fill, None),
        fontweight="bold" if style.is_bold else "normal", ha=ANCHORS[shape.anchor], va="baseline",
        parse_math=False, path_effects=[halo] if style.halo else None,
    )  # fmt: skip
