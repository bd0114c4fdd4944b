"""End times over platform files as SimGrid reads them, where SimGrid is installed.

Without latencies: SimGrid shares a link by those of its flows.
"""

import random
from pathlib import Path

import numpy as np
import pytest
from benchmarks.simgrid.program import NoSimGridError, build, simulate_on

from contend.flows.engine import solve
from contend.topologies import read_topology

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


def check(folder: Path, inner: str, hosts: int, seed: int = 1) -> None:
    path = folder / "p.xml"
    path.write_text(HEAD.format(inner))
    rng = np.random.default_rng(seed)
    src = rng.integers(hosts, size=200)
    flows = {
        "src": src.astype(np.int32),
        "dst": ((src + rng.integers(1, hosts, size=200)) % hosts).astype(np.int32),
        "bytes": np.ceil(rng.exponential(1e6, 200)),
        "start": np.sort(rng.uniform(0, 0.02, 200)),
    }
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
