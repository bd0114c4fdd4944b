"""maxmin against brute-force progressive filling, and what holds for any max-min sharing."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.simulate.flows.engine import solve
from contend.simulate.topologies import Links
from flows import filling


@st.composite
def networks(draw):
    """Flows over routes of 1 to 6 links; few sizes, times and capacities, so that ties occur."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    links, flows = draw(st.integers(1, 12)), draw(st.integers(1, 20))
    has_ties = draw(st.booleans())
    lengths = random.integers(1, min(6, links), size=flows, endpoint=True)
    routes = [random.permutation(links)[:length].tolist() for length in lengths]
    if has_ties:
        capacity = random.integers(1, 3, size=links, endpoint=True).astype(float)
        size = random.integers(0, 3, size=flows, endpoint=True).astype(float)
        start = random.integers(0, 2, size=flows, endpoint=True).astype(float)
    else:
        capacity = 10 ** random.uniform(-2, 2, size=links)
        size = 10 ** random.uniform(-2, 2, size=flows)
        start = random.exponential(size=flows) * random.integers(0, 1, endpoint=True)
    flows = {
        "src": np.zeros(flows, dtype=int),
        "dst": np.ones(flows, dtype=int),
        "bytes": size,
        "start": start,
        "route": routes,
    }
    return flows, capacity


def by_filling(flows, capacity):
    return filling.ends(
        flows["start"],
        flows["bytes"],
        lambda active: filling.rates([flows["route"][f] for f in active], capacity),
    )


@settings(max_examples=1000, deadline=None)
@given(networks())
def test_the_end_times_are_those_of_progressive_filling(network):
    flows, capacity = network
    found = solve(flows, bandwidth=1.0, topology=Links(2, capacity))
    assert found.end == pytest.approx(by_filling(flows, capacity), rel=1e-9, abs=1e-12)


@settings(max_examples=300, deadline=None)
@given(networks())
def test_no_link_is_over_full_and_each_flow_has_a_bottleneck(network):
    flows, capacity = network
    steps = solve(flows, bandwidth=1.0, topology=Links(2, capacity), is_recorded=True).steps()
    for _, step in steps.groupby("step"):
        # An instant of rounding between ties is no step that could be seen.
        if (step["until"] - step["begin"]).max() <= 1e-11 * step["until"].max():
            continue
        rate = dict(zip(step["flow"], step["rate"], strict=True))
        on = [[f for f in rate if link in flows["route"][f]] for link in range(len(capacity))]
        loads = np.array([sum(rate[f] for f in there) for there in on])
        assert (loads <= capacity * (1 + 1e-9)).all()
        for flow, own in rate.items():
            assert any(
                loads[link] >= capacity[link] * (1 - 1e-9)
                and own >= max(rate[f] for f in on[link]) * (1 - 1e-9)
                for link in flows["route"][flow]
            )


@pytest.mark.parametrize("has_equal_sizes", [True, False])
def test_many_hosts_on_one_switch_fill_as_plain_filling_does(has_equal_sizes):
    hosts = 12
    random = np.random.default_rng(3)
    src, dst = np.nonzero(~np.eye(hosts, dtype=bool))
    size = np.ones(len(src)) if has_equal_sizes else random.uniform(0.5, 1.5, len(src))
    flows = {"src": src, "dst": dst, "bytes": size, "start": np.zeros(len(src))}
    expected = by_filling(
        {**flows, "route": [[s, hosts + d] for s, d in zip(src, dst, strict=True)]},
        np.ones(2 * hosts),
    )
    assert solve(flows, bandwidth=1.0).end == pytest.approx(expected, rel=1e-9)


def test_arrivals_at_a_busy_switch_fill_as_plain_filling_does():
    hosts, count = 8, 400
    random = np.random.default_rng(4)
    src = random.integers(hosts, size=count)
    dst = (src + random.integers(1, hosts, size=count)) % hosts
    flows = {
        "src": src,
        "dst": dst,
        "bytes": random.exponential(size=count),
        "start": np.cumsum(random.exponential(1 / (0.9 * hosts), size=count)),
    }
    expected = by_filling(
        {**flows, "route": [[s, hosts + d] for s, d in zip(src, dst, strict=True)]},
        np.ones(2 * hosts),
    )
    assert solve(flows, bandwidth=1.0).end == pytest.approx(expected, rel=1e-9)


def test_a_solution_can_be_sent_to_another_process():
    flows = {"src": [0, 0], "dst": [1, 2], "bytes": [1, 2]}
    solution = solve(flows, bandwidth=1.0, is_recorded=True)
    there = pickle.loads(pickle.dumps(solution))
    assert there.end.tolist() == solution.end.tolist() == [2.0, 3.0]
    assert there.steps().equals(solution.steps())
