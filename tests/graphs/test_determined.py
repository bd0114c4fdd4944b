"""Bounds are only given where graphs determine a parameter: a property over random graphs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.statistics.launches import OVER_LAUNCHES
from contend.simulate.graphs.identifiability import undetermined
from contend.simulate.graphs.measurements import bandwidth_alone, measured_graphs
from contend.simulate.graphs.parameters import ModelFit, Observations, fit, with_bounds
from support.graphs import SMALL, Edges, launched

TRUE = {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6}


def fitted(graphs: dict[str, Edges], model: str = "penalty3") -> tuple[Observations, ModelFit]:
    samples = launched(graphs, model, TRUE, np.random.default_rng(1), spread=0.01)
    alone = bandwidth_alone(samples)
    assert alone is not None
    seen = Observations(tuple(measured_graphs(samples)), alone.value)
    return seen, with_bounds(seen, fit(seen, model, np.random.default_rng(1)), alone, OVER_LAUNCHES)


@settings(max_examples=12, derandomize=True)
@given(st.sets(st.sampled_from(sorted(SMALL)), min_size=1, max_size=5))
def test_no_bounds_without_an_end_that_moves_either_way(names: set[str]) -> None:
    seen, found = fitted({name: SMALL[name] for name in sorted(names)})
    here = seen.errors("penalty3", found.parameters)
    for name, value in found.parameters.items():
        moves = [
            not np.allclose(seen.errors("penalty3", found.parameters | {name: step * value}), here)
            for step in (0.9, 1.1)
        ]
        assert (name in found.bounds) <= all(moves)
        assert (name in found.bounds) != (name in found.undetermined)


def test_a_parameter_is_told_apart_by_a_graph_in_which_the_other_has_no_part() -> None:
    full = tuple((src, dst) for src in (0, 1, 2) for dst in (3, 4))  # gamma times beta_s, always
    assert fitted({"full": full})[1].bounds.keys() == set()
    assert fitted({"full": full, "out": SMALL["fan-out-2"]})[1].bounds.keys() == {"beta_s", "gamma"}


def test_a_limit_is_no_value() -> None:
    """Where only one of two terms counts, the other could be anything that is smaller."""

    def larger(factors: np.ndarray) -> np.ndarray:
        return np.array([np.log(max(factors[0], 0.95 * factors[1])), np.log(factors[0])])

    assert undetermined(larger, np.array([1.0, 1.0])).tolist() == [False, True]
    assert undetermined(larger, np.array([1.0, 2.0])).tolist() == [False, False]
