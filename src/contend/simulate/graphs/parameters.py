"""Parameters of a sharing model that come closest to measured graphs.

Source: Branch, Coleman, Li, "A subspace, interior, and conjugate gradient method", 1999 (least
squares within bounds, scipy).
Idea: logarithms of predicted over measured ends count, so that an end twice too early weighs as
much as one twice too late: a relative error, whose unit is the predicted or the measured time,
prefers parameters that predict too little. Large ones count little more than linearly (soft l1
loss): one graph that lost messages must not decide. Several starts, since the loss has kinks.
Bounds over launches: the fit is repeated with some of them (statistics.launches), its graphs and
bandwidth both those of these launches alone. They say how far other launches of the same graphs
would move a parameter, not what other graphs would.
Cost: an evaluation is one run of the engine over all graphs; bounds take a search for each subset.
Restrictions: a parameter that no graph depends on keeps its initial value; bounds are of those
alone that the graphs determine.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from contend.base.document import Bounds, Floats
from contend.base.errors import InvalidInputError
from contend.simulate.flows import models
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flows import Flows
from contend.simulate.graphs.identifiability import undetermined, unmoved
from contend.simulate.graphs.measurements import Bandwidth, MeasuredGraph
from contend.simulate.graphs.repeats import Kept, over_repeats
from contend.simulate.graphs.side_by_side import side_by_side

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

REACH = 10.0  # a parameter lies within this factor of its initial value
STARTS = 5
START_REACH = 2.0  # starts lie within this factor
LARGE_ERROR = 0.05  # relative error from which the loss grows linearly
_STEP = 1e-4  # of a derivative, relative; longer than the kinks of rounding
_MOST_WEIGHINGS = 100
_AT_THE_EDGE = 1e-3  # relative; nearer to a limit of the search is on it


@dataclass(frozen=True)
class ModelFit:
    """A model with its parameters; bounds where they were asked for and graphs determine them.

    undetermined: fitted parameters whose values no graph tells, alone or apart from others.
    """

    model: str
    is_fitted: bool
    bandwidth: float
    parameters: dict[str, float]
    bounds: dict[str, tuple[float, float]]
    undetermined: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The model, and whether it has its initial parameters where it could have others."""
        return f"{self.model}-initial" if self.parameters and not self.is_fitted else self.model


@dataclass(frozen=True, eq=False)
class Observations:
    """Graphs in the form that fits need; `bandwidth` None if no message was measured alone."""

    graphs: tuple[MeasuredGraph, ...]
    bandwidth: float | None

    @cached_property
    def flows(self) -> Flows:
        return side_by_side(
            [graph.edges for graph in self.graphs], [graph.m for graph in self.graphs]
        )

    @cached_property
    def seconds(self) -> Floats:
        return np.concatenate([graph.seconds for graph in self.graphs])

    @cached_property
    def graph_of(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.graphs)), [len(graph.edges) for graph in self.graphs])

    def predicted(self, model: str, parameters: Mapping[str, float]) -> tuple[Floats, float]:
        return self._at_bandwidth(
            solve(self.flows, model, bandwidth=1.0, parameters=parameters).end
        )

    def errors(self, model: str, parameters: Mapping[str, float]) -> Floats:
        predicted, _ = self.predicted(model, parameters)
        return np.log(predicted) - np.log(self.seconds)

    def _at_bandwidth(self, needed: Floats) -> tuple[Floats, float]:
        """The ends, and the bandwidth, where each message would have `needed` at 1 byte/s."""
        bandwidth = self.bandwidth or _closest_bandwidth(np.log(needed) - np.log(self.seconds))
        return needed / bandwidth, bandwidth


def _closest_bandwidth(logarithms: Floats) -> float:
    """Return the bandwidth of least soft-l1 loss, by iteratively reweighted least squares."""
    centre = float(np.median(logarithms))
    for _ in range(_MOST_WEIGHINGS):
        weights = 1.0 / np.sqrt(1.0 + ((logarithms - centre) / LARGE_ERROR) ** 2)
        before, centre = centre, float(np.average(logarithms, weights=weights))
        if abs(centre - before) < 1e-12:
            break
    return float(np.exp(centre))


