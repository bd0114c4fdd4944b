"""Adaptive: the least loaded of a few paths when the flow starts.

Source: Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA
2008: UGAL-G, which takes of a shortest path and a detour the one of the smaller queue times hops;
the busiest link of each of several paths as CONGA (Alizadeh et al., SIGCOMM 2014), a few at random
in the place of all as Mitzenmacher, IEEE Transactions on Parallel and Distributed Systems 12(10),
2001.
Idea: flows choose in the order of their starts, those that start together in the order of the
list. A link has a queue of the bytes that were sent over it so far and that it has not passed on;
while it has any it passes on its capacity. A flow takes the candidate with the least (seconds
until the longest queue of the path is empty) x (links of the path), of equals the first.
Candidates are all shortest paths, or four that the seed draws where there are more, and after them
one detour where the topology has any.
Cost: memory and time of five paths a flow.
Restrictions: a flow stays on its path. Links of hosts, which all candidates have, do not count. The
queue knows capacities and not the rates that the engine finds: a flow that is held up elsewhere is
in the queue of this link no longer than its bytes take at full capacity.
"""

import numpy as np

from contend import _core
from contend.simulate.topologies.multipath import NO_LINK, Multipath, parts, wide
from contend.simulate.topologies.routing import Routing, Traffic
from contend.simulate.topologies.routings.hashing import below, hashed

SHORTEST = 4  # candidates at most of these


class Adaptive(Routing):
    """Least loaded by bytes that wait."""

    name = "adaptive"

    def paths(self, network: Multipath, traffic: Traffic, seed: int) -> np.ndarray:
        order = np.argsort(traffic.start, kind="stable")
        path = np.empty(len(order), dtype=np.int32)
        capacity = network.capacity()
        seconds = np.where(network.of_hosts(), 0.0, 1.0 / capacity)  # per byte
        empty_at = np.full(len(capacity), -np.inf)
        for part in parts(len(order), network.longest * (SHORTEST + 1)):
            flow = order[part]
            src, dst = wide(traffic.src[flow], traffic.dst[flow])
            candidates = _candidates(network, src, dst, flow, seed)
            links = [_along(network, src, dst, candidate) for candidate in candidates.T]
            chosen = _core.least_loaded(
                start=np.ascontiguousarray(traffic.start[flow], dtype=np.float64),
                bytes=np.ascontiguousarray(traffic.bytes[flow], dtype=np.float64),
                links=np.ascontiguousarray(np.concatenate(links, axis=1)),
                candidates=len(links),
                seconds=seconds,
                empty_at=empty_at,
            )
            path[flow] = candidates[np.arange(len(flow)), chosen]
        return path


def _candidates(
    network: Multipath, src: np.ndarray, dst: np.ndarray, flow: np.ndarray, seed: int
) -> np.ndarray:
    """Numbers of paths, (n_flows, SHORTEST), and a column for a detour; -1 for none."""
    shortest = network.shortest(src, dst)
    paths = np.full((len(src), SHORTEST + network.has_detours), -1, dtype=np.int64)
    for column in range(SHORTEST):
        drawn = below(shortest, hashed(seed, flow, np.array([column])))
        is_any = (column < shortest) | (shortest > SHORTEST)
        paths[:, column] = np.where(shortest > SHORTEST, drawn, np.where(is_any, column, -1))
    if network.has_detours:
        detours = network.detours(src, dst)
        drawn = shortest + below(detours, hashed(seed, flow, np.array([SHORTEST])))
        paths[:, SHORTEST] = np.where(detours > 0, drawn, -1)
    return paths


def _along(network: Multipath, src: np.ndarray, dst: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Links of these paths; none where there is no path."""
    links = network.along(src, dst, np.maximum(path, 0))
    links[path < 0] = NO_LINK
    return links
