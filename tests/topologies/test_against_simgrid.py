"""End times against SimGrid, an implementation that shares nothing with this one, where installed.

On one switch, over its own fat tree, torus and dragonfly, and over platform files as it reads them.
Its factors for TCP are switched off, and latencies are 0: SimGrid shares a link by those of flows.
"""

import random
from pathlib import Path

import numpy as np
import pytest
from benchmarks.simgrid.program import NoSimGridError, build, simulate, simulate_on, simulate_routed

from contend.simulate.flows.engine import solve
from contend.simulate.topologies import (
    Dragonfly,
    GeneralFatTree,
    Topology,
    Torus,
    k_ary,
    read_topology,
    routed,
)

BANDWIDTH = 125e6
HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">{}</platform>
"""
CLUSTER = (
    '<cluster id="c" prefix="" suffix="" radical="0-{last}" speed="1Gf" bw="125MBps" lat="0us" '
    "{more}/>"
)
SHAPES = [
    (15, 'topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,1"'),
    (23, 'topology="FAT_TREE" topo_parameters="3;3,2,4;1,2,3;1,1,1" sharing_policy="SHARED"'),
    (31, 'topology="TORUS" topo_parameters="4,4,2"'),
    (53, 'topology="DRAGONFLY" topo_parameters="3,4;3,2;3,1;2"'),
    (9, 'loopback_bw="1GBps" loopback_lat="1ns"'),
    (9, 'bb_bw="1GBps" bb_lat="0us" limiter_link="150MBps"'),
]


@pytest.fixture(scope="module", autouse=True)
def simgrid():
    try:
        build()
    except NoSimGridError as why:
        pytest.skip(str(why))


def random_flows(hosts: np.ndarray, count: int, seed: int) -> dict[str, np.ndarray]:
    """Between hosts of these numbers, of whole bytes, in order of start."""
    random = np.random.default_rng(seed)
    src = random.integers(len(hosts), size=count)
    dst = (src + random.integers(1, len(hosts), size=count)) % len(hosts)
    return {
        "src": hosts[src].astype(np.int32),
        "dst": hosts[dst].astype(np.int32),
        "bytes": np.ceil(random.exponential(1e6, count)),
        "start": np.sort(random.uniform(0, 0.02, count)),
    }


def platform(folder: Path, inner: str) -> Path:
    path = folder / "platform.xml"
    path.write_text(HEAD.format(inner))
    return path


def ends_by_simgrid(folder: Path, flows, hosts: int, kind: str, parameters: str) -> np.ndarray:
    more = f'topology="{kind}" topo_parameters="{parameters}" sharing_policy="SPLITDUPLEX"'
    return simulate_on(flows, platform(folder, CLUSTER.format(last=hosts - 1, more=more))).end


def ends(flows, topology: Topology) -> np.ndarray:
    return solve(flows, topology=topology).end


@pytest.mark.parametrize(
    ("down", "up"), [((4, 4), (1, 2)), ((3, 2, 4), (1, 2, 3)), ((2, 3, 2, 2), (1, 2, 1, 2))]
)
def test_fat_trees_of_simgrid_give_the_same_ends(tmp_path, down, up):
    tree = GeneralFatTree(down, up, BANDWIDTH)
    flows = random_flows(np.arange(tree.hosts), 300, 1)
    numbers = [",".join(map(str, row)) for row in (down, up, [1] * len(down))]
    found = ends_by_simgrid(
        tmp_path, flows, tree.hosts, "FAT_TREE", ";".join([str(len(down)), *numbers])
    )
    assert ends(flows, routed(tree, "d-mod-k")) == pytest.approx(found, rel=1e-6)
    assert ends(flows, routed(tree, "random")) != pytest.approx(found, rel=1e-6)


@pytest.mark.parametrize("sizes", [(7,), (5, 3), (3, 5, 3)])
def test_tori_of_simgrid_give_the_same_ends(tmp_path, sizes):
    """Of odd sizes: halfway around an even ring SimGrid goes either way."""
    torus = Torus(sizes, 1e6 * BANDWIDTH, bandwidth_between=BANDWIDTH)
    flows = random_flows(np.arange(torus.hosts), 300, 2)
    found = ends_by_simgrid(tmp_path, flows, torus.hosts, "TORUS", ",".join(map(str, sizes)))
    assert ends(flows, torus) == pytest.approx(found, rel=1e-6)


@pytest.mark.parametrize(("groups", "per_router"), [(4, 2), (7, 1)])
def test_dragonflies_of_simgrid_give_the_same_ends(tmp_path, groups, per_router):
    """SimGrid's router i of group i has no link to another group: ours are the others, in order."""
    fly = Dragonfly(groups, groups - 1, per_router, 1, BANDWIDTH)
    flows = random_flows(np.arange(fly.hosts), 300, 3)

    def theirs(host: np.ndarray) -> np.ndarray:
        router, place = np.divmod(host, per_router)
        group, own = np.divmod(router, fly.routers)
        return ((group * groups + own + (own >= group)) * per_router + place).astype(np.int32)

    moved = {**flows, "src": theirs(flows["src"]), "dst": theirs(flows["dst"])}
    parameters = f"{groups},1;1,1;{groups},1;{per_router}"
    found = ends_by_simgrid(tmp_path, moved, groups**2 * per_router, "DRAGONFLY", parameters)
    assert ends(flows, fly) == pytest.approx(found, rel=1e-6)