def initial(seen: Observations, model: str) -> ModelFit:
    parameters = models.get(model).parameters
    _, bandwidth = seen.predicted(model, parameters)
    return ModelFit(model, False, bandwidth, parameters, {})


def fit(seen: Observations, model: str, rng: np.random.Generator) -> ModelFit:
    """The model with the parameters closest to the graphs, of several starts."""
    first = initial(seen, model)
    values = np.array(list(first.parameters.values()))
    starts = [np.ones(len(values))] + [
        START_REACH ** rng.uniform(-1, 1, len(values)) for _ in range(STARTS - 1)
    ]
    results = [_least(seen, first, start) for start in starts]
    best = min(results, key=lambda result: float(result.cost)).x
    errors = _errors_of(seen, first)
    return _fitted(seen, first, unmoved(errors, best))


def refit(seen: Observations, before: ModelFit) -> ModelFit:
    first = initial(seen, before.model)
    factors = [before.parameters[name] / value for name, value in first.parameters.items()]
    return _fitted(seen, first, _least(seen, first, np.array(factors)).x)


def _fitted(seen: Observations, first: ModelFit, factors: Floats) -> ModelFit:
    """The model with parameters that many times the initial ones."""
    parameters = _times(first, factors)
    _, bandwidth = seen.predicted(first.model, parameters)
    is_free = undetermined(_errors_of(seen, first), factors)
    is_free |= (factors > REACH * (1 - _AT_THE_EDGE)) | (factors * REACH < 1 + _AT_THE_EDGE)
    unknown = tuple(name for name, free in zip(parameters, is_free.tolist(), strict=True) if free)
    return replace(
        first, is_fitted=True, bandwidth=bandwidth, parameters=parameters, undetermined=unknown
    )


def _times(first: ModelFit, factors: Sequence[float] | Floats) -> dict[str, float]:
    return {
        name: float(value * factor)
        for (name, value), factor in zip(first.parameters.items(), factors, strict=True)
    }


def _errors_of(seen: Observations, first: ModelFit) -> Callable[[Floats], Floats]:
    return lambda factors: seen.errors(first.model, _times(first, factors))


def _least(seen: Observations, first: ModelFit, start: Floats) -> "OptimizeResult":
    from scipy import optimize

    return optimize.least_squares(
        _errors_of(seen, first), np.clip(start, 1 / REACH, REACH), diff_step=_STEP,
        bounds=(1 / REACH, REACH), loss="soft_l1", f_scale=LARGE_ERROR,
    )  # fmt: skip


def with_bounds(seen: Observations, fit: ModelFit, alone: Bandwidth | None, by: Bounds) -> ModelFit:
    """The fit with 95 % bounds of what is determined, if there are enough launches."""
    every = np.unique(np.concatenate([graph.repeats for graph in seen.graphs])).tolist()

    @cache
    def of(kept: Kept) -> ModelFit:
        return fit if len(kept) == len(every) else refit(_seen_in(seen, alone, kept), fit)

    bounds = {}
    for name in [name for name in fit.parameters if name not in fit.undetermined]:

        def value(kept: Kept, name: str = name) -> float:
            refitted = of(kept)
            return float("nan") if name in refitted.undetermined else refitted.parameters[name]

        estimate = over_repeats(every, value, by)
        if estimate.low is not None and estimate.high is not None:
            bounds[name] = (float(estimate.low[0]), float(estimate.high[0]))
    return replace(fit, bounds=bounds)


def _seen_in(seen: Observations, alone: Bandwidth | None, kept: Kept) -> Observations:
    """What the launches that are kept have seen."""
    graphs = tuple(part for graph in seen.graphs if (part := graph.of(kept)) is not None)
    if not graphs:
        raise InvalidInputError("no graph in these launches", "measure the graphs in every launch")
    return Observations(graphs, alone.of(kept) if alone else None)
