"""Counts of links and switches, path lengths and bisections of topologies against closed forms."""

from math import prod

import networkx as nx
import numpy as np
import pytest
from wiring import ends_of, graph_of

from contend.base.errors import InvalidInputError
from contend.simulate.topologies import Dragonfly, GeneralFatTree, Torus, k_ary


def across(network, is_left) -> float:
    """Bytes per second from the hosts of the left to the others, by a maximal flow."""
    graph = nx.DiGraph()
    for (a, b), rate in zip(ends_of(network), network.capacity().tolist(), strict=True):
        before = graph.edges[a, b]["capacity"] if graph.has_edge(a, b) else 0.0
        graph.add_edge(a, b, capacity=before + rate)
    for host in range(network.hosts):
        ends = ("all", ("host", host)) if is_left(host) else (("host", host), "others")
        graph.add_edge(*ends)
    return nx.maximum_flow_value(graph, "all", "others")


@pytest.mark.parametrize(("k", "levels"), [(2, 3), (4, 3), (8, 2), (4, 4)])
def test_a_k_ary_tree_has_the_hosts_and_switches_of_its_formula(k, levels):
    tree = k_ary(k, 100.0, levels)
    assert tree.hosts == 2 * (k // 2) ** levels
    switches = [node for node in graph_of(tree).nodes if node[0] != "host"]
    assert len(switches) == (2 * levels - 1) * (k // 2) ** (levels - 1)
    # Every switch has its k ports in use.
    degree = graph_of(tree).out_degree
    assert {degree[node] for node in switches} == {k}


@pytest.mark.parametrize(("taper", "share"), [((), 1.0), ((2.0, 1.0), 0.5), ((1.0, 3.0), 1 / 3)])
def test_half_of_the_hosts_of_a_tree_send_at_full_bandwidth_over_the_taper(taper, share):
    tree = k_ary(4, 100.0, taper=taper)
    half = tree.hosts // 2
    assert across(tree, lambda host: host < half) == pytest.approx(half * 100.0 * share)


def test_fewer_parents_taper_a_tree_as_well():
    tree = GeneralFatTree((4, 4, 2), (1, 2, 2), 100.0)
    assert across(tree, lambda host: host < 16) == pytest.approx(4 * 100.0)  # 2 x 2 at the top
    assert len(tree.capacity()) == 2 * (32 + 8 * 2 + 2 * 2 * 2)


@pytest.mark.parametrize("sizes", [(8,), (4, 6), (4, 4, 2)])
def test_a_torus_has_the_links_and_bisection_of_its_formula(sizes):
    torus = Torus(sizes, 1e9, bandwidth_between=100.0)
    routers = prod(sizes)
    assert len(torus.capacity()) == 2 * routers + 2 * len(sizes) * routers
    stride = routers // sizes[-1]
    expected = 2 * routers / sizes[-1] * 100.0  # one direction
    assert across(torus, lambda h: h // stride < sizes[-1] // 2) == pytest.approx(expected)


def test_the_mean_distance_on_a_torus_is_a_quarter_of_each_even_ring():
    torus = Torus((4, 6), 100.0)
    src, dst = np.divmod(np.arange(torus.hosts**2), torus.hosts)
    hops = np.diff(torus.routes(src, dst).offsets) - 2
    assert hops.mean() == pytest.approx(4 / 4 + 6 / 4)


@pytest.mark.parametrize(("groups", "rounds"), [(9, 1), (5, 2), (4, 2)])
def test_a_dragonfly_has_the_links_of_its_formula_and_all_pairs_of_groups_the_same(groups, rounds):
    fly = Dragonfly(groups, 4, 2, 2, 100.0)
    far = groups * (groups - 1) * rounds
    assert len(fly.capacity()) == 2 * fly.hosts + groups * 4 * 3 + far
    between = np.zeros((groups, groups), dtype=int)
    for a, b in ends_of(fly)[-far:]:
        between[a[0], b[0]] += 1
    assert (between == rounds * (1 - np.eye(groups, dtype=int))).all()


def test_two_halves_of_a_dragonfly_are_joined_by_the_links_between_their_groups():
    fly = Dragonfly(8, 4, 2, 2, 1e9, bandwidth_global=100.0)
    assert across(fly, lambda host: host < fly.hosts // 2) == pytest.approx(4 * 4 * 100.0)


@pytest.mark.parametrize("wrong", [
    lambda: k_ary(5, 1.0),
    lambda: k_ary(4, 1.0, levels=0),
    lambda: GeneralFatTree((2, 2), (2, 2), 1.0),
    lambda: GeneralFatTree((2, 2), (1,), 1.0),
    lambda: GeneralFatTree((2, 2), (1, 2), 1.0, taper=(1.0, 2.0)),
    lambda: GeneralFatTree((2, 2), (1, 2), 1.0, taper=(0.0,)),
    lambda: GeneralFatTree((1000, 1000, 1000), (1, 1000, 1000), 1.0),
    lambda: Torus((), 1.0),
    lambda: Torus((0, 2), 1.0),
    lambda: Torus((4,), float("nan")),
    lambda: Dragonfly(10, 4, 2, 2, 1.0),
    lambda: Dragonfly(0, 4, 2, 2, 1.0),
])  # fmt: skip
def test_what_is_no_topology_is_an_error_with_a_remedy(wrong):
    with pytest.raises(InvalidInputError) as caught:
        wrong()
    assert caught.value.remedy
