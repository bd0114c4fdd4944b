"""One host that many send to, or that sends to many: the same ends, without a look at each."""

import itertools
import time

import numpy as np
import pytest

from contend.simulate.flows.engine import solve
from contend.simulate.flows.models import names
from contend.simulate.topologies import FatTree
from flows import filling, plain_penalties

# `measured` looks at each flow by definition: its function gets them all.
MODELS = [name for name in names() if name != "measured"]
FAIR = ["maxmin", "equal_share", "alpha-fair"]
Flows = dict[str, np.ndarray]


def hot(count, is_in, seed=1):
    """Flows of other hosts into host 0, or out of it, which differ in size and start."""
    random = np.random.default_rng(seed)
    others, hub = np.arange(1, count + 1), np.zeros(count, dtype=int)
    return {
        "src": others if is_in else hub,
        "dst": hub if is_in else others,
        "bytes": random.uniform(0.5, 1.5, count),
        "start": random.uniform(0, count / 2, count),
    }


def parallel(count):
    """The same between two hosts."""
    return {**hot(count, True), "src": np.ones(count, dtype=int)}


def hot_among_others(seed, is_in):
    """Hosts become busy elsewhere and free again, so that flows join and leave the many.

    Some flows are parallel to others, and many start or end together.
    """
    random = np.random.default_rng(seed)
    many, few = 25, 25
    hub = np.concatenate([np.zeros(many, int), random.integers(6, 10, few)])
    others = np.concatenate([np.arange(1, many + 1), random.integers(1, 6, few)])
    return {
        "src": others if is_in else hub,
        "dst": hub if is_in else others,
        "bytes": random.integers(1, 4, many + few).astype(float),
        "start": random.integers(0, 20, many + few).astype(float),
    }


@pytest.mark.parametrize("model", FAIR)
@pytest.mark.parametrize("is_in", [True, False])
def test_a_hot_host_gives_all_an_equal_share(model, is_in):
    flows = hot(60, is_in)
    expected = filling.ends(
        flows["start"], flows["bytes"], lambda active: np.full(len(active), 1 / len(active))
    )
    assert solve(flows, model, bandwidth=1.0).end == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_a_hot_host_among_others_fills_as_plain_filling_does(seed):
    flows, hosts = hot_among_others(seed, True), 26
    routes = [[s, hosts + d] for s, d in zip(flows["src"], flows["dst"], strict=True)]
    expected = filling.ends(
        flows["start"],
        flows["bytes"],
        lambda on: filling.rates([routes[f] for f in on], np.ones(2 * hosts)),
    )
    assert solve(flows, bandwidth=1.0, hosts=hosts).end == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("model", plain_penalties.OF)
@pytest.mark.parametrize("is_in", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_a_hot_host_among_others_has_the_penalties_of_the_formula(model, is_in, seed):
    flows = hot_among_others(seed, is_in)
    penalties = plain_penalties.OF[model]
    expected = filling.ends(
        flows["start"], flows["bytes"], lambda on: 1 / penalties(flows["src"][on], flows["dst"][on])
    )
    assert solve(flows, model, bandwidth=1.0).end == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("model", plain_penalties.OF)
@pytest.mark.parametrize("is_in", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_penalties_of_a_hot_host_are_links_of_the_flows_alone(model, is_in, seed):
    """Beyond the hosts all fill the links between switches as plain filling does."""
    flows, tree = hot_among_others(seed, is_in), FatTree(4, 7, 1, 1.0, 20.0)
    routes, capacity = tree.routes(flows["src"], flows["dst"]), tree.capacity()
    inner = [
        [link for link in routes.links[first:last] if link >= 2 * tree.hosts]
        for first, last in itertools.pairwise(routes.offsets)
    ]

    def share(on):
        own = 1 / plain_penalties.OF[model](flows["src"][on], flows["dst"][on])
        return filling.rates(
            [[*inner[f], len(capacity) + i] for i, f in enumerate(on)],
            np.concatenate([capacity, own]),
        )

    expected = filling.ends(flows["start"], flows["bytes"], share)
    assert solve(flows, model, topology=tree).end == pytest.approx(expected, rel=1e-9)


def check_growth(solve_with):
    """Eight times the flows take far less than 64 times the time."""

    def seconds(count):
        taken = []
        for _ in range(3):
            begin = time.process_time()
            solve_with(count)
            taken.append(time.process_time() - begin)
        return min(taken)

    assert seconds(8000) < 30 * seconds(1000)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("is_in", [True, False])
def test_eight_times_the_flows_take_far_less_than_64_times_the_time(model, is_in):
    check_growth(lambda count: solve(hot(count, is_in), model, bandwidth=1.0))


@pytest.mark.parametrize("model", MODELS)
def test_so_do_eight_times_the_parallel_flows(model):
    check_growth(lambda count: solve(parallel(count), model, bandwidth=1.0))


@pytest.mark.parametrize("model", plain_penalties.OF)
@pytest.mark.parametrize("is_in", [True, False])
def test_so_do_eight_times_the_flows_over_several_switches(model, is_in):
    check_growth(
        lambda count: solve(hot(count, is_in), model, topology=FatTree(4, count // 4 + 1, 1, 1.0))
    )
