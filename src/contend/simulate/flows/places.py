"""Places of the hosts of a contention graph.

Source: Kamada, Kawai, An algorithm for drawing general undirected graphs, Information Processing
Letters 31 (1989), as networkx has it.
Idea: hosts far apart in the graph are far apart on the sheet. Each connected part is laid out by
itself and turned so that its messages go to the right on the whole; parts stand in rows.
Cost: O(hosts^2) per step of the minimiser; meant for some 30 hosts.
"""

from collections.abc import Sequence
from math import atan2, ceil, cos, sin, sqrt

import numpy as np

Pair = tuple[int, int]
Point = tuple[float, float]
LONGEST_STRETCH = 2.5  # of one direction against the other, to use the sheet


def places(edges: Sequence[Pair], width: float, height: float) -> dict[int, Point]:
    """Place of every host that an edge touches, within `width` by `height`.

    >>> [round(x) for x, y in places([(0, 1)], 100, 50).values()]
    [0, 100]
    """
    import networkx as nx

    graph = nx.DiGraph(list(edges))
    parts = [sorted(part) for part in nx.weakly_connected_components(graph)]
    parts.sort(key=lambda part: (-len(part), part))
    columns = ceil(sqrt(len(parts) * width / height)) if len(parts) > 1 else 1
    columns = min(columns, len(parts))
    lines = ceil(len(parts) / columns)
    place_of = {}
    for number, part in enumerate(parts):
        line, column = divmod(number, columns)
        size = _cell(width, columns), _cell(height, lines)
        corner = (column * width / columns, line * height / lines)
        for host, (x, y) in _part(graph.subgraph(part), *size).items():
            place_of[host] = (corner[0] + x, corner[1] + y)
    return place_of


def _cell(length: float, count: int) -> float:
    """Length for each of several parts, with room between them."""
    return length if count == 1 else 0.55 * length / count


def _part(graph: "nx.DiGraph", width: float, height: float) -> dict[int, Point]:  # type: ignore[name-defined] # noqa: F821
    import networkx as nx

    hosts = sorted(graph)
    undirected = nx.Graph()
    undirected.add_nodes_from(hosts)
    undirected.add_edges_from(sorted(graph.edges))
    layout = nx.kamada_kawai_layout(undirected)
    points = np.array([layout[host] for host in hosts])
    number = {host: index for index, host in enumerate(hosts)}
    steps = [points[number[dst]] - points[number[src]] for src, dst in graph.edges]
    points = _fitted(_turned(points, np.mean(steps, axis=0)), width, height)
    return {host: (float(x), float(y)) for host, (x, y) in zip(hosts, points, strict=True)}


def _turned(points: np.ndarray, direction: np.ndarray) -> np.ndarray:
    if np.hypot(*direction) < 1e-3:
        return points
    angle = atan2(direction[1], direction[0])
    turn = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    turned: np.ndarray = points @ turn
    return turned


def _fitted(points: np.ndarray, width: float, height: float) -> np.ndarray:
    """The points, moved and stretched to fill the sheet."""
    sheet = np.array([width, height])
    low, high = points.min(axis=0), points.max(axis=0)
    extent = np.maximum(high - low, 1e-9)
    scale = sheet / extent
    scale = np.minimum(scale, LONGEST_STRETCH * scale.min())
    fitted: np.ndarray = sheet / 2 + (points - (low + high) / 2) * scale
    return fitted
