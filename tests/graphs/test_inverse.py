"""The inverse method finds the penalties that the engine was given."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.simulate.flows.engine import solve
from contend.simulate.flows.models import names
from contend.simulate.graphs.inverse import penalties_from_times

SIZE, BANDWIDTH = 3e6, 2e9
MODELS = [name for name in names() if name != "measured"]


def synchronous(edges: list[tuple[int, int]], model: str):
    flows = {
        "src": [edge[0] for edge in edges],
        "dst": [edge[1] for edge in edges],
        "bytes": [SIZE] * len(edges),
    }
    return solve(flows, model, bandwidth=BANDWIDTH, is_recorded=True)


def first_penalties(edges: list[tuple[int, int]], model: str) -> np.ndarray:
    steps = synchronous(edges, model).steps()
    return steps[steps["step"] == 0]["penalty"].to_numpy()


edge = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda e: e[0] != e[1])


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=40, deadline=None)
@given(edges=st.lists(edge, min_size=1, max_size=7))
def test_it_undoes_the_engine(model: str, edges: list[tuple[int, int]]) -> None:
    found = penalties_from_times(
        synchronous(edges, model).end,
        SIZE,
        BANDWIDTH,
        lambda left: first_penalties([edges[flow] for flow in left], model),
    )
    assert found == pytest.approx(first_penalties(edges, model), rel=1e-6)


def test_each_repetition_has_its_own_penalties() -> None:
    found = penalties_from_times([[2.0, 2.0], [2.0, 2.5]], 1.0, 1.0, lambda left: [1.0] * len(left))
    assert found == pytest.approx(np.array([[2.0, 2.0], [2.0, 4.0]]))


@pytest.mark.parametrize(
    ("seconds", "size", "bandwidth", "later", "problem"),
    [
        ([], 1.0, 1.0, [1.0], "the end times are not a list above 0"),
        ([0.0, 1.0], 1.0, 1.0, [1.0], "the end times are not a list above 0"),
        ([np.nan, 1.0], 1.0, 1.0, [1.0], "the end times are not a list above 0"),
        ([1.0, 2.0], -1.0, 1.0, [1.0], "size is -1.0; give a finite number above 0"),
        ([1.0, 2.0], 1.0, np.inf, [1.0], "bandwidth is inf"),
        ([1.0, 2.0], 1.0, 1.0, [1.0, 1.0], "the step of flows .1. has penalties"),
        ([1.0, 3.0], 1.0, 1.0, [1.0], "flow 1 would move 2 of 1 bytes after the first end"),
    ],
)
def test_what_cannot_be_undone_is_an_error(
    seconds: list[float], size: float, bandwidth: float, later: list[float], problem: str
) -> None:
    with pytest.raises(InvalidInputError, match=problem):
        penalties_from_times(seconds, size, bandwidth, lambda left: later)
