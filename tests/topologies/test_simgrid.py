"""maxmin against SimGrid, an implementation that shares nothing with this one."""

import numpy as np
import pytest
from benchmarks.simgrid.program import NoSimGridError, build, simulate

from contend.flows.engine import solve

BANDWIDTH = 125e6


@pytest.fixture(scope="module", autouse=True)
def _simgrid() -> None:
    try:
        build()
    except NoSimGridError as why:
        pytest.skip(str(why))


def random_flows(hosts: int, count: int, gap: float, random: np.random.Generator) -> dict:
    """Random pairs, whole sizes of mean 1 MB, starts `gap` seconds apart on average."""
    src = random.integers(hosts, size=count)
    return {
        "src": src,
        "dst": (src + random.integers(1, hosts, size=count)) % hosts,
        "bytes": np.ceil(random.exponential(1e6, count)),
        "start": np.cumsum(random.exponential(gap, count)),
    }


def check(flows: dict, hosts: int) -> None:
    ours = solve(flows, bandwidth=BANDWIDTH, hosts=hosts).end
    assert simulate(flows, hosts, BANDWIDTH).end == pytest.approx(ours, rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_arrivals_end_as_in_simgrid(seed: int) -> None:
    random = np.random.default_rng(seed)
    hosts = int(random.integers(2, 12))
    check(random_flows(hosts, 300, 1e6 / (0.9 * hosts * BANDWIDTH), random), hosts)


@pytest.mark.parametrize("spread", [0.0, 0.5])
def test_an_all_to_all_ends_as_in_simgrid(spread: float) -> None:
    hosts = 16
    src, dst = np.nonzero(~np.eye(hosts, dtype=bool))
    size = 1e6 * np.random.default_rng(1).uniform(1 - spread, 1 + spread, len(src))
    flows = {"src": src, "dst": dst, "bytes": np.ceil(size), "start": np.zeros(len(src))}
    check(flows, hosts)


def test_the_comparison_can_fail() -> None:
    flows = random_flows(4, 50, 1e-3, np.random.default_rng(7))
    theirs = simulate(flows, 4, BANDWIDTH).end
    slower = solve(flows, bandwidth=BANDWIDTH * (1 - 1e-5), hosts=4).end
    assert theirs != pytest.approx(slower, rel=1e-6)
