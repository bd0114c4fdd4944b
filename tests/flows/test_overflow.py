"""Times and sizes at the ends of what a double holds: finite durations, or a clear error."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.simulate.flows.engine import solve
from contend.simulate.flows.models import names
from contend.simulate.topologies import Links

PLAIN = {"src": [0, 1], "dst": [2, 2], "bytes": [1.0, 1.0]}
HUGE = 1e308
amounts = st.sampled_from([0.0, 5e-324, 1e-300, 1.0, 1e16, 1e300, HUGE, np.finfo(float).max])
rates = st.sampled_from([5e-324, 1e-300, 1.0, 1e16, 1e300, HUGE, np.finfo(float).max])
times = st.builds(lambda sign, size: sign * size, st.sampled_from([-1.0, 1.0]), amounts)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"start": [HUGE, 0.0], "latency": [HUGE, 0.0]}, "flow 0: start 1e.308 and latency 1e.308"),
        ({"start": [-HUGE, HUGE]}, "flow 1 would take until an infinite time"),
        ({"latency": [HUGE, HUGE], "requires": [[], [0]]}, "flow 1 would take until an infinite"),
        ({"start": [-HUGE, 0.0], "requires": [[1], []], "latency": [0.0, HUGE]}, "flow 0 would"),
        ({"bytes": [HUGE, HUGE]}, "the bytes of all flows add up to an infinite number"),
    ],
)
def test_what_adds_up_to_an_infinite_time_is_an_error(change, problem):
    with pytest.raises(InvalidInputError, match=problem):
        solve({**PLAIN, **change}, bandwidth=1.0)


@st.composite
def flows(draw):
    count = draw(st.integers(1, 4))

    def column(values):
        return draw(st.lists(values, min_size=count, max_size=count))

    src = column(st.integers(0, 2))
    return {
        "src": src,
        "dst": [(s + 1) % 3 for s in src],
        "start": column(times),
        "latency": column(amounts),
        "bytes": column(amounts),
        "requires": [draw(st.lists(st.integers(0, f - 1), max_size=2)) if f else [] for f in
                     range(count)],
    }  # fmt: skip


@pytest.mark.parametrize("model", names())
@settings(max_examples=150, deadline=None)
@given(flows=flows(), bandwidth=rates, capacity=rates, has_routes=st.booleans())
def test_durations_are_finite_and_no_less_than_the_latency_or_refused(
    model, flows, bandwidth, capacity, has_routes
):
    options = {}
    if has_routes:
        flows = {**flows, "route": [[0, 1] for _ in flows["src"]]}
        options = {"topology": Links(3, [capacity, 1.0])}
    if model == "measured":
        options["penalties"] = lambda left: [1.0 + len(left)] * len(left)
    try:
        solution = solve(flows, model, bandwidth=bandwidth, hosts=3, **options)
    except InvalidInputError:
        return
    assert np.isfinite(solution.seconds).all()
    assert (solution.end >= np.add(flows["start"], flows["latency"])).all()
