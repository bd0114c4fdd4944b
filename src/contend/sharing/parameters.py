"""Parameters of a sharing model that come closest to measured graphs, with bounds.

Source: Branch, Coleman, Li, "A subspace, interior, and conjugate gradient method", 1999 (least
squares within bounds, scipy); Efron, Tibshirani, "An introduction to the bootstrap", 1993, ch. 6.
Idea: relative errors of the end times count, large ones little more than linearly (soft l1 loss):
one graph that lost messages must not decide. Several starts, since the loss has kinks. The bounds
are 95 % of what resampled graphs give.
Cost: an evaluation is one run of the engine over all graphs.
Restrictions: a parameter that no graph depends on keeps its initial value, and has no bounds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import optimize

from contend.document import Floats
from contend.sharing import models
from contend.sharing.engine import solve
from contend.sharing.flows import Flows
from contend.sharing.graphs import MeasuredGraph
from contend.sharing.several import side_by_side

REACH = 10.0  # a parameter lies within this factor of its initial value
STARTS = 5
START_REACH = 2.0  # starts lie within this factor
LARGE_ERROR = 0.05  # relative error from which the loss grows linearly
RESAMPLES = 100
ELSEWHERE = (0.25, 0.5, 0.9, 1.1, 2.0, 4.0)  # factors at which a parameter may matter
_STEP = 1e-4  # of a derivative, relative; longer than the kinks of rounding


@dataclass(frozen=True)
class ModelFit:
    """A model with its parameters; bounds where they were fitted and graphs depend on them."""

    model: str
    is_fitted: bool
    bandwidth: float
    parameters: dict[str, float]
    bounds: dict[str, tuple[float, float]]

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
        """All graphs side by side."""
        return side_by_side(
            [graph.edges for graph in self.graphs], [graph.m for graph in self.graphs]
        )

    @cached_property
    def seconds(self) -> Floats:
        """Measured ends, graph after graph."""
        return np.concatenate([graph.seconds for graph in self.graphs])

    @cached_property
    def graph_of(self) -> np.ndarray:
        """Number of the graph of each message."""
        return np.repeat(np.arange(len(self.graphs)), [len(graph.edges) for graph in self.graphs])

    def predicted(self, model: str, parameters: Mapping[str, float]) -> tuple[Floats, float]:
        """End of each message, seconds, and the bandwidth: the one known, or the closest."""
        needed = solve(self.flows, model, bandwidth=1.0, parameters=parameters).end
        bandwidth = self.bandwidth or _closest_bandwidth(needed / self.seconds)
        return needed / bandwidth, bandwidth


def _closest_bandwidth(ratio: Floats) -> float:
    """Least squares of ratio / bandwidth - 1."""
    return float(np.sum(ratio**2) / np.sum(ratio))


def initial(seen: Observations, model: str) -> ModelFit:
    """The model with its initial parameters."""
    parameters = models.get(model).parameters
    _, bandwidth = seen.predicted(model, parameters)
    return ModelFit(model, False, bandwidth, parameters, {})


def fit(seen: Observations, model: str, rng: np.random.Generator, resamples: int = 0) -> ModelFit:
    """The model with the parameters closest to the graphs, of several starts.

    Bounds come from `resamples` resamples of the graphs.
    """
    first = initial(seen, model)
    names = list(first.parameters)
    values = np.array(list(first.parameters.values()))
    everything = np.arange(len(seen.seconds))
    starts = [np.ones(len(names))] + [
        START_REACH ** rng.uniform(-1, 1, len(names)) for _ in range(STARTS - 1)
    ]
    found = [_least(seen, model, values, start, everything) for start in starts]
    best = min(found, key=lambda result: float(result.cost)).x
    is_seen = _is_seen(seen, model, values, best)
    best = np.where(is_seen, best, 1.0)
    draws = [_least(seen, model, values, best, _resample(seen, rng)).x for _ in range(resamples)]
    low, high = np.quantile(draws, [0.025, 0.975], axis=0) if draws else (best, best)
    parameters = dict(zip(names, (best * values).tolist(), strict=True))
    bounds = {
        name: (float(min(low[i], best[i]) * values[i]), float(max(high[i], best[i]) * values[i]))
        for i, name in enumerate(names)
        if draws and is_seen[i]
    }
    _, bandwidth = seen.predicted(model, parameters)
    return replace(first, is_fitted=True, bandwidth=bandwidth, parameters=parameters, bounds=bounds)


def _least(
    seen: Observations, model: str, values: Floats, start: Floats, rows: np.ndarray
) -> optimize.OptimizeResult:
    """Optimum over factors of the initial values."""
    return optimize.least_squares(
        lambda factors: _errors(seen, model, values * factors)[rows],
        start,
        bounds=(1 / REACH, REACH),
        loss="soft_l1",
        f_scale=LARGE_ERROR,
        diff_step=_STEP,
    )


def _errors(seen: Observations, model: str, values: Floats) -> Floats:
    names = models.get(model).parameters
    predicted, _ = seen.predicted(model, dict(zip(names, values.tolist(), strict=True)))
    return predicted / seen.seconds - 1.0


def _is_seen(seen: Observations, model: str, values: Floats, factors: Floats) -> np.ndarray:
    """Which parameters some end time depends on, anywhere about the optimum."""
    here = _errors(seen, model, values * factors)

    def matters(number: int) -> bool:
        values_there = [1.0, *(factors[number] * np.array(ELSEWHERE))]  # its initial one first
        moved = np.tile(factors, (len(values_there), 1))
        moved[:, number] = values_there
        return any(not np.allclose(_errors(seen, model, values * row), here) for row in moved)

    return np.array([matters(number) for number in range(len(factors))], dtype=bool)


def _resample(seen: Observations, rng: np.random.Generator) -> np.ndarray:
    """Messages of as many graphs, drawn with replacement."""
    rows = [np.flatnonzero(seen.graph_of == graph) for graph in range(len(seen.graphs))]
    drawn: Sequence[int] = rng.integers(len(rows), size=len(rows)).tolist()
    return np.concatenate([rows[graph] for graph in drawn])