@pytest.mark.parametrize("routing", ["ecmp", "adaptive"])
def test_simgrid_over_given_routes_gives_the_same_ends(routing):
    network = routed(k_ary(4, BANDWIDTH), routing)
    random = np.random.default_rng(4)
    pair = random.choice(16 * 15, size=200, replace=False)  # SimGrid knows one route per pair
    src, other = np.divmod(pair, 15)
    flows = {
        "src": src.astype(np.int32),
        "dst": (other + (other >= src)).astype(np.int32),
        "bytes": np.ceil(random.exponential(1e6, 200)),
        "start": np.zeros(200),
    }
    found = simulate_routed(flows, network)
    assert found is not None
    assert ends(flows, network) == pytest.approx(found.end, rel=1e-6)


def check(folder: Path, inner: str, hosts: int, seed: int = 1) -> None:
    path = platform(folder, inner)
    flows = random_flows(np.arange(hosts), 200, seed)
    named = flows | {end: list(map(str, flows[end].tolist())) for end in ("src", "dst")}
    found = solve(named, topology=read_topology(path)).end
    assert found == pytest.approx(simulate_on(flows, path).end, rel=1e-6)


@pytest.mark.parametrize(("last", "more"), SHAPES)
def test_clusters_end_as_in_simgrid(tmp_path: Path, last: int, more: str) -> None:
    check(tmp_path, CLUSTER.format(last=last, more=more), last + 1)


@pytest.mark.parametrize("routing", ["Floyd", "Dijkstra", "DijkstraCache"])
@pytest.mark.parametrize("seed", range(4))
def test_shortest_paths_end_as_in_simgrid(tmp_path: Path, routing: str, seed: int) -> None:
    """Many paths are equal; of these both take the same."""
    rng = random.Random(seed)
    members = [str(host) for host in range(8)] + [f"r{router}" for router in range(4)]
    rng.shuffle(members)
    parts = [
        f'<host id="{name}" speed="1Gf"/>' if name.isdecimal() else f'<router id="{name}"/>'
        for name in members
    ]
    pairs = {(members[rng.randrange(at)], members[at]) for at in range(1, len(members))}
    pairs |= {(a, b) for at, b in enumerate(members) for a in members[:at] if rng.random() < 0.3}
    routes = []  # stand behind all links
    for number, (a, b) in enumerate(sorted(pairs)):
        links = [f"l{number}-{place}" for place in range(rng.choice([1, 1, 2, 3]))]
        parts += [
            f'<link id="{link}" bandwidth="{rng.randint(50, 200)}MBps" latency="0us"/>'
            for link in links
        ]
        inner = "".join(f'<link_ctn id="{link}"/>' for link in links)
        routes.append(f'<route src="{a}" dst="{b}">{inner}</route>')
    inner = "".join([*parts, *routes])
    check(tmp_path, f'<zone id="z" routing="{routing}">{inner}</zone>', 8, seed)


def arrivals(hosts: int, count: int, gap: float, random: np.random.Generator) -> dict:
    """Random pairs, whole sizes of mean 1 MB, starts `gap` seconds apart on average."""
    src = random.integers(hosts, size=count)
    return {
        "src": src,
        "dst": (src + random.integers(1, hosts, size=count)) % hosts,
        "bytes": np.ceil(random.exponential(1e6, count)),
        "start": np.cumsum(random.exponential(gap, count)),
    }


def check_switch(flows: dict, hosts: int) -> None:
    ours = solve(flows, bandwidth=BANDWIDTH, hosts=hosts).end
    assert simulate(flows, hosts, BANDWIDTH).end == pytest.approx(ours, rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_arrivals_end_as_in_simgrid(seed: int) -> None:
    random = np.random.default_rng(seed)
    hosts = int(random.integers(2, 12))
    check_switch(arrivals(hosts, 300, 1e6 / (0.9 * hosts * BANDWIDTH), random), hosts)


@pytest.mark.parametrize("spread", [0.0, 0.5])
def test_an_all_to_all_ends_as_in_simgrid(spread: float) -> None:
    hosts = 16
    src, dst = np.nonzero(~np.eye(hosts, dtype=bool))
    size = 1e6 * np.random.default_rng(1).uniform(1 - spread, 1 + spread, len(src))
    flows = {"src": src, "dst": dst, "bytes": np.ceil(size), "start": np.zeros(len(src))}
    check_switch(flows, hosts)


def test_the_comparison_can_fail() -> None:
    flows = arrivals(4, 50, 1e-3, np.random.default_rng(7))
    theirs = simulate(flows, 4, BANDWIDTH).end
    slower = solve(flows, bandwidth=BANDWIDTH * (1 - 1e-5), hosts=4).end
    assert theirs != pytest.approx(slower, rel=1e-6)
