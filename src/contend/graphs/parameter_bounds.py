"""Bounds of fitted parameters over launches.

Idea: the fit is repeated with some of the launches (statistics.launches), its graphs and bandwidth
both those of these launches alone. Bounds say how far other launches of the same graphs would move
a parameter, not what other graphs would.
Cost: a search from the optimum for each subset of the launches.
Restrictions: only for parameters that the graphs determine, all of them or those of a subset.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from contend.document import Bounds
from contend.errors import InvalidInputError
from contend.graphs.measured import Bandwidth
from contend.graphs.parameters import ModelFit, Observations, refit
from contend.graphs.repeats import Kept, over_repeats


def with_bounds(
    seen: Observations, known: ModelFit, alone: Bandwidth | None, by: Bounds
) -> ModelFit:
    """The fit with 95 % bounds of what is determined, if there are enough launches."""
    every = np.unique(np.concatenate([graph.repeats for graph in seen.graphs])).tolist()

    @cache
    def of(kept: Kept) -> ModelFit:
        return known if len(kept) == len(every) else refit(_seen_in(seen, alone, kept), known)

    bounds = {}
    for name in [name for name in known.parameters if name not in known.undetermined]:

        def value(kept: Kept, name: str = name) -> float:
            found = of(kept)
            return float("nan") if name in found.undetermined else found.parameters[name]

        estimate = over_repeats(every, value, by)
        if estimate.low is not None and estimate.high is not None:
            bounds[name] = (float(estimate.low[0]), float(estimate.high[0]))
    return replace(known, bounds=bounds)


def _seen_in(seen: Observations, alone: Bandwidth | None, kept: Kept) -> Observations:
    """What the launches that are kept have seen."""
    graphs = tuple(part for graph in seen.graphs if (part := graph.of(kept)) is not None)
    if not graphs:
        raise InvalidInputError("no graph in these launches", "measure the graphs in every launch")
    return Observations(graphs, alone.of(kept) if alone else None)
