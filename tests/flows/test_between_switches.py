"""Penalties at the hosts together with max-min fair shares between switches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.simulate.flows.engine import solve
from contend.simulate.topologies import FatTree

PENALTIES = ("infiniband", "infiniband-residual", "penalty3")
HOSTS = 6


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 14))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    src = random.integers(HOSTS, size=count)
    return {
        "src": src,
        "dst": (src + random.integers(1, HOSTS, size=count)) % HOSTS,
        "bytes": random.exponential(size=count),
        "start": random.exponential(size=count) * draw(st.integers(0, 1)),
    }


def tree(oversubscription):
    return FatTree(3, 2, 2, 1.0, oversubscription)


@pytest.mark.parametrize("model", PENALTIES)
@settings(max_examples=40, deadline=None)
@given(flows=graphs())
def test_wide_links_and_one_leaf_leave_the_penalties_as_they_are(model, flows):
    pure = solve(flows, model, bandwidth=1.0, hosts=HOSTS).end
    assert solve(flows, model, topology=tree(1e-6)).end == pytest.approx(pure, rel=1e-9)
    one_leaf = FatTree(1, HOSTS, 1, 1.0)
    assert solve(flows, model, topology=one_leaf).end == pytest.approx(pure, rel=1e-9)


@pytest.mark.parametrize("model", PENALTIES)
@settings(max_examples=40, deadline=None)
@given(flows=graphs(), oversubscription=st.sampled_from([0.5, 1.0, 2.0, 7.0]))
def test_no_link_between_switches_is_exceeded(model, flows, oversubscription):
    topology = tree(oversubscription)
    solution = solve(flows, model, topology=topology, is_recorded=True)
    routes, capacity = topology.routes(flows["src"], flows["dst"]), topology.capacity()
    for _, step in solution.steps().groupby("step"):
        load = np.zeros(len(capacity))
        for flow, rate in zip(step["flow"], step["rate"], strict=True):
            load[routes.links[routes.offsets[flow] : routes.offsets[flow + 1]]] += rate
        inner = slice(2 * topology.hosts, None)
        assert (load[inner] <= capacity[inner] * (1 + 1e-9)).all()


def test_a_flow_is_bound_by_the_tighter_of_the_two():
    flows = {"src": [0, 0, 4], "dst": [2, 1, 5], "bytes": [1.0, 1.0, 1.0]}
    # Two from one host: a penalty of 2 each; the uplink of 1/4 binds the one that leaves the leaf.
    found = solve(flows, "infiniband", topology=FatTree(3, 2, 1, 1.0, 8.0), is_recorded=True)
    first = found.steps().query("step == 0")["rate"].tolist()
    assert first == pytest.approx([0.25, 0.5, 1.0])


def test_hosts_of_different_links_need_a_bandwidth():
    with pytest.raises(InvalidInputError, match="no topology gives the bandwidth"):
        solve({"src": [0], "dst": [1], "bytes": [1]}, "infiniband")
