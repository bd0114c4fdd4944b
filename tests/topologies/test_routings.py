"""Routings: which of the paths a flow takes, how evenly, and what an adaptive one avoids."""

import json
from itertools import pairwise

import numpy as np
import pytest

from contend.base.errors import ContendError, InvalidInputError
from contend.simulate.flows.engine import solve
from contend.simulate.topologies import (
    Dragonfly,
    FatTree,
    GeneralFatTree,
    OneSwitch,
    Torus,
    k_ary,
    read_topology,
    routed,
    topology_of,
)
from contend.simulate.topologies import multipath as multipath_module
from contend.simulate.topologies.routing import ROUTINGS

NETWORKS = {
    "two levels": FatTree(3, 4, 3, 100.0),
    "k-ary": k_ary(4, 100.0),
    "parallel links": GeneralFatTree((3, 3, 2), (1, 2, 1), 100.0, lanes=(1, 2, 3)),
    "torus": Torus((4, 3), 100.0),
    "dragonfly": Dragonfly(5, 4, 1, 2, 100.0),
}
OBLIVIOUS = ("ecmp", "minimal", "random")


def every_pair(network):
    src, dst = np.nonzero(~np.eye(network.hosts, dtype=bool))
    return src.astype(np.int32), dst.astype(np.int32)


def rows(routes):
    return [routes.links[a:b].tolist() for a, b in pairwise(routes.offsets)]


def paths_of(network, src, dst):
    """The links of every path of every pair, the shortest apart from the detours."""
    shortest, detours = network.shortest(src, dst), network.detours(src, dst)
    found = []
    for pair in range(len(src)):
        one = slice(pair, pair + 1)
        every = [
            [int(link) for link in network.along(src[one], dst[one], np.array([path]))[0]
             if link >= 0]
            for path in range(int((shortest + detours)[pair]))
        ]  # fmt: skip
        found.append((every[: shortest[pair]], every[shortest[pair] :]))
    return found


@pytest.mark.parametrize("routing", ROUTINGS.names())
@pytest.mark.parametrize("name", NETWORKS)
def test_every_routing_takes_paths_that_the_topology_has(name, routing):
    network = NETWORKS[name]
    if (routing == "valiant" and not network.has_detours) or (
        routing == "d-mod-k" and not hasattr(network, "d_mod_k")
    ):
        with pytest.raises(InvalidInputError, match=routing) as caught:
            routed(network, routing)
        assert caught.value.remedy
        return
    src, dst = every_pair(network)
    taken = rows(routed(network, f"{routing}:3").routes(src, dst))
    known = paths_of(network, src.astype(np.int64), dst.astype(np.int64))
    for links, (shortest, detours) in zip(taken, known, strict=True):
        if routing == "valiant":
            assert links in (detours or shortest)
        elif routing == "adaptive":
            assert links in shortest + detours
        else:
            assert links in shortest


@pytest.mark.parametrize("routing", ["ecmp", "random", "adaptive"])
def test_the_same_seed_gives_the_same_paths_and_another_one_others(routing):
    network = k_ary(8, 100.0)
    src, dst = every_pair(network)
    first = routed(network, f"{routing}:1").routes(src, dst).links
    assert np.array_equal(first, routed(network, f"{routing}:1").routes(src, dst).links)
    assert not np.array_equal(first, routed(network, f"{routing}:2").routes(src, dst).links)


def test_parts_of_the_flows_are_routed_as_all_at_once(monkeypatch):
    network = NETWORKS["dragonfly"]
    src, dst = every_pair(network)
    for routing in ROUTINGS.names():
        if routing == "d-mod-k":
            continue
        whole = routed(network, routing).routes(src, dst)
        with monkeypatch.context() as patched:
            patched.setattr(multipath_module, "CELLS", 100)
            in_parts = routed(network, routing).routes(src, dst)
        assert np.array_equal(whole.links, in_parts.links)
        assert np.array_equal(whole.offsets, in_parts.offsets)


def test_ecmp_gives_a_pair_one_path_and_a_random_path_is_of_the_flow():
    network = k_ary(8, 100.0)
    src, dst = np.full(200, 0), np.full(200, network.hosts - 1)
    assert len({tuple(links) for links in rows(routed(network, "ecmp").routes(src, dst))}) == 1
    assert len({tuple(links) for links in rows(routed(network, "random").routes(src, dst))}) == 16


