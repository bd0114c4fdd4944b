"""Where everything of the drawing of a lab goes.

Clusters stand in rows of two, the switches of a pair of rows towards each other, so that the
backbones run through the space between. What belongs to a cluster is written beside it, at the
height of the part that it describes. A line of text is 17 units high; y goes down.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, sqrt

from contend.lab.specification import Backbone, Cluster
from contend.units import format_bytes, format_rate, format_seconds

Point = tuple[float, float]

HOST_WIDTH, HOST_HEIGHT = 32.0, 22.0
LINE_PITCH = 4.0  # between the wires of a column of hosts
ROW_PITCH = HOST_HEIGHT + 12.0
LEAST_HOSTS_HEIGHT = 36.0  # two lines of text are beside them
WIRES_HEIGHT = 52.0
SWITCH_HEIGHT, LEAST_SWITCH_WIDTH = 30.0, 170.0
PADDING, BETWEEN = 20.0, 18.0  # of a cluster; between its text and its hosts
GAP, CORRIDOR = 170.0, 180.0  # between clusters beside and above each other: a label fits
LINE_HEIGHT, LETTER = 17.0, 7.2  # LETTER: the width of a letter, with some to spare
PLACES_ON_A_LINE = (0.5, 0.25, 0.75, 0.3, 0.7, 0.2, 0.8)  # of a label, tried in this order
STEPS_OF_A_LINE = 60  # at which it is looked for under labels


@dataclass(frozen=True)
class Box:
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def overlaps(self, other: "Box") -> bool:
        """Whether the two share a point inside."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def holds(self, point: Point) -> bool:
        """Whether a point is inside."""
        return self.x < point[0] < self.right and self.y < point[1] < self.bottom


