"""Figure: an emulated network, clusters with hosts and switch and the backbones between them.

Clusters stand side by side. Each backbone runs below them, on a level of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt
from pathlib import Path

from contend.base.result import Result, picture
from contend.measure.lab.specification import Backbone, Cluster, Lab, read_lab
from contend.measure.lab.text import backbone_lines, cluster_lines, when_full_text
from contend.measure.lab.utilisation import lab_of
from contend.report.canvas.axes import rounded
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.files import check_picture, write_picture
from contend.report.canvas.palette import GRID, INK, MEASURED, PAPER, PREDICTED, SHADE, SMALL, SOFT
from contend.report.figures.figure import Findings

# All lengths in units: from a host to the next one of its row.
UNIT = 22.0  # points
MARGIN, GAP = 0.6, 2.2  # of a cluster; between two
HOST, HEIGHT, PITCH = 0.74, 0.6, 0.95  # a host; from a row to the next
LANE = 0.12  # beside a host, for the wire of each row above
WIRES, LETTER, LINE = 1.1, 0.26, 0.55  # hosts to switch; a letter and a line of text
LEVEL = 1.9  # from a backbone to the next


@dataclass(frozen=True)
class Placed:
    """A cluster whose switch begins at `begin`, with its top at height 0."""

    cluster: Cluster
    begin: float

    @property
    def rows(self) -> int:
        """Rows of hosts: one up to eight hosts, then so that the grid is wider than high."""
        return ceil(self.cluster.hosts / max(8, ceil(sqrt(1.8 * self.cluster.hosts))))

    @property
    def columns(self) -> int:
        return ceil(self.cluster.hosts / self.rows)

    @property
    def pitch(self) -> float:
        """From a host to the next of its row."""
        return 1.0 + LANE * (self.rows - 1)

    @property
    def width(self) -> float:
        """Return the width of the switch: that of all hosts, or of its text."""
        letters = max(map(len, (self.cluster.name, *cluster_lines(self.cluster))))
        return max(self.columns * self.pitch, LETTER * letters)

    @property
    def top(self) -> float:
        return WIRES + self.rows * PITCH

    def hosts(self) -> Iterator[tuple[int, float, float]]:
        """Row from the switch on, left and lower edge of each host."""
        for number in range(self.cluster.hosts):
            row, column = self.rows - 1 - number // self.columns, number % self.columns
            yield row, self.begin + column * self.pitch, WIRES + row * PITCH


def lab_picture(findings: Findings) -> Iterator[Drawing]:
    """Draw the emulated network that the samples were taken on, where it was recorded."""
    if lab := lab_of(findings.samples, findings.utilisation):
        yield lab_drawing(lab)


def lab_drawing(lab: Lab) -> Drawing:
    """Hosts, switches, rates, latencies and buffers.

    >>> from contend.measure.lab import read_lab
    >>> lab_drawing(read_lab("two-clusters")).title
    'The emulated network two-clusters'
    """
    placed = place(lab.clusters)
    last = placed[-1]
    top = max(box.top for box in placed) + 5 * LINE
    sheet = (
        -2 * MARGIN,
        -2 - LEVEL * len(lab.backbones),
        last.begin + last.width + 2 * MARGIN,
        top,
    )
    width, height = (UNIT * (sheet[i + 2] - sheet[i]) / 72 for i in range(2))
    title = f"The emulated network {lab.name}"
    panel = Panel(title, partial(_draw, lab, placed, sheet), width, height)
    slow = f"Emulated in slow motion: everything takes {lab.time_dilation:g} times as long."
    remarks = [
        f"Full buffers {when_full_text(lab)}." if lab.has_credits else "",
        slow if lab.time_dilation != 1 else "",
    ]
    return Drawing(title, [panel], " ".join(filter(None, remarks)))


def place(clusters: Sequence[Cluster]) -> list[Placed]:
    boxes: list[Placed] = []
    for cluster in clusters:
        boxes.append(Placed(cluster, boxes[-1].begin + boxes[-1].width + GAP if boxes else 0.0))
    return boxes


def _draw(
    lab: Lab, placed: Sequence[Placed], sheet: tuple[float, ...], axes: Axes
) -> Iterator[Tip]:
    axes.set_axis_off()
    axes.set_xlim(sheet[0], sheet[2])
    axes.set_ylim(sheet[1], sheet[3])
    names = iter(host.name for host in lab.hosts)
    for box in placed:
        yield from _draw_cluster(axes, box, names)
    index = {box.cluster.name: number for number, box in enumerate(placed)}
    joined = {
        _ordered(index[name] for name in backbone.between): backbone for backbone in lab.backbones
    }
    for level, pair in enumerate(
        sorted(joined, key=lambda pair: (pair[1] - pair[0], pair)), start=1
    ):
        x = [_port(placed, here, sum(pair) - here, joined) for here in pair]
        yield _draw_backbone(axes, joined[pair], x, -0.6 - LEVEL * level)


def _ordered(numbers: Iterable[int]) -> tuple[int, int]:
    first, second = sorted(numbers)
    return first, second


def _port(
    placed: Sequence[Placed], here: int, other: int, pairs: Iterable[tuple[int, int]]
) -> float:
    """Where the backbone to another cluster leaves a switch: the nearest is the outermost."""
    others = [sum(pair) - here for pair in pairs if here in pair]
    others.sort(key=lambda end: (end > here, -end))
    share = (others.index(other) + 1) / (len(others) + 1)
    return placed[here].begin + placed[here].width * share


def _draw_backbone(axes: Axes, backbone: Backbone, x: Sequence[float], y: float) -> Tip:
    start, end = x
    axes.plot([start, start, end, end], [-1, y, y, -1], color=MEASURED, zorder=2, gid="backbone")
    rate, delay, buffer = backbone_lines(backbone)
    text, paper = f"{rate}, {delay}\n{buffer}", {"fc": PAPER, "ec": "none", "pad": 2}
    axes.text((start + end) / 2, y, text, ha="center", va="center", zorder=4, bbox=paper)
    words = f"{' – '.join(backbone.between)}: {rate}, {delay}, {buffer}"
    return Tip(words, start, y - LINE, end, y + LINE)


def _draw_cluster(axes: Axes, box: Placed, names: Iterator[str]) -> Iterator[Tip]:
    from matplotlib.collections import LineCollection

    low, high = -1 - MARGIN, box.top + 4 * LINE + MARGIN / 2
    edge = box.begin - MARGIN
    rounded(
        axes, (edge, low, box.width + 2 * MARGIN, high - low), 0.4, fc=SHADE, ec=GRID, gid="cluster"
    )
    wires = []
    for number, (row, begin, bottom) in enumerate(box.hosts(), start=1):
        x, y = begin + HOST / 2, bottom + HEIGHT / 2
        lane = begin + HOST + LANE * row
        wires.append(
            [(x, bottom), (x, 0)] if not row else [(begin + HOST, y), (lane, y), (lane, 0)]
        )
        rounded(axes, (begin, bottom, HOST, HEIGHT), 0.15, fc=PAPER, ec=SOFT, zorder=3, gid="host")
        axes.text(x, y, str(number), fontsize=SMALL, ha="center", va="center_baseline", zorder=4)
        yield Tip(f"host {next(names)}", begin, bottom, begin + HOST, bottom + HEIGHT)
    axes.add_collection(LineCollection(wires, colors=PREDICTED, lw=0.7, alpha=0.7, zorder=2))
    rounded(
        axes, (box.begin, -1, box.width, 1), 0.2, fc=PREDICTED, ec="none", zorder=3, gid="switch"
    )
    axes.text(
        box.begin + box.width / 2, -0.5, "switch", color="black", ha="center", va="center", zorder=4
    )
    lines = cluster_lines(box.cluster)
    above = {"va": "bottom", "zorder": 4}
    axes.text(box.begin, box.top + 2.7 * LINE, box.cluster.name, color=INK, weight="bold", **above)
    axes.text(box.begin, box.top, "\n".join(lines), color=SOFT, **above)
    yield Tip(f"switch of {box.cluster.name}: {lines[2]}", box.begin, -1, box.begin + box.width, 0)


def draw_lab(name: str, path: Path | None = None) -> Result:
    """Draw the hosts, switches, rates, latencies and buffers of a lab; default NAME.svg.

    >>> draw_lab("fast-ethernet", Path("lab.svg")).data["picture"]
    'lab.svg'
    """
    lab = read_lab(name)
    file = check_picture(path or Path(f"{lab.name}.svg"))
    write_picture(lab_drawing(lab), file)
    return picture(file)