@pytest.mark.parametrize("routing", ["ecmp", "random"])
def test_paths_are_drawn_evenly(routing):
    """Chi-square of ten thousand choices among 8 paths: mean 7, deviation sqrt(14)."""
    network = k_ary(16, 100.0, levels=2)  # 128 hosts, 8 paths between leaves
    random = np.random.default_rng(5)
    src = random.integers(0, 64, 10_000)
    dst = random.integers(64, 128, 10_000)
    links = routed(network, routing).routes(src, dst).links.reshape(-1, 4)
    counts = np.bincount((links[:, 1] - 2 * network.hosts) % 8, minlength=8)
    expected = len(src) / 8
    assert ((counts - expected) ** 2 / expected).sum() < 7 + 5 * np.sqrt(14)


def test_d_mod_k_lets_no_shift_of_all_hosts_meet():
    """Zahavi 2010: a shift permutation on a full tree has one flow on each link."""
    network = k_ary(8, 100.0)
    src = np.arange(network.hosts)
    for shift in (1, 3, 4, 16, 17, 63, 100):
        links = routed(network, "d-mod-k").routes(src, (src + shift) % network.hosts).links
        assert np.bincount(links).max() == 1
        ends = solve(
            {"src": src, "dst": (src + shift) % network.hosts, "bytes": np.full(len(src), 100)},
            topology=network, bandwidth=100.0,
        ).end  # fmt: skip
        assert ends == pytest.approx(np.ones(len(src)))
    assert np.bincount(routed(network, "random").routes(src, (src + 17) % 128).links).max() > 1


def test_valiant_spreads_what_minimal_sends_over_one_link():
    """All hosts of a group send to the next group: one global link, or those of all others."""
    network = Dragonfly(9, 4, 2, 2, 100.0)
    group = network.routers * network.per_router
    src = np.arange(group)
    far = 2 * network.hosts + 9 * 4 * 3
    crowded = [
        np.bincount(routed(network, routing).routes(src, src + group).links)[far:].max()
        for routing in ("minimal", "valiant")
    ]
    assert crowded[0] == group
    assert crowded[1] < group / 2


def test_adaptive_takes_the_empty_one_of_two_paths():
    # Spine 0 or 1 from leaf 0 to leaf 1; every flow sees what those before it have left.
    network = routed(FatTree(2, 4, 2, 100.0, 2.0), "adaptive")
    src, dst = np.arange(4), np.arange(4, 8)
    up = network.carrying(src, dst, np.array([100.0, 50, 50, 10]), np.zeros(4)).links[1::4] - 16
    assert up.tolist() == [0, 1, 1, 0]


def test_a_queue_passes_on_its_bytes_before_the_next_flow_starts():
    # Uplinks of 100 B/s: the first has 100 B until 1 s, the second 150 B until 1.5 s.
    network = routed(FatTree(2, 4, 2, 100.0, 2.0), "adaptive")
    src, dst, size = np.arange(4), np.arange(4, 8), np.array([100.0, 150, 20, 20])
    up = network.carrying(src, dst, size, np.array([0.0, 0.0, 0.9, 1.2])).links[1::4] - 16
    assert up.tolist() == [0, 1, 0, 0]  # at 0.9 s 0.1 s wait on spine 0, at 1.2 s none
    late_first = network.carrying(src[::-1], dst[::-1], size[::-1], np.array([1.2, 0.9, 0, 0]))
    # In order of start: 150 B on spine 0, 100 B on spine 1, and both later ones there.
    assert (late_first.links[1::4] - 16).tolist() == [1, 1, 0, 1]


def test_adaptive_leaves_the_minimal_path_where_its_queue_times_its_links_are_more():
    """Kim et al. 2008, UGAL: q_m H_m <= q_nm H_nm takes the minimal one."""
    network = routed(Dragonfly(3, 1, 4, 2, 100.0), "adaptive")
    src, dst = np.arange(4), np.arange(4, 8)
    lengths = np.diff(network.carrying(src, dst, np.full(4, 100.0), np.zeros(4)).offsets)
    # 3 links by the global one, 4 over the third group: 0, then 1 x 3 > 0, then 1 x 3 < 1 x 4,
    # then 2 x 3 > 1 x 4.
    assert lengths.tolist() == [3, 4, 3, 4]


def test_adaptive_ends_no_later_than_a_hash_on_average_where_a_few_pods_are_hot():
    network = k_ary(8, 100.0)
    last = {"ecmp": [], "random": [], "adaptive": []}
    for seed in range(8):
        random = np.random.default_rng(seed)
        flows = {
            "src": random.integers(0, 32, 200),
            "dst": random.integers(96, 128, 200),
            "bytes": random.exponential(100.0, 200),
        }
        for routing, ends in last.items():
            found = solve(flows, topology=routed(network, f"{routing}:{seed}"), bandwidth=100.0)
            ends.append(found.end.mean())
    assert np.mean(last["adaptive"]) < np.mean(last["ecmp"])
    assert np.mean(last["adaptive"]) < np.mean(last["random"])


