"""Routes of the topologies, and flows that meet between switches."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.simulate.flows import flow_routes
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flow_routes import carried_by
from contend.simulate.flows.flows import flows_of
from contend.simulate.topologies import FatTree, Link, Links, OneSwitch, Paths

TREE = FatTree(leaves=3, hosts_per_leaf=4, spines=2, bandwidth=100.0, oversubscription=2.0)


def flows(pairs: list[tuple[int, int]], size: float = 100.0) -> dict:
    return {
        "src": [pair[0] for pair in pairs],
        "dst": [pair[1] for pair in pairs],
        "bytes": [size] * len(pairs),
    }


def test_a_fat_tree_passes_four_links_between_leaves_and_two_within() -> None:
    src, dst = np.nonzero(~np.eye(TREE.hosts, dtype=bool))
    found = TREE.routes(src, dst)
    for f, (first, last) in enumerate(pairwise(found.offsets)):
        links = found.links[first:last]
        assert (links[0], links[-1]) == (src[f], TREE.hosts + dst[f])
        assert len(links) == (2 if src[f] // 4 == dst[f] // 4 else 4)
        assert links.max() < len(TREE.capacity())
    # Every link between switches is used, and equally often.
    between = np.bincount(found.links)[2 * TREE.hosts :]
    assert len(set(between)) == 1


def test_a_leaf_sends_out_what_its_hosts_send_over_the_oversubscription() -> None:
    up = TREE.capacity()[2 * TREE.hosts :].reshape(2, 3, 2)
    assert up.sum(axis=2) == pytest.approx(np.full((2, 3), 4 * 100.0 / 2))


def test_flows_that_share_an_uplink_share_its_bandwidth() -> None:
    # Both go over spine 0, whose uplink carries 100 B/s.
    together = solve(flows([(0, 4), (1, 5 + 4)]), bandwidth=100.0, topology=TREE, is_recorded=True)
    assert together.end == pytest.approx([2.0, 2.0])
    assert together.stretches["penalty"].to_numpy() == pytest.approx([2.0, 2.0])
    apart = solve(flows([(0, 4), (1, 8)]), bandwidth=100.0, topology=TREE)
    assert apart.end == pytest.approx([1.0, 1.0])


def test_one_switch_is_what_is_meant_without_a_topology() -> None:
    pairs = [(0, 1), (0, 2), (3, 2)]
    found = solve(flows(pairs), bandwidth=100.0, topology=OneSwitch(4)).end
    assert (solve(flows(pairs), bandwidth=100.0).end == found).all()
    by_links = Links(4, [100.0] * 8)
    routes = {"route": [[src, 4 + dst] for src, dst in pairs]}
    assert (solve(flows(pairs) | routes, bandwidth=100.0, topology=by_links).end == found).all()


def test_many_flows_are_looked_at_in_parts_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    src, dst = np.nonzero(~np.eye(TREE.hosts, dtype=bool))
    carried = carried_by(TREE, flows_of({"src": src, "dst": dst, "bytes": src + 1.0}))
    whole = carried.alone(1.0)
    assert set(whole) == {100.0}  # of hosts; an uplink carries as much
    slow = replace(carried, capacity=np.arange(1.0, len(carried.capacity) + 1))
    monkeypatch.setattr(flow_routes, "SOME", 7)
    assert slow.alone(1.0).tolist() == [
        1.0 + min(carried.routes.links[a:b]) for a, b in pairwise(carried.routes.offsets)
    ]


def test_a_link_that_is_passed_twice_is_one_link_of_a_route_between_hosts_that_there_are() -> None:
    paths = Paths(["a", "b"], [Link("x", 1.0), Link("y", 1.0)], lambda src, dst: [0, 1, 0])
    assert paths.routes(np.array([0]), np.array([1])).links.tolist() == [0, 1]
    with pytest.raises(InvalidInputError, match="there is no host 2"):
        paths.routes(np.array([0]), np.array([2]))
