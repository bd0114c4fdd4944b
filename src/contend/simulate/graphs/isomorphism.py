"""Contention graphs up to isomorphism: which are the same, and which edges play the same role.

Source: Jüttner, Madarasi, "VF2++ - an improved subgraph isomorphism algorithm", 2018 (networkx);
Weisfeiler, Leman, 1968, for the colours of vertices.
Idea: the penalties of a step depend on the shape of its graph alone. Colours, refined by those of
the neighbours, tell most graphs apart and narrow the search in the others; VF2++ decides.
Cost: O(V E log E) for the colours; the search is exponential at worst, and quick on the dozens of
edges that can be measured.
Restrictions: parallel edges are edges of their own, with the same role.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

Edges = tuple[tuple[int, int], ...]


def components(edges: Edges) -> list[list[int]]:
    """Numbers of the edges of each weakly connected part, in order of their first edge.

    >>> components(((0, 1), (2, 3), (1, 4)))
    [[0, 2], [1]]
    """
    from networkx.utils import UnionFind

    parts = UnionFind()
    for src, dst in edges:
        parts.union(src, dst)
    edges_of: dict[int, list[int]] = {}
    for number, (src, _) in enumerate(edges):
        edges_of.setdefault(parts[src], []).append(number)
    return list(edges_of.values())


def key(edges: Edges) -> Hashable:
    """The same for isomorphic graphs, and different for most that are not.

    >>> key(((0, 1), (0, 2))) == key(((7, 3), (7, 5))) != key(((0, 1), (2, 1)))
    True
    """
    return tuple(sorted(_edge_colours(edges)))


def matching(edges: Edges, other: Edges) -> list[int] | None:
    """For each edge the number of its image in a graph of the same shape; None if it has another.

    >>> matching(((0, 1), (1, 2)), ((1, 0), (3, 1)))
    [1, 0]
    """
    if len(edges) != len(other):
        return None
    return _matching(edges, other, _colours(edges), _colours(other))


def roles(edges: Edges) -> list[int]:
    """Role of each edge, counted from 0: some symmetry of the graph swaps edges of the same role.

    >>> roles(((0, 1), (0, 2), (3, 2)))
    [0, 1, 2]
    >>> roles(((0, 1), (0, 2), (0, 3)))
    [0, 0, 0]
    """
    colours, colour_of = _colours(edges), _edge_colours(edges)
    roles: list[int] = []
    first: list[int] = []  # edge of each role
    for number, edge in enumerate(edges):
        for role, representative in enumerate(first):
            if colour_of[representative] == colour_of[number] and _are_alike(
                edges, edges[representative], edge, colours
            ):
                roles.append(role)
                break
        else:
            roles.append(len(first))
            first.append(number)
    return roles


def _are_alike(
    edges: Edges, edge: tuple[int, int], other: tuple[int, int], colours: Mapping[int, Hashable]
) -> bool:
    """Whether a symmetry takes one edge to another: the ends of both get colours of their own."""
    if edge == other:
        return True
    marked: list[Mapping[int, Hashable]] = [
        {**colours, src: "source", dst: "destination"} for src, dst in (edge, other)
    ]
    return _matching(edges, edges, marked[0], marked[1]) is not None


def _matching(
    edges: Edges, other: Edges, colours: Mapping[int, Hashable], others: Mapping[int, Hashable]
) -> list[int] | None:
    import networkx as nx

    graphs = [_graph(edges, colours), _graph(other, others)]
    vertices = nx.vf2pp_isomorphism(*graphs, node_label="colour")
    if vertices is None:
        return None
    images: dict[tuple[int, int], list[int]] = {}
    for number in reversed(range(len(other))):
        images.setdefault(other[number], []).append(number)
    return [images[vertices[src], vertices[dst]].pop() for src, dst in edges]


def _graph(edges: Edges, colours: Mapping[int, Hashable]) -> "nx.MultiDiGraph":
    import networkx as nx

    graph = nx.MultiDiGraph()
    graph.add_nodes_from((vertex, {"colour": colour}) for vertex, colour in colours.items())
    graph.add_edges_from(edges)
    return graph


def _edge_colours(edges: Edges) -> list[tuple[int, int]]:
    colours = _colours(edges)
    return [(colours[src], colours[dst]) for src, dst in edges]


def _colours(edges: Edges) -> dict[int, int]:
    """Colour of each vertex, refined until no class splits; comparable between graphs."""
    out: defaultdict[int, list[int]] = defaultdict(list)
    into: defaultdict[int, list[int]] = defaultdict(list)
    for src, dst in edges:
        out[src].append(dst)
        into[dst].append(src)
    colours = dict.fromkeys((vertex for edge in edges for vertex in edge), 0)
    classes = 0
    while len(set(colours.values())) > classes:
        classes = len(set(colours.values()))
        colours = {
            vertex: hash(
                (
                    colour,
                    *(tuple(sorted(colours[end] for end in ends[vertex])) for ends in (out, into)),
                )
            )
            for vertex, colour in colours.items()
        }
    return colours


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
    listed = tuple(edges)
    numbers = {v: i for i, v in enumerate(dict.fromkeys(v for edge in listed for v in edge))}
    return tuple((numbers[src], numbers[dst]) for src, dst in listed)
