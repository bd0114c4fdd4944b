"""Valiant: over a random place that is not on the way.

Source: Valiant, "A scheme for fast parallel communication", SIAM Journal on Computing 11(2), 1982;
for the dragonfly Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology",
ISCA 2008, section 4: a group that is neither that of the source nor that of the destination.
Idea: every flow draws one of the detours by its place in the list and the seed; a pair without any
(within a group) takes one of its shortest paths.
"""

import numpy as np

from contend.simulate.topologies.multipath import Multipath
from contend.simulate.topologies.routing import Oblivious
from contend.simulate.topologies.routings.hashing import below, hashed


class Valiant(Oblivious):
    """One of the detours, uniform, and each flow for itself."""

    name = "valiant"

    def missing(self, network: Multipath) -> str:
        return "" if network.has_detours else "has no detours, as a dragonfly has"

    def chosen(
        self, network: Multipath, src: np.ndarray, dst: np.ndarray, flow: np.ndarray, seed: int
    ) -> np.ndarray:
        shortest, detours = network.shortest(src, dst), network.detours(src, dst)
        has_any = detours > 0
        drawn = below(np.where(has_any, detours, shortest), hashed(seed, flow))
        return drawn + np.where(has_any, shortest, 0)
