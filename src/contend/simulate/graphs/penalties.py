"""Penalties of measured graphs, with intervals: the inverse method over a whole set of graphs.

Source: Martinasso, Méhaut, Euro-Par 2011, section 3.3; for the intervals statistics.launches.
Idea: the penalties of a graph's first step follow from those of its later steps (inverse.py),
which are smaller graphs: they are looked up among the measured graphs by their shape, the smaller
first, or else are those of a model. Edges of the same role have the same penalty, so that their
ends count together; otherwise noise would look like steps. Every shape is computed from all
launches, and again from some of them: bandwidth, later steps and the graph itself are then those
of the same launches, so that intervals hold the uncertainty of all three.
Restrictions: the connected parts of a graph do not disturb each other (one switch). A later step
that comes from a model, or from a shape that the chosen launches lack, counts as known.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from contend.base.document import Bounds, Floats
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import Estimate
from contend.simulate.graphs.inverse import penalties_from_times
from contend.simulate.graphs.isomorphism import Edges, Shapes, components, renumbered, roles
from contend.simulate.graphs.measurements import Bandwidth, MeasuredGraph
from contend.simulate.graphs.repeats import Kept, over_repeats, typical
from contend.simulate.graphs.side_by_side import first_penalties


@dataclass(eq=False)
class Shape:
    """All measurements of one connected shape; `slowdowns` are times over that of a message alone.

    slowdowns: a row per repetition, (repetitions, edges); repeats: the launch of each, or its
    number within the only one, (repetitions,). penalties: of the first step, (edges,).
    """

    edges: Edges
    graphs: list[str] = field(default_factory=list)
    sizes: set[int] = field(default_factory=set)
    slowdowns: Floats = field(default_factory=lambda: np.empty(0))
    repeats: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=int))
    penalties: Floats = field(default_factory=lambda: np.empty(0))
    estimate: Estimate | None = None
    later_steps: int = 0
    later_measured: int = 0

    def bounds(self) -> tuple[Floats, Floats] | None:
        if self.estimate is None or self.estimate.low is None or self.estimate.high is None:
            return None
        return self.estimate.low, self.estimate.high

    def ends(self, kept: Kept | None = None) -> Floats:
        ends: Floats = typical(self._by_role, self.repeats, kept)[self._role_of]
        return ends

    @cached_property
    def _role_of(self) -> np.ndarray:
        return np.array(roles(self.edges))

    @cached_property
    def _by_role(self) -> Floats:
        """Slowdown of each role in each repetition, (repetitions, roles)."""
        logarithms = np.log(self.slowdowns)
        means = [
            logarithms[:, self._role_of == role].mean(axis=1)
            for role in range(self._role_of.max() + 1)
        ]
        slowdowns: Floats = np.exp(np.stack(means, axis=1))
        return slowdowns


def shapes_of(graphs: Sequence[MeasuredGraph], bandwidth: float) -> list[Shape]:
    """The connected shapes among the graphs, the fewest edges first."""
    index, shapes = Shapes(), list[Shape]()
    rows: list[list[tuple[Floats, np.ndarray]]] = []
    for graph in graphs:
        slowdowns = graph.ends / (graph.m / bandwidth)
        for part in components(graph.edges):
            edges = tuple(graph.edges[number] for number in part)
            match = index.find(edges)
            if match is None:
                match = index.add(edges), list(range(len(edges)))
                shapes.append(Shape(renumbered(edges)))
                rows.append([])
            number, images = match
            columns = np.empty(len(part), dtype=int)
            columns[images] = part
            rows[number].append((slowdowns[:, columns], graph.repeats))
            shapes[number].graphs.append(graph.name)
            shapes[number].sizes.add(graph.m)
    for shape, parts in zip(shapes, rows, strict=True):
        shape.slowdowns = np.concatenate([part for part, _ in parts])
        shape.repeats = np.concatenate([of for _, of in parts])
    return sorted(shapes, key=lambda shape: len(shape.edges))


def invert(
    shapes: Sequence[Shape],
    fallback: str,
    parameters: Mapping[str, float],
    bandwidth: Bandwidth | None = None,
    by: Bounds | None = None,
) -> tuple[list[Shape], list[tuple[Shape, str]]]:
    """Shapes with their penalties; and those whose times contradict smaller graphs, and why.

    `bandwidth` is what the slowdowns were made with. Intervals need `by`, what repeats are.
    """
    index, done, failed = Shapes(), list[_Inverse](), list[tuple[Shape, str]]()
    for shape in shapes:
        later = _LaterSteps(shape.edges, index, done, fallback, parameters)
        inverse = _Inverse(shape, later, bandwidth)
        try:
            shape.penalties = inverse.penalties()
        except InvalidInputError as problem:
            failed.append((shape, problem.message))
            continue
        shape.later_steps, shape.later_measured = later.steps, later.measured_steps
        if by is not None:
            shape.estimate = inverse.estimate(by)
        index.add(shape.edges)
        done.append(inverse)
    return [inverse.shape for inverse in done], failed


class _Inverse:
    """Penalties of a shape by those launches that are kept; each set of launches only once."""

    def __init__(self, shape: Shape, later: "_LaterSteps", bandwidth: Bandwidth | None) -> None:
        self.shape = shape
        self._later, self._bandwidth = later, bandwidth
        self._memory: dict[Kept | None, Floats] = {}

    def estimate(self, by: Bounds) -> Estimate:
        """Penalties with their bounds, (edges,)."""
        repeats = np.unique(self.shape.repeats).tolist()
        return over_repeats(
            repeats, lambda kept: self.penalties(kept if len(kept) < len(repeats) else None), by
        )

    def penalties(self, kept: Kept | None = None) -> Floats:
        if kept not in self._memory:
            ends = self.shape.ends(kept)
            if np.isnan(ends).any():
                return self.shape.penalties
            if kept is not None and self._bandwidth is not None:
                ends = ends * (self._bandwidth.of(kept) / self._bandwidth.value)
            self._memory[kept] = penalties_from_times(
                ends, 1.0, 1.0, lambda flows: self._later.penalties(tuple(flows), kept)
            )
        return self._memory[kept]


class _LaterSteps:
    """Penalties of the flows of one graph that are left; smaller graphs know them, or a model."""

    def __init__(
        self,
        edges: Edges,
        index: Shapes,
        done: Sequence[_Inverse],
        fallback: str,
        parameters: Mapping[str, float],
    ) -> None:
        self._edges, self._index, self._done = edges, index, done
        self._fallback, self._parameters = fallback, parameters
        self._parts: dict[tuple[int, ...], list[tuple[list[int], _Penalties]]] = {}
        self.steps = 0
        self.measured_steps = 0

    def penalties(self, flows: tuple[int, ...], kept: Kept | None) -> Floats:
        if flows not in self._parts:
            self._parts[flows] = self._add_step(tuple(self._edges[number] for number in flows))
        values = np.empty(len(flows))
        for numbers, penalties in self._parts[flows]:
            values[numbers] = penalties(kept)
        return values

    def _add_step(self, edges: Edges) -> list[tuple[list[int], "_Penalties"]]:
        """Return the edges of each connected part of a step, by number, and their penalties."""
        parts: list[tuple[list[int], _Penalties]] = []
        is_measured = True
        for numbers in components(edges):
            part = tuple(edges[number] for number in numbers)
            if (match := self._index.find(part)) is None:
                is_measured = False
                values = first_penalties(part, self._fallback, self._parameters)
                parts.append((numbers, partial(_fixed, values)))
            else:
                parts.append((numbers, partial(_at, self._done[match[0]], np.array(match[1]))))
        self.steps += 1
        self.measured_steps += is_measured
        return parts


_Penalties = Callable[[Kept | None], Floats]  # of the edges of a part, by launches


def _fixed(values: Floats, kept: Kept | None) -> Floats:
    return values


def _at(inverse: _Inverse, edges: np.ndarray, kept: Kept | None) -> Floats:
    penalties: Floats = inverse.penalties(kept)[edges]
    return penalties
