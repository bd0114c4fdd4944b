"""The contention graph of a picture: hosts as vertices, messages as arrows between them."""

from collections.abc import Iterator

from contend.draw.arrows import arrows, head
from contend.draw.gantt import MOST_WITH_PENALTIES
from contend.draw.labels import bounds, labels
from contend.draw.layout import Pair, places
from contend.draw.messages import Messages
from contend.draw.scene import (
    Box,
    Group,
    Part,
    Point,
    Shape,
    Text,
    shortened,
    text_width,
)
from contend.units import format_bytes

MOST_HOSTS, MOST_EDGES = 30, 150  # that can be followed with the eye
MOST_NUMBERS = 60  # on arrows
MARGIN = 14.0
HOST_HEIGHT, LEAST_HOST_WIDTH, LONGEST_NAME = 24.0, 28.0, 14


def too_large(messages: Messages) -> str:
    """Why the graph cannot be drawn, "" if it can."""
    count = len(hosts(messages))
    if count > MOST_HOSTS:
        return f"The graph of {count} hosts is not drawn: beyond {MOST_HOSTS} no eye can follow it."
    if len(messages) > MOST_EDGES:
        return (
            f"The graph of {len(messages)} messages is not drawn: beyond {MOST_EDGES} no eye can "
            "follow it."
        )
    return ""


def graph(messages: Messages, width: float, height: float) -> Part:
    """The graph on a sheet of this size."""
    edges = _edges(messages)
    widths = {host: _host_width(messages, host) for host in hosts(messages)}
    side = max(widths.values()) / 2 + MARGIN
    inner = width - 2 * side, height - HOST_HEIGHT - 2 * MARGIN
    at = {
        host: (x + side, y + HOST_HEIGHT / 2 + MARGIN)
        for host, (x, y) in places(edges, *inner).items()
    }
    boxes = {host: bounds(at[host], widths[host], HOST_HEIGHT) for host in at}
    curves = arrows(edges, at, boxes, messages.hue.tolist())
    groups = (Group(messages.said(flow), (one, head(one))) for flow, one in enumerate(curves))
    texts = _texts(messages)
    written = labels(texts, curves, list(boxes.values())) if texts else ()
    vertices = (shape for host in at for shape in _host(messages, host, at[host], widths[host]))
    return Part(width, height, (*groups, *vertices, *written))


def _edges(messages: Messages) -> list[Pair]:
    flows = messages.solution.flows
    return list(zip(flows.src.tolist(), flows.dst.tolist(), strict=True))


def hosts(messages: Messages) -> set[int]:
    """Those that send or receive."""
    return {host for edge in _edges(messages) for host in edge}


def _name(messages: Messages, host: int) -> str:
    return shortened(messages.short_name(host), LONGEST_NAME)


def _host_width(messages: Messages, host: int) -> float:
    return max(LEAST_HOST_WIDTH, text_width(_name(messages, host), 12.5) + 14)


def _host(messages: Messages, host: int, at: Point, width: float) -> Iterator[Shape]:
    x, y = at
    corner = x - width / 2, y - HOST_HEIGHT / 2
    name = messages.solution.flows.name(host)
    yield Group(
        f"host {name}",
        (
            Box("host", *corner, width, HOST_HEIGHT, radius=HOST_HEIGHT / 2),
            Text("name", _name(messages, host), (x, y + 4.3), 0),
        ),
    )


def _texts(messages: Messages) -> list[str]:
    """Number, bytes if they differ, and first penalty of each message; fewer for many."""
    numbers = [str(flow + 1) for flow in range(len(messages))]
    if len(messages) > MOST_WITH_PENALTIES:
        return numbers if len(messages) <= MOST_NUMBERS else []
    sizes, penalties = messages.solution.flows.bytes, messages.first_penalty()
    found = []
    for flow, number in enumerate(numbers):
        said = [format_bytes(float(sizes[flow]))] if sizes.min() != sizes.max() else []
        said += [f"×{penalties[flow]:.3g}"] if flow in penalties else []
        found.append(f"{number}: {' '.join(said)}" if said else number)
    return found
