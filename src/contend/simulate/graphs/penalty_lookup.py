"""The model `measured`: penalties looked up by the shape of each step's graph.

Source: Martinasso, Méhaut, Euro-Par 2011, section 3.3: one shape, one set of penalties.
Idea: a step falls into connected parts, which do not meet on one switch. The penalties of a part
are those of the measured graph of the same shape; of a shape that was not measured they are those
of another model.
Cost: a search for each shape that is met first (isomorphism.py); later ones come from memory.
Restrictions: one switch. A penalty that was measured below 1 counts as 1.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from contend.base.document import Floats
from contend.simulate.flows.flows import Flows
from contend.simulate.graphs.isomorphism import Edges, Shapes, components
from contend.simulate.graphs.side_by_side import first_penalties


class MeasuredPenalties:
    """Penalties of any graph: measured where its connected parts were, else of a model.

    >>> known = MeasuredPenalties([((0, 1), (0, 2))], [np.array([1.5, 1.5])], "maxmin", {})
    >>> known.of(((5, 7), (5, 9), (2, 7)))  # a shape of its own: by max-min fairness
    (array([2., 2., 2.]), array([False, False, False]))
    """

    def __init__(
        self,
        graphs: Sequence[Edges],
        penalties: Sequence[Floats],
        fallback: str,
        parameters: Mapping[str, float],
    ) -> None:
        self._shapes = Shapes(graphs)
        self._penalties = [np.maximum(values, 1.0) for values in penalties]
        self._fallback, self._parameters = fallback, parameters
        self._memory: dict[Edges, tuple[Floats, bool]] = {}

    def of(self, edges: Edges) -> tuple[Floats, np.ndarray]:
        """Penalty of each edge, and whether it was measured, both (edges,)."""
        penalties = np.empty(len(edges))
        is_measured = np.empty(len(edges), dtype=bool)
        for part in components(edges):
            penalties[part], is_measured[part] = self._of_part(tuple(edges[e] for e in part))
        return penalties, is_measured

    def _of_part(self, edges: Edges) -> tuple[Floats, bool]:
        if edges not in self._memory:
            match = self._shapes.find(edges)
            if match is None:
                values = first_penalties(edges, self._fallback, self._parameters)
            else:
                values = self._penalties[match[0]][match[1]]
            self._memory[edges] = values, match is not None
        return self._memory[edges]

    def during(self, flows: Flows) -> "StepPenalties":
        """The function that `solve` takes for the model `measured`."""
        return StepPenalties(self, flows)


class StepPenalties:
    """Penalties of the flows in the network at each step, and how many of them were measured."""

    def __init__(self, measured: MeasuredPenalties, flows: Flows) -> None:
        self._measured = measured
        self._edges = list(zip(flows.src.tolist(), flows.dst.tolist(), strict=True))
        self.steps = 0
        self.measured_steps = 0

    def __call__(self, flows: np.ndarray) -> Sequence[float]:
        """Penalty of each of these flows; a step counts as measured if all of it was."""
        penalties, is_measured = self._measured.of(tuple(self._edges[flow] for flow in flows))
        self.steps += 1
        self.measured_steps += bool(is_measured.all())
        values: list[float] = penalties.tolist()
        return values
