"""Figure: an emulated network, clusters with hosts and switch and the backbones between them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import MEASURED, PREDICTED
from contend.canvas.style import GRID, INK, PAPER, SHADE, SMALL, SOFT, TICK
from contend.figures.figure import Figure, Findings
from contend.lab.arrangement import (
    LINE_HEIGHT,
    Box,
    Placed,
    ends,
    hosts,
    label_boxes,
    label_lines,
    place,
    texts,
    wires,
)
from contend.lab.specification import Lab
from contend.lab.utilisation import lab_of

MARGIN = 10.0  # of a sheet, units of the arrangement
POINTS = TICK / 12.5  # of a unit: a line of text is 12.5 of them high
ASIDE, ABOVE = 15.0, 6.0  # points that are left around axes
NAME, LINE = {"color": INK, "weight": "bold"}, {"color": SOFT}


class LabPicture(Figure):
    """Of the emulated network that the samples were taken on."""

    name = "lab"
    section = "lab"
    order = 10

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where it was recorded which one that was."""
        if lab := lab_of(findings.samples, findings.utilisation):
            yield lab_drawing(lab)


def lab_drawing(lab: Lab) -> Drawing:
    """Hosts, switches, rates, latencies and buffers.

    >>> from contend.lab import read_lab
    >>> lab_drawing(read_lab("two-clusters")).title
    'The emulated network two-clusters'
    """
    title, sheet = f"The emulated network {lab.name}", _sheet(lab)
    width, height = (POINTS * sheet.width + ASIDE) / 72, (POINTS * sheet.height + ABOVE) / 72
    panel = Panel(title, partial(_draw, lab, sheet), width, height)
    remark = f"Emulated in slow motion: everything takes {lab.time_dilation:g} times as long."
    return Drawing(title, [panel], remark if lab.time_dilation != 1 else "")


def _sheet(lab: Lab) -> Box:
    """The room that everything takes."""
    placed = place(lab.clusters)
    labels = (box for _, box in label_boxes(lab.backbones, placed))
    boxes = [*(cluster.box for cluster in placed.values()), *labels]
    left, top = min(box.x for box in boxes) - MARGIN, min(box.y for box in boxes) - MARGIN
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right + MARGIN - left, bottom + MARGIN - top)


def _draw(lab: Lab, sheet: Box, axes: Axes) -> list[Tip]:
    """In the units of the arrangement, from above."""
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(sheet.x, sheet.right)
    axes.set_ylim(sheet.bottom, sheet.y)
    placed, tips = place(lab.clusters), []
    for cluster in placed.values():
        _rectangle(axes, cluster.box, 10, fc=SHADE, ec=GRID, zorder=1, gid="cluster")
    for backbone in lab.backbones:
        between = zip(*ends(placed, backbone), strict=True)
        axes.plot(*between, color=MEASURED, lw=2, zorder=2, gid="backbone")
    names = iter(host.name for host in lab.hosts)
    for cluster in placed.values():
        _draw_cluster(axes, cluster)
        tips += [_tip(f"host {next(names)}", box) for box in hosts(cluster)]
        said = (" ".join(filter(None, lines)) for lines in cluster.shape.texts)
        tips.append(_tip("switch: " + ", ".join(said), cluster.switch))
    for backbone, box in label_boxes(lab.backbones, placed):
        _rectangle(axes, box, 6, fc=PAPER, ec="none", zorder=3)
        lines = label_lines(backbone)
        for number, line in enumerate(lines):
            y = box.y + LINE_HEIGHT * (number + 0.5) + 2
            _text(axes, line, (box.middle[0], y), **(LINE if number else NAME), ha="center")
        tips.append(_tip(f"{' – '.join(backbone.between)}: {', '.join(lines)}", box))
    return tips


def _draw_cluster(axes: Axes, cluster: Placed) -> None:
    from matplotlib.collections import LineCollection

    lines = LineCollection(list(wires(cluster)), colors=PREDICTED, lw=0.7, alpha=0.7, zorder=2)
    axes.add_collection(lines)
    for number, box in enumerate(hosts(cluster), start=1):
        _rectangle(axes, box, 4, fc=PAPER, ec=SOFT, zorder=3, gid="host")
        _text(axes, str(number), box.middle, fontsize=SMALL, ha="center")
    _rectangle(axes, cluster.switch, 6, fc=PREDICTED, ec="none", zorder=3, gid="switch")
    _text(axes, "switch", cluster.switch.middle, color="black", ha="center")
    for text, at, is_name in texts(cluster):
        side = "left" if cluster.has_text_right else "right"
        _text(axes, text, at, **(NAME if is_name else LINE), ha=side)


def _rectangle(axes: Axes, box: Box, radius: float, **look: Any) -> None:
    from matplotlib.patches import FancyBboxPatch

    rounded = f"round,pad=0,rounding_size={radius}"
    axes.add_patch(FancyBboxPatch((box.x, box.y), box.width, box.height, rounded, lw=0.7, **look))


def _text(axes: Axes, text: str, at: Sequence[float], **look: Any) -> None:
    axes.text(*at, text, va="center_baseline", zorder=4, **look)


def _tip(said: str, box: Box) -> Tip:
    return Tip(said, box.x, box.y, box.right, box.bottom)
