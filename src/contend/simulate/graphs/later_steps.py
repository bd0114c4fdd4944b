"""The graphs that the inverse method needs: those that are left when messages of others have ended.

Source: Martinasso, Méhaut, Euro-Par 2011, section 3.3: a later step of a graph is a graph with
fewer messages, whose penalties must be known.
Idea: the order in which messages ended says which of them were left when. What is left falls into
connected parts, which do not disturb each other on one switch: a part is looked for by its shape.
Messages of the same role in a graph end together, whatever noise says; a step is worth a graph
if it is more than a small share of the time.
Cost: a search by shape (isomorphism.py) per step.
Restrictions: a part of a single message is not asked for; its penalty is 1.
"""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from contend.base.document import Floats
from contend.simulate.graphs.isomorphism import Edges, Shapes, components, renumbered, roles

LEAST_STEP = 0.03  # of the time until it ends, of a step that is worth a graph


def later_graphs(measured: Iterable[tuple[Edges, Floats]]) -> list[Edges]:
    """Shapes of later steps that are not among the measured graphs, the largest first.

    `measured` are edges and the end of each, (repetitions, edges), seconds.

    >>> fan = ((0, 1), (0, 2), (0, 3))
    >>> later_graphs([(((4, 1), *fan), np.array([[1.0, 3.0, 3.0, 3.0]]))])
    [((0, 1), (0, 2), (0, 3))]
    >>> later_graphs([(fan, np.array([[3.0, 3.1, 2.9]]))])
    []
    """
    graphs = list(measured)
    measured_shapes, wanted = Shapes(), list[Edges]()
    for edges, _ in graphs:
        for part in components(edges):
            _add(measured_shapes, edges, part)
    for edges, ends in graphs:
        for flows in steps_after_first(edges, ends):
            remaining = tuple(edges[number] for number in flows)
            for part in components(remaining):
                if len(part) > 1 and _add(measured_shapes, remaining, part):
                    wanted.append(measured_shapes.graphs[-1])
    return sorted(wanted, key=len, reverse=True)


def steps_after_first(edges: Edges, ends: Floats) -> list[list[int]]:
    """Numbers of the edges left in each step that is worth a graph."""
    role_of = np.array(roles(edges))
    seconds = np.median(
        [ends[:, role_of == role].mean(axis=1) for role in range(role_of.max() + 1)], axis=1
    )
    return [
        np.flatnonzero(seconds[role_of] > before).tolist()
        for before, until in pairwise(sorted(set(seconds.tolist())))
        if until - before > LEAST_STEP * until
    ]


def _add(shapes: Shapes, edges: Edges, part: Iterable[int]) -> bool:
    """Whether the part has a shape that was not there."""
    graph = renumbered(edges[number] for number in part)
    if shapes.find(graph) is not None:
        return False
    shapes.add(graph)
    return True
