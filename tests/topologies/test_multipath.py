"""Every path of every topology with several leads from src to dst over links that are there."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from wiring import ends_of, graph_of, walked

from contend.base.errors import InvalidInputError
from contend.simulate.topologies import Dragonfly, FatTree, GeneralFatTree, Torus, k_ary
from contend.simulate.topologies.multipath import NO_LINK, Multipath

NETWORKS = {
    "two levels": FatTree(3, 4, 2, 100.0, 2.0),
    "k-ary": k_ary(4, 100.0),
    "k-ary, two levels": k_ary(6, 100.0, levels=2),
    "three levels, tapered": GeneralFatTree((3, 2, 4), (1, 2, 2), 100.0, taper=(1.0, 2.0)),
    "parallel links": GeneralFatTree((3, 3, 2), (1, 2, 1), 100.0, lanes=(1, 2, 3)),
    "one level": GeneralFatTree((5,), (1,), 100.0),
    "ring": Torus((7,), 100.0),
    "torus": Torus((4, 3, 2), 100.0, per_router=2),
    "torus of one": Torus((1, 3), 100.0),
    "dragonfly": Dragonfly(9, 4, 2, 2, 100.0),
    "dragonfly, several links": Dragonfly(4, 4, 1, 2, 100.0),
    "dragonfly, two groups": Dragonfly(2, 3, 2, 1, 100.0),
    "one group": Dragonfly(1, 3, 2, 1, 100.0),
}


def every_pair(network: Multipath) -> tuple[np.ndarray, np.ndarray]:
    src, dst = np.nonzero(~np.eye(network.hosts, dtype=bool))
    return src, dst


@pytest.fixture(params=NETWORKS)
def network(request):
    return NETWORKS[request.param]


def test_every_path_of_every_pair_is_a_walk_and_no_two_are_the_same(network):
    ends = ends_of(network)
    src, dst = every_pair(network)
    shortest, detours = network.shortest(src, dst), network.detours(src, dst)
    most = int((shortest + detours).max())
    seen = [set() for _ in src]
    for path in range(most):
        has = np.flatnonzero(path < shortest + detours)
        table = network.along(src[has], dst[has], np.full(len(has), path))
        for pair, links in zip(has, table, strict=True):
            walked(ends, links, src[pair], dst[pair])
            seen[pair].add(tuple(links))
    if not isinstance(network, Torus):  # orders of dimensions may be one path
        assert [len(paths) for paths in seen] == (shortest + detours).tolist()


def test_the_first_paths_have_the_fewest_links(network):
    src, dst = every_pair(network)
    distance = dict(nx.all_pairs_shortest_path_length(graph_of(network)))
    fewest = np.array([
        distance["host", a]["host", b] for a, b in zip(src.tolist(), dst.tolist(), strict=True)
    ])  # fmt: skip
    if isinstance(network, Dragonfly):  # one global link, however long the rest: a path of two
        weighted = graph_of(network)  # of these may be shorter
        for a, b in weighted.edges:
            is_far = "host" not in (a[0], b[0]) and a[0] != b[0]
            weighted.edges[a, b]["weight"] = 10 if is_far else 1
        distance = dict(nx.all_pairs_dijkstra_path_length(weighted))
        group = network.routers * network.per_router
        fewest = np.array([
            distance["host", a]["host", b] - 9 * (a // group != b // group)
            for a, b in zip(src.tolist(), dst.tolist(), strict=True)
        ])  # fmt: skip
    for path in range(int(network.shortest(src, dst).max())):
        has = path < network.shortest(src, dst)
        lengths = (network.along(src[has], dst[has], np.full(has.sum(), path)) != NO_LINK).sum(1)
        assert (lengths == fewest[has]).all()


def test_the_usual_path_is_one_of_the_shortest_and_is_what_routes_give(network):
    src, dst = every_pair(network)
    path = network.usual(src, dst)
    assert ((path >= 0) & (path < network.shortest(src, dst))).all()
    found = network.routes(src.astype(np.int32), dst.astype(np.int32))
    table = network.along(src, dst, path)
    assert found.links.dtype == np.int32
    assert found.offsets.dtype == np.int64
    for pair, (first, last) in enumerate(pairwise(found.offsets)):
        assert found.links[first:last].tolist() == table[pair][table[pair] != NO_LINK].tolist()


def test_links_are_as_many_as_their_ends_and_those_of_hosts_come_first(network):
    ends = ends_of(network)
    assert len(network.capacity()) == len(ends) == len(network.of_hosts())
    assert len(network.latency()) in (0, len(ends))
    is_of_host = ["host" in (a[0], b[0]) for a, b in ends]
    assert network.of_hosts().tolist() == is_of_host


@pytest.mark.parametrize("ends", [([0], [99]), ([-1], [0])])
def test_a_host_that_is_not_there_is_an_error(ends):
    with pytest.raises(InvalidInputError, match=f"there is no host {ends[0][0] or 99}"):
        NETWORKS["torus"].routes(np.array(ends[0]), np.array(ends[1]))
    assert np.array_equal(NETWORKS["ring"].routes(np.array([0]), np.array([1])).offsets, [0, 3])
