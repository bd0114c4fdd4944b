"""Graphs by shape: which of them is isomorphic to a given one, and which edge is which."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from contend.graphs.isomorphism import Edges, key, matching


class Shapes:
    """Graphs of different shapes, numbered in the order in which they were added."""

    def __init__(self, graphs: Sequence[Edges] = ()) -> None:
        self.graphs: list[Edges] = []
        self._by_key: defaultdict[Hashable, list[int]] = defaultdict(list)
        self._largest = 0
        for edges in graphs:
            self.add(edges)

    def add(self, edges: Edges) -> int:
        """Number of a graph of a new shape."""
        self._by_key[key(edges)].append(len(self.graphs))
        self._largest = max(self._largest, len(edges))
        self.graphs.append(edges)
        return len(self.graphs) - 1

    def find(self, edges: Edges) -> tuple[int, list[int]] | None:
        """Number of the graph of this shape, and for each edge the number of its image there."""
        if len(edges) > self._largest:
            return None
        for number in self._by_key.get(key(edges), ()):
            if (images := matching(edges, self.graphs[number])) is not None:
                return number, images
        return None


def renumbered(edges: Iterable[tuple[int, int]]) -> Edges:
    """The graph with its vertices numbered from 0 in order of appearance.

    >>> renumbered([(7, 3), (7, 5)])
    ((0, 1), (0, 2))
    """
    found = tuple(edges)
    numbers = {v: i for i, v in enumerate(dict.fromkeys(v for edge in found for v in edge))}
    return tuple((numbers[src], numbers[dst]) for src, dst in found)
