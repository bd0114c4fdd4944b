"""Both parts in one picture: the contention graph, and what happens over time."""

from numpy.typing import ArrayLike

from contend.draw import heat
from contend.draw.gantt import MOST_MESSAGES, MOST_WITH_PENALTIES, gantt, has_steps
from contend.draw.graph import graph, hosts, too_large
from contend.draw.messages import Messages, messages
from contend.draw.scene import Drawing, Part, Text, text_width
from contend.draw.style import STYLES
from contend.flows.engine import Solution

WIDTH, MARGIN, GAP = 960.0, 20.0, 16.0
FEW_HOSTS, FEW_MESSAGES = 12, 16  # whose graph has room beside the chart
GRAPH_SHARE = 0.4  # of the width, beside the chart
LEAST_WIDTH_BESIDE = 700.0
LEAST_HEIGHT, MOST_HEIGHT = 230.0, 900.0  # of a graph
ROOM = 22000.0  # square pixels of a graph for each host


def drawing(
    solution: Solution,
    title: str,
    note: str = "",
    measured: ArrayLike | None = None,
    width: float = WIDTH,
) -> Drawing:
    """Graph and chart of a solution, side by side where both have room.

    Parameters
    ----------
    solution
        Of `solve` with `is_recorded=True`.
    title, note
        Lines above: what this is; under which model, bandwidth and sizes.
    measured
        End of each message in seconds, (n_flows,), to be marked beside the predicted ones.

    Raises
    ------
    InvalidInputError
        When the solution has no rates over time, or `measured` not one end per message.
    """
    heading = [
        [lines([text], width - 2 * MARGIN, kind)]
        for text, kind in ((title, "title"), (note, "note"))
        if text
    ]
    return stacked(title, width, [*heading, *parts(messages(solution, measured), width)])


def parts(found: Messages, width: float) -> list[list[Part]]:
    """Rows of the picture: graph, chart, what the marks mean, within the margins."""
    inner = width - 2 * MARGIN
    marks = explanation(found, inner)
    if too_large(found):
        return [[lines([too_large(found)], inner)], [chart(found, inner)], [marks]]
    if is_small(found) and width >= LEAST_WIDTH_BESIDE:
        beside = GRAPH_SHARE * inner
        bars = chart(found, inner - beside - GAP)
        return [[graph(found, beside, max(bars.height, LEAST_HEIGHT)), bars], [marks]]
    return [[graph(found, inner, graph_height(found, inner))], [chart(found, inner)], [marks]]


def is_small(found: Messages) -> bool:
    """Whether the graph has room beside the chart."""
    return len(found) <= FEW_MESSAGES and len(hosts(found)) <= FEW_HOSTS


def chart(found: Messages, width: float) -> Part:
    """What happens over time: a bar per message, or the load of each host."""
    return gantt(found, width) if len(found) <= MOST_MESSAGES else heat.heat(found, width)


def graph_height(found: Messages, width: float) -> float:
    """Height of a graph of that width which gives its hosts room."""
    return min(MOST_HEIGHT, max(LEAST_HEIGHT, ROOM * len(hosts(found)) / width))


def explanation(found: Messages, width: float) -> Part:
    """What the marks of the picture mean."""
    if len(found) > MOST_MESSAGES:
        return heat.legend()
    said = [
        "Height of a bar: rate of the message; height of the grey band behind it: its rate alone."
    ]
    if len(found) <= MOST_WITH_PENALTIES:
        said.append("×5: penalty, five times slower than alone; on an arrow the first one.")
    if has_steps(found):
        said.append("Dashed: a message starts or ends, a new step.")
    if found.has_hues:
        said.append("Colours: sources.")
    if found.measured is not None:
        said.append("Diamonds: measured ends; per cent: predicted against measured.")
    return lines(said, width)


def stacked(title: str, width: float, rows: list[list[Part]]) -> Drawing:
    """Rows of parts below each other, those of a row from the left."""
    y, placed = MARGIN, []
    for row in filter(None, rows):
        x = MARGIN
        for part in row:
            placed.append(((x, y), part))
            x += part.width + GAP
        y += max(part.height for part in row) + GAP / 2
    return Drawing(title, width, y - GAP / 2 + MARGIN, tuple(placed))


def lines(sentences: list[str], width: float, kind: str = "note") -> Part:
    """Sentences as lines no wider than `width`, one after the other."""
    size = STYLES[kind].size
    found = [""]
    for word in " ".join(sentences).split():
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and text_width(longer, size) > width:
            found.append(word)
        else:
            found[-1] = longer
    pitch = 1.4 * size
    texts = (Text(kind, line, (0.0, size + pitch * at)) for at, line in enumerate(found))
    return Part(width, pitch * len(found), tuple(texts))
