"""Penalties of measured graphs, with intervals: the inverse method over a whole set of graphs.

Source: Martinasso, Méhaut, Euro-Par 2011, section 3.3; Efron, Tibshirani, "An introduction to the
bootstrap", 1993, ch. 13 (percentile intervals).
Idea: the penalties of a graph's first step follow from those of its later steps (inverse.py),
which are smaller graphs: they are looked up among the measured graphs by their shape, the smaller
first, or else are those of a model. Edges of the same role have the same penalty, so that their
ends count together; otherwise noise would look like steps. Every graph is computed once from all
repetitions, and again from each of many resamples of them. Resample b of a graph is paired with
resample b of the graphs of its later steps and of the bandwidth, so that intervals hold the
uncertainty of these too.
Restrictions: the connected parts of a graph do not disturb each other (one switch).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.sharing.graphs import Bandwidth, MeasuredGraph
from contend.sharing.inverse import LaterSteps, penalties_from_times
from contend.sharing.isomorphism import Edges, components, roles
from contend.sharing.several import first_penalties
from contend.sharing.shapes import Shapes, renumbered

RESAMPLES = 200
FEWEST = 6  # repetitions below which resamples say nothing


@dataclass(eq=False)
class Shape:
    """All measurements of one connected shape; `slowdowns` are times over that of a message alone.

    slowdowns: (repetitions, edges). draws: (1 + resamples, edges), penalties from all repetitions
    first, then from resamples; NaN where the times contradict those of the later steps.
    """

    edges: Edges
    graphs: list[str] = field(default_factory=list)
    sizes: set[int] = field(default_factory=set)
    repetitions: list[Floats] = field(default_factory=list)
    draws: Floats = field(default_factory=lambda: np.empty(0))
    later_steps: int = 0
    later_measured: int = 0

    @property
    def slowdowns(self) -> Floats:
        """Of all graphs together."""
        return np.concatenate(self.repetitions)

    @property
    def penalties(self) -> Floats:
        """Of the first step, (edges,)."""
        first: Floats = self.draws[0]
        return first

    def bounds(self) -> tuple[Floats, Floats] | None:
        """95 % intervals, (edges,) each; None of fewer repetitions than resamples are good for."""
        drawn = self.draws[1:]
        if len(self.slowdowns) < FEWEST or np.isnan(drawn[:, 0]).mean() > 0.1 or not len(drawn):
            return None
        low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0)
        return np.minimum(low, self.penalties), np.maximum(high, self.penalties)


def shapes_of(graphs: Sequence[MeasuredGraph], bandwidth: float) -> list[Shape]:
    """The connected shapes among the graphs, the fewest edges first."""
    index, found = Shapes(), list[Shape]()
    for graph in graphs:
        slowdowns = graph.ends * bandwidth / graph.m
        for part in components(graph.edges):
            edges = tuple(graph.edges[number] for number in part)
            known = index.find(edges)
            if known is None:
                known = index.add(edges), list(range(len(edges)))
                found.append(Shape(renumbered(edges)))
            number, images = known
            shape = found[number]
            columns = np.empty(len(part), dtype=int)
            columns[images] = part
            shape.repetitions.append(slowdowns[:, columns])
            shape.graphs.append(graph.name)
            shape.sizes.add(graph.m)
    return sorted(found, key=lambda shape: len(shape.edges))


def invert(
    shapes: Sequence[Shape],
    fallback: str,
    parameters: Mapping[str, float],
    bandwidth: Bandwidth | None = None,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
) -> tuple[list[Shape], list[tuple[Shape, str]]]:
    """Shapes with their penalties; and those whose times contradict smaller graphs, and why.

    Without `rng` there are no resamples. `bandwidth` is what the slowdowns were made with.
    """
    factors = np.ones(1 + (resamples if rng is not None else 0))
    if rng is not None and bandwidth is not None:
        launches = np.array(bandwidth.per_launch)
        drawn = rng.integers(launches.size, size=(resamples, launches.size))
        factors[1:] = np.median(launches[drawn], axis=1) / bandwidth.value
    known, done, failed = Shapes(), list[Shape](), list[tuple[Shape, str]]()
    for shape in shapes:
        ends = _draw_ends(shape, len(factors), rng) * factors[:, None]
        later = _LaterSteps(shape, known, done, fallback, parameters)
        try:
            first = penalties_from_times(ends[0], 1.0, 1.0, later.of_draw(0))
        except InvalidInputError as problem:
            failed.append((shape, problem.message))
            continue
        shape.later_steps, shape.later_measured = later.steps, later.measured_steps
        others = [_or_nan(ends[draw], later, draw) for draw in range(1, len(ends))]
        shape.draws = np.array([first, *others])
        known.add(shape.edges)
        done.append(shape)
    return done, failed


def _draw_ends(shape: Shape, count: int, rng: np.random.Generator | None) -> Floats:
    """Median end of each edge's role, in all repetitions and then in resamples of them."""
    role_of = np.array(roles(shape.edges))
    slowdowns = shape.slowdowns
    by_role = np.stack(
        [slowdowns[:, role_of == role].mean(axis=1) for role in range(role_of.max() + 1)], axis=1
    )
    ends = np.median(by_role, axis=0)[None, :]
    if rng is not None and count > 1:
        rows = rng.integers(len(by_role), size=(count - 1, len(by_role)))
        ends = np.concatenate([ends, np.median(by_role[rows], axis=1)])
    drawn: Floats = ends[:, role_of]
    return drawn


def _or_nan(ends: Floats, later: "_LaterSteps", draw: int) -> Floats:
    try:
        return penalties_from_times(ends, 1.0, 1.0, later.of_draw(draw))
    except InvalidInputError:
        return np.full(ends.shape, np.nan)


class _LaterSteps:
    """Penalties of the flows of one graph that are left, draw by draw; smaller graphs know them."""

    def __init__(
        self,
        shape: Shape,
        known: Shapes,
        done: Sequence[Shape],
        fallback: str,
        parameters: Mapping[str, float],
    ) -> None:
        self._edges, self._known, self._done = shape.edges, known, done
        self._fallback, self._parameters = fallback, parameters
        self._memory: dict[tuple[int, ...], Floats] = {}
        self.steps = 0
        self.measured_steps = 0

    def of_draw(self, draw: int) -> LaterSteps:
        """What `penalties_from_times` asks for; a row that stands for all draws is the only one."""

        def penalties(left: Sequence[int]) -> Floats:
            drawn = self._of(tuple(left))
            row: Floats = drawn[draw if len(drawn) > 1 else 0]
            return row

        return penalties

    def _of(self, left: tuple[int, ...]) -> Floats:
        """(draws, left)."""
        if left not in self._memory:
            edges = tuple(self._edges[number] for number in left)
            parts = [self._of_part(tuple(edges[e] for e in part)) for part in components(edges)]
            drawn = np.empty((max(len(values) for values, _ in parts), len(left)))
            for part, (values, _) in zip(components(edges), parts, strict=True):
                drawn[:, part] = values
            self._memory[left] = drawn
            self.steps += 1
            self.measured_steps += all(is_measured for _, is_measured in parts)
        return self._memory[left]

    def _of_part(self, edges: Edges) -> tuple[Floats, bool]:
        """(draws, edges) of a connected part, and whether it was measured."""
        found = self._known.find(edges)
        if found is None:
            return first_penalties(edges, self._fallback, self._parameters)[None, :], False
        return self._done[found[0]].draws[:, found[1]], True
