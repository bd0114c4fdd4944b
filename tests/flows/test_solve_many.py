"""Many problems at once are what each is alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import contend
from contend.base.errors import ContendError, InvalidInputError
from contend.simulate.flows import models
from contend.simulate.flows.engine import solve, solve_many
from contend.simulate.topologies import FatTree

HOSTS = 8
NAMES = [name for name in models.names() if name != models.MEASURED]


def random_flows(random):
    count = random.integers(1, 30)
    src = random.integers(HOSTS, size=count)
    return {
        "src": src,
        "dst": (src + random.integers(1, HOSTS, size=count)) % HOSTS,
        "bytes": random.exponential(size=count),
        "start": random.exponential(size=count),
    }


def assert_same(found, alone):
    assert len(found) == len(alone)
    for one, other in zip(found, alone, strict=True):
        np.testing.assert_array_equal(one.end, other.end)
        assert one.events == other.events
        np.testing.assert_array_equal(one.flows.src, other.flows.src)
        assert one.alone == pytest.approx(other.alone)


@pytest.mark.parametrize("model", NAMES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), threads=st.sampled_from([1, 2, 5]))
def test_many_sets_of_flows_are_solved_as_each_alone(model, seed, threads):
    random = np.random.default_rng(seed)
    flows = [random_flows(random) for _ in range(7)]
    tree = FatTree(4, 2, 2, 1.0, 2.0)
    for network in ({"topology": tree}, {"bandwidth": 2.0, "hosts": HOSTS}):
        alone = [solve(one, model, **network) for one in flows]
        assert_same(solve_many(flows, model, threads=threads, **network), alone)


def test_many_parameters_and_bandwidths_hold_for_the_same_flows():
    flows = random_flows(np.random.default_rng(1))
    parameters = [{"beta_e": value} for value in (0.5, 1.0, 2.0)]
    bandwidths = np.array([1.0, 3.0, 2.0])
    found = solve_many(flows, "penalty3", bandwidth=bandwidths, parameters=parameters)
    alone = [
        solve(flows, "penalty3", bandwidth=bandwidth, parameters=one)
        for bandwidth, one in zip(bandwidths, parameters, strict=True)
    ]
    assert_same(found, alone)
    assert len({one.end.tobytes() for one in found}) == 3


def test_rates_over_time_are_those_of_each_alone():
    flows = [random_flows(np.random.default_rng(seed)) for seed in range(3)]
    for one, found in zip(
        flows, solve_many(flows, bandwidth=1.0, is_recorded=True, threads=3), strict=True
    ):
        alone = solve(one, bandwidth=1.0, is_recorded=True)
        assert found.steps().equals(alone.steps())


def test_one_problem_is_a_list_of_one_and_none_is_none():
    flows = {"src": [0], "dst": [1], "bytes": [3.0]}
    assert [one.end.tolist() for one in solve_many(flows, bandwidth=1.0)] == [[3.0]]
    assert solve_many([], bandwidth=1.0) == []


def test_the_problem_at_fault_is_named():
    good, bad = {"src": [0], "dst": [1], "bytes": [1.0]}, {"src": [2], "dst": [2], "bytes": [1.0]}
    with pytest.raises(InvalidInputError, match=r"problem 2: .*to itself"):
        solve_many([good, good, bad, bad], bandwidth=1.0)
    # One that the core alone refuses.
    with pytest.raises(ContendError, match=r"problem 1: alpha-fair: alpha must be from 0\.05"):
        solve_many(good, "alpha-fair", bandwidth=1.0, parameters=[{"alpha": 1.0}, {"alpha": 400.0}])
    with pytest.raises(InvalidInputError, match=r"problem 1: .*alpfa"):
        solve_many(good, "alpha-fair", bandwidth=1.0, parameters=[{"alpha": 1.0}, {"alpfa": 1.0}])


def test_lists_of_different_lengths_no_threads_and_measured_are_refused():
    flows = {"src": [0], "dst": [1], "bytes": [1.0]}
    with pytest.raises(InvalidInputError, match=r"2 flows, 3 bandwidth"):
        solve_many([flows, flows], bandwidth=[1.0, 2.0, 3.0])
    with pytest.raises(InvalidInputError, match="0 threads"):
        solve_many(flows, bandwidth=1.0, threads=0)
    with pytest.raises(InvalidInputError, match="takes penalties from a function"):
        solve_many(flows, "measured", bandwidth=1.0)


def test_from_python_topologies_and_rates_are_words():
    flows = [random_flows(np.random.default_rng(seed)) for seed in range(4)]
    found = contend.solve_many(flows, topology="fat-tree:4x2x2:2", bandwidth="8bit/s")
    alone = [contend.solve(one, topology="fat-tree:4x2x2:2", bandwidth="8bit/s") for one in flows]
    assert_same(found, alone)
