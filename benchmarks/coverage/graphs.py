"""Intervals of measured contention graphs: bandwidth alone, penalties, parameters of models.

The campaign is that of `contend measure messages`, with fewer graphs: a message alone measured once
in 16 graphs, and the later steps as graphs of their own. A penalty of `penalty3` is the truth.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import simulated
from simulated import Row

from contend.base.statistics.launches import OVER_LAUNCHES
from contend.simulate.graphs.measurements import bandwidth_alone, measured_graphs
from contend.simulate.graphs.parameters import Observations, fit, with_bounds
from contend.simulate.graphs.penalties import invert, shapes_of
from contend.simulate.graphs.side_by_side import first_penalties

sys.path.append(str(Path(__file__).parents[2] / "tests"))
from support.graphs import BANDWIDTH, launched, random_graphs

PARAMETERS = {
    "penalty3": {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6},
    "alpha-fair": {"alpha": 2.0},
}
GRAPHS = random_graphs(12, np.random.default_rng(2))


def campaign(
    rng: np.random.Generator, launches: int | None = None, spread: float = 0.05
) -> Iterator[Row]:
    """Name, truth, value, low and high of each interval of a campaign."""
    launches = launches or simulated.LAUNCHES
    samples = launched(GRAPHS, "penalty3", PARAMETERS["penalty3"], rng, launches, spread)
    alone = bandwidth_alone(samples)
    if alone is None:
        raise ValueError("the campaign has no message alone")
    bandwidth, graphs = alone.quantity, measured_graphs(samples)
    yield "bandwidth", BANDWIDTH, alone.value, float(bandwidth.low), float(bandwidth.high)
    shapes, _ = invert(
        shapes_of(graphs, alone.value), "penalty3", PARAMETERS["penalty3"], alone, OVER_LAUNCHES
    )
    for shape in shapes:
        truth = first_penalties(shape.edges, "penalty3", PARAMETERS["penalty3"])
        bounds = shape.bounds()
        if bounds is None:
            continue
        steps = "penalty, no later step" if not shape.later_steps else "penalty, later steps"
        for row in zip(truth, shape.penalties, *bounds, strict=True):
            yield steps, *map(float, row)
    for model, parameters in PARAMETERS.items():
        yield from of_parameters(model, parameters, rng, launches, spread)


def of_parameters(
    model: str, truth: dict[str, float], rng: np.random.Generator, launches: int, spread: float
) -> Iterator[Row]:
    """The same of the parameters of a model, in a campaign that it rules."""
    samples = launched(GRAPHS, model, truth, rng, launches, spread)
    alone = bandwidth_alone(samples)
    if alone is None:
        raise ValueError("the campaign has no message alone")
    seen = Observations(tuple(measured_graphs(samples)), alone.value)
    found = with_bounds(seen, fit(seen, model, np.random.default_rng(1)), alone, OVER_LAUNCHES)
    for name, (low, high) in found.bounds.items():
        yield f"{model} {name}", truth[name], found.parameters[name], low, high
