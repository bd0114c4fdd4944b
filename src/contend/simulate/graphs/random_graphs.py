"""Random contention graphs, no two of the same shape.

Source: the validation of Martinasso, Méhaut, Euro-Par 2011, section 5: random directed graphs, in
groups by their number of edges.
Idea: edges are drawn without repetition among a drawn number of nodes. Graphs whose messages all
meet are kept; those of every tenth need not: they show whether strangers disturb each other. Each
number of edges gets as many graphs, until its shapes are used up.
Cost: a search for an equal shape among the graphs before it (isomorphism.py).
Restrictions: no parallel messages; numbers of edges of which few shapes exist give few.
"""

from collections.abc import Sequence

import numpy as np

from contend.base.errors import InvalidInputError
from contend.simulate.graphs.isomorphism import Edges, Shapes, components, renumbered

FREE_EVERY = 10  # such a graph may fall into parts
_TRIES = 300  # without a new shape, after which there are none left


def random_graphs(
    count: int, edges: Sequence[int], nodes: Sequence[int], seed: int
) -> dict[str, Edges]:
    """Graphs by name; the first of more graphs are the same.

    `edges` and `nodes` are the numbers to choose from.

    >>> [len(edges) for edges in random_graphs(4, [2, 3], [4], seed=1).values()]
    [2, 3, 2, 3]
    """
    _require(count, edges, nodes)
    rng = np.random.default_rng(seed)
    shapes = Shapes()
    sizes = sorted(set(edges))
    graphs: dict[str, Edges] = {}
    turn = 0
    while len(graphs) < count and sizes:
        size = sizes[turn % len(sizes)]
        may_fall_apart = len(graphs) % FREE_EVERY == FREE_EVERY - 1
        graph = _new(rng, size, nodes, shapes, may_fall_apart)
        if graph is None:
            sizes.remove(size)
            continue
        shapes.add(graph)
        graphs[f"random-{len(graphs) + 1}"] = graph
        turn += 1
    if len(graphs) < count:
        raise InvalidInputError(
            f"{count} random graphs were asked for, {len(graphs)} shapes were found",
            "ask for fewer, or allow more edges or nodes",
        )
    return graphs


def _require(count: int, edges: Sequence[int], nodes: Sequence[int]) -> None:
    if count < 1 or not edges or min(edges) < 2:
        raise InvalidInputError(
            f"{count} random graphs of {min(edges, default='no')} edges",
            "ask for at least 1 graph, of at least 2 edges",
        )
    if not nodes or min(nodes) < 2 or max(edges) > max(nodes) * (max(nodes) - 1):
        raise InvalidInputError(
            f"{max(edges)} messages among {max(nodes, default=0)} nodes, no two of them alike",
            "ask for fewer edges or more nodes, and for at least 2 nodes",
        )


def _new(
    rng: np.random.Generator, size: int, nodes: Sequence[int], shapes: Shapes, may_fall_apart: bool
) -> Edges | None:
    """A graph of so many edges and of a shape that is not there yet; None after many tries."""
    for _ in range(_TRIES):
        among = int(rng.choice(nodes))
        if among < 2 or size > among * (among - 1):
            continue
        graph = _draw(rng, size, among)
        if (may_fall_apart or len(components(graph)) == 1) and shapes.find(graph) is None:
            return graph
    return None


def _draw(rng: np.random.Generator, size: int, nodes: int) -> Edges:
    """Distinct edges, the nodes that have any numbered in order of appearance."""
    pairs = rng.choice(nodes * (nodes - 1), size=size, replace=False)
    edges = [(int(pair) // (nodes - 1), int(pair) % (nodes - 1)) for pair in pairs]
    return renumbered((src, dst + (dst >= src)) for src, dst in edges)