WORDS = {
    "fat-tree:4x8x2:2@random:7": FatTree,
    "k-ary:4": GeneralFatTree,
    "k-ary:4x2:1": GeneralFatTree,
    "pgft:4x3/1x2/1x2:1.5@ecmp": GeneralFatTree,
    "torus:4x3x2:2@random": Torus,
    "dragonfly:9x4x2x2@valiant": Dragonfly,
    "dragonfly:3x2x1": Dragonfly,
}


@pytest.mark.parametrize("word", WORDS)
def test_words_name_topologies_and_their_routing(word):
    found = topology_of(word, 100.0)
    network = getattr(found, "network", found)
    assert isinstance(network, WORDS[word])
    assert ("@" in word) == (found is not network)
    flows = {"src": [0, 1], "dst": [3, 3], "bytes": [100, 100]}
    assert solve(flows, topology=found).end.max() == pytest.approx(2.0)


def test_a_fat_tree_has_one_spine_and_no_oversubscription_unless_its_word_says_so():
    assert topology_of("fat-tree:2x4", 100.0) == FatTree(2, 4, 1, 100.0)
    assert topology_of("fat-tree:2x4x3:2.5", 100.0) == FatTree(2, 4, 3, 100.0, 2.5)


@pytest.mark.parametrize(("word", "said"), [
    ("k-ary:5", "even"),
    ("k-ary:x", "k-ary:32"),
    ("k-ary:8:2x2x2", "leaves on"),
    ("k-ary:8:two", ":2x1.5"),
    ("pgft:4x4", "pgft:"),
    ("torus:8,8", "torus:8x8x8"),
    ("dragonfly:9x4", "dragonfly:9x4x2x2"),
    ("k-ary:4@scenic", "ecmp"),
    ("k-ary:4@Random!", "ecmp"),
    ("torus:4@d-mod-k", "minimal"),
    ("k-ary:4@valiant", "random"),
    ("switch@random", "@random"),
])  # fmt: skip
def test_wrong_words_are_errors_with_a_remedy(word, said):
    with pytest.raises(InvalidInputError) as caught:
        topology_of(word, 1.0)
    assert said in f"{caught.value.remedy}"


@pytest.mark.parametrize("word", ["k-ary:4", "pgft:4/1", "torus:4", "dragonfly:3x2x1"])
def test_words_of_several_switches_need_a_bandwidth(word):
    with pytest.raises(InvalidInputError, match="no bandwidth"):
        topology_of(word)


MEMBERS = {
    "fat_tree": {"leaves": 2, "hosts_per_leaf": 2, "spines": 2, "routing": "ecmp"},
    "pgft": {"down": [4, 4], "up": [1, 2], "latency": "1us", "routing": "random:7"},
    "k_ary": {"k": 4, "taper": [2, 1], "routing": "adaptive"},
    "torus": {"sizes": [4, 4], "bandwidth_between": "1KB/s"},
    "dragonfly": {"groups": 3, "routers": 2, "hosts_per_router": 2, "routing": "valiant:3"},
}


def file_of(folder, **member):
    path = folder / "topology.json"
    path.write_text(json.dumps({"schema": "contend.topology", "version": 1, **member}))
    return path


@pytest.mark.parametrize("kind", MEMBERS)
def test_files_describe_them_with_their_routing(tmp_path, kind):
    member = {**MEMBERS[kind], "bandwidth": "100B/s"}
    found = read_topology(file_of(tmp_path, **{kind: member}))
    assert ("routing" in member) == hasattr(found, "routing")
    ends = solve({"src": [0], "dst": [found.hosts - 1], "bytes": [100]}, topology=found).end
    least = 2.0 if kind == "k_ary" else 1.0  # over the taper
    assert ends == pytest.approx([least + (4e-6 if kind == "pgft" else 0.0)], rel=1e-9)


def test_a_file_names_a_routing_that_there_is_and_that_suits(tmp_path):
    torus = {"sizes": [4, 4], "bandwidth": 1.0}
    for routing, said in (("scenic", "ecmp"), ("d-mod-k", "fat tree")):
        with pytest.raises(ContendError, match=said):
            read_topology(file_of(tmp_path, torus={**torus, "routing": routing}))


def test_one_switch_takes_no_routing():
    with pytest.raises(InvalidInputError, match="one path"):
        routed(OneSwitch(4), "random")
