"""Solved messages for tests of pictures: given ones, and many at random."""

import numpy as np

from contend.simulate.flows.engine import Solution, solve

MODELS = ["maxmin", "equal_share", "infiniband", "infiniband-residual", "penalty3"]
BANDWIDTH = 1e9  # of a crowd


def solved(
    edges: str, size: object = 20 * 2**20, model: str = "infiniband-residual", **columns: object
) -> Solution:
    """Messages such as "AB AC", of one size or a size each."""
    flows = {"src": [e[0] for e in edges.split()], "dst": [e[1] for e in edges.split()]}
    flows["bytes"] = np.broadcast_to(size, len(flows["src"])).tolist()  # type: ignore[call-overload]
    return solve(flows | columns, model, bandwidth=1.96e9, is_recorded=True)


def crowd(count: int, hosts: int, model: str = "maxmin") -> Solution:
    """Messages between hosts at random, which start at random and have a latency."""
    rng = np.random.default_rng(count)
    src = rng.integers(hosts, size=count)
    flows = {
        "src": src,
        "dst": (src + rng.integers(1, hosts, size=count)) % hosts,
        "bytes": rng.uniform(1e5, 1e6, count),
        "start": rng.uniform(0, 1e-3, count),
        "latency": np.full(count, 1e-5),
    }
    return solve(flows, model, bandwidth=BANDWIDTH, is_recorded=True)