@dataclass(frozen=True)
class Shape:
    """What the drawing of a cluster needs to know before it has a place."""

    cluster: Cluster

    @property
    def rows(self) -> int:
        """Rows of hosts: one up to eight hosts, then so that the grid is wider than high."""
        return ceil(self.cluster.hosts / max(8, ceil(sqrt(1.8 * self.cluster.hosts))))

    @property
    def columns(self) -> int:
        """Hosts of a row."""
        return ceil(self.cluster.hosts / self.rows)

    @property
    def pitch(self) -> float:
        """From a host to the next of its row: the wires of the rows above pass between."""
        return HOST_WIDTH + 10 + LINE_PITCH * (self.rows - 1)

    @property
    def switch_width(self) -> float:
        """As wide as the hosts."""
        return max(LEAST_SWITCH_WIDTH, self.columns * self.pitch)

    @property
    def hosts_height(self) -> float:
        """Of all rows."""
        return max(LEAST_HOSTS_HEIGHT, self.rows * ROW_PITCH - (ROW_PITCH - HOST_HEIGHT))

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Two lines each for the hosts, their links and the switch."""
        cluster = self.cluster
        count = f"{cluster.hosts} host{'s' if cluster.hosts > 1 else ''}"
        latency = f"{format_seconds(cluster.latency)} host to host"
        return [
            (cluster.name, count),
            (rate_text(cluster.rate), latency if cluster.latency else "no latency"),
            (buffer_text(cluster.buffer), "per port" if cluster.buffer else ""),
        ]

    @property
    def text_width(self) -> float:
        """Of the longest line."""
        return LETTER * max(len(line) for lines in self.texts for line in lines)

    @property
    def width(self) -> float:
        """Of the whole cluster."""
        return 2 * PADDING + self.text_width + BETWEEN + self.switch_width

    @property
    def height(self) -> float:
        """Of the whole cluster."""
        return 2 * PADDING + self.hosts_height + WIRES_HEIGHT + SWITCH_HEIGHT


@dataclass(frozen=True)
class Placed:
    """A cluster with its place: `is_turned` has its switch above its hosts."""

    shape: Shape
    box: Box
    row: int
    is_turned: bool
    has_text_right: bool

    @property
    def switch(self) -> Box:
        """Where its switch is."""
        left = self.box.x + PADDING
        if not self.has_text_right:
            left += self.shape.text_width + BETWEEN
        below = self.box.bottom - PADDING - SWITCH_HEIGHT
        top = self.box.y + PADDING if self.is_turned else below
        return Box(left, top, self.shape.switch_width, SWITCH_HEIGHT)


def place(clusters: Sequence[Cluster]) -> dict[str, Placed]:
    """Clusters in rows of two around a middle line at x = 0; one alone in its row is on it."""
    found: dict[str, Placed] = {}
    top = 0.0
    for start in range(0, len(clusters), 2):
        shapes = [Shape(cluster) for cluster in clusters[start : start + 2]]
        height, is_turned = max(shape.height for shape in shapes), start % 4 == 2
        for side, shape in enumerate(shapes):
            if len(shapes) == 2:
                x = GAP / 2 if side else -GAP / 2 - shape.width
            else:  # its switch is in the middle
                x = shape.switch_width / 2 + PADDING - shape.width
            y = top if is_turned else top + height - shape.height
            box = Box(x, y, shape.width, shape.height)
            found[shape.cluster.name] = Placed(shape, box, start // 2, is_turned, side == 1)
        top += height + CORRIDOR
    return found


def hosts(placed: Placed) -> Iterator[Box]:
    """Places of the hosts of a cluster, row by row from the top."""
    shape, switch = placed.shape, placed.switch
    used = shape.columns * shape.pitch
    left = switch.x + (switch.width - used) / 2 + (shape.pitch - HOST_WIDTH) / 2
    left -= LINE_PITCH * (shape.rows - 1) / 2
    grid = shape.rows * ROW_PITCH - (ROW_PITCH - HOST_HEIGHT)
    top = switch.bottom + WIRES_HEIGHT if placed.is_turned else switch.y - WIRES_HEIGHT - grid
    for number in range(shape.cluster.hosts):
        row, column = divmod(number, shape.columns)
        yield Box(left + column * shape.pitch, top + row * ROW_PITCH, HOST_WIDTH, HOST_HEIGHT)


def wires(placed: Placed) -> Iterator[list[Point]]:
    """From each host to the switch, past the hosts of its column that are nearer to it."""
    end = placed.switch.bottom if placed.is_turned else placed.switch.y
    for number, host in enumerate(hosts(placed)):
        row = number // placed.shape.columns
        passed = row if placed.is_turned else placed.shape.rows - 1 - row
        x, y = host.middle
        if passed:
            aside = host.right + 2 + LINE_PITCH * passed
            yield [(host.right, y), (aside, y), (aside, end)]
        else:
            yield [(x, host.y if placed.is_turned else host.bottom), (x, end)]


def texts(placed: Placed) -> Iterator[tuple[str, Point, bool]]:
    """Three times two lines at the heights of hosts, wires and switch; whether it is the first."""
    shape, switch, sign = placed.shape, placed.switch, 1 if placed.is_turned else -1
    x = switch.right + BETWEEN if placed.has_text_right else switch.x - BETWEEN
    middle = switch.middle[1]
    wires = middle + sign * (SWITCH_HEIGHT + WIRES_HEIGHT) / 2
    edge = wires + sign * WIRES_HEIGHT / 2
    above = LEAST_HOSTS_HEIGHT if placed.is_turned else 2 * shape.hosts_height - LEAST_HOSTS_HEIGHT
    for height, lines in zip((edge + sign * above / 2, wires, middle), shape.texts, strict=True):
        count = len(list(filter(None, lines)))
        for number in range(count):
            y = height + LINE_HEIGHT * (number - (count - 1) / 2)
            yield lines[number], (x, y), number == 0


def ends(placed: dict[str, Placed], backbone: Backbone) -> tuple[Point, Point]:
    """Where a backbone meets the switches of its clusters."""
    first, second = (placed[name] for name in backbone.between)
    return _end(first, second), _end(second, first)


def _end(own: Placed, other: Placed) -> Point:
    """Inner end of the switch within a row, else a point on its edge that faces the other."""
    switch, target = own.switch, other.switch
    distance = target.middle[0] - switch.middle[0]
    if own.row == other.row:
        return (switch.right if distance > 0 else switch.x), switch.middle[1]
    is_above = abs(distance) < LEAST_SWITCH_WIDTH / 4
    share = 0.5 if is_above else 0.5 + (0.3 if distance > 0 else -0.3)
    edge = switch.bottom if target.y > switch.y else switch.y
    return switch.x + share * switch.width, edge


def label_boxes(
    backbones: Sequence[Backbone], placed: dict[str, Placed]
) -> list[tuple[Backbone, Box]]:
    """Places for the labels of backbones: at their lines, apart from all else if that can be."""
    taken = [cluster.box for cluster in placed.values()]
    lines = {backbone: list(_points(*ends(placed, backbone))) for backbone in backbones}
    found = []
    for backbone in sorted(backbones, key=lambda backbone: not _is_level(backbone, placed)):
        others = [point for other in backbones if other != backbone for point in lines[other]]
        places = list(_places(backbone, placed))
        free = [box for box in places if not any(map(box.overlaps, taken))] or places
        clear = [box for box in free if not any(map(box.holds, others))] or free
        taken.append(clear[0])
        found.append((backbone, clear[0]))
    return found


def _points(start: Point, end: Point) -> Iterator[Point]:
    for share in (step / STEPS_OF_A_LINE for step in range(STEPS_OF_A_LINE + 1)):
        yield start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _is_level(backbone: Backbone, placed: dict[str, Placed]) -> bool:
    return len({placed[name].row for name in backbone.between}) == 1


def _places(backbone: Backbone, placed: dict[str, Placed]) -> Iterator[Box]:
    """Boxes for a label: above or below a level line, else at one point after the other on it."""
    (x1, y1), (x2, y2) = ends(placed, backbone)
    width = LETTER * max(map(len, label_lines(backbone)))
    height = 3 * LINE_HEIGHT + 4
    if _is_level(backbone, placed):
        away, x = SWITCH_HEIGHT / 2, (x1 + x2 - width) / 2
        above, below = Box(x, y1 - away - height, width, height), Box(x, y1 + away, width, height)
        is_turned = placed[backbone.between[0]].is_turned
        yield from (below, above) if is_turned else (above, below)
        return
    for aside, share in product((0.0, -0.6, 0.6), PLACES_ON_A_LINE):
        x, y = x1 + share * (x2 - x1), y1 + share * (y2 - y1)
        yield Box(x - width / 2 + aside * width, y - height / 2, width, height)


def label_lines(backbone: Backbone) -> tuple[str, str, str]:
    """What is written at a backbone."""
    buffer = buffer_text(backbone.buffer) + (" buffer" if backbone.buffer else "")
    delay = f"{format_seconds(backbone.delay)} one way" if backbone.delay else "no delay"
    return rate_text(backbone.rate), delay, buffer


def rate_text(rate: float | None) -> str:
    """Rate of a link in words."""
    return "unlimited rate" if rate is None else format_rate(rate)


def buffer_text(buffer: int | None) -> str:
    """Buffer of a port in words."""
    return "unlimited buffer" if buffer is None else format_bytes(buffer)
