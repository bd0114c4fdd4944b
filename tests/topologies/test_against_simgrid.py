"""End times over SimGrid's own fat tree, torus and dragonfly, where SimGrid is installed.

All three are clusters of a platform file. SimGrid routes by D-mod-k, by dimension order and by
minimal routes; its factors for TCP are switched off.
"""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.simgrid.program import NoSimGridError, build, simulate_on, simulate_routed

from contend.flows.engine import solve
from contend.topologies import Dragonfly, GeneralFatTree, Topology, Torus, k_ary, routed

BANDWIDTH = 125e6
CLUSTER = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
 <cluster id="c" prefix="" suffix="" radical="0-{last}" speed="1Gf" bw="125MBps" lat="0us"
          topology="{kind}" topo_parameters="{parameters}" sharing_policy="SPLITDUPLEX"/>
</platform>
"""


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


def ends_by_simgrid(folder: Path, flows, hosts: int, kind: str, parameters: str) -> np.ndarray:
    platform = folder / "platform.xml"
    text = CLUSTER.format(last=hosts - 1, kind=kind, parameters=parameters)
    platform.write_text(text)
    return simulate_on(flows, platform).end


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
