"""ECMP: equal-cost multi-path, by a hash of source and destination.

Source: Hopps, "Analysis of an equal-cost multi-path algorithm", RFC 2992, 2000.
Idea: all flows between two hosts take one of the paths of fewest links, which a hash of both and
the seed picks. Where switches hash ports too, flows of one pair take several paths: `random`.
"""

import numpy as np

from contend.simulate.topologies.multipath import Multipath
from contend.simulate.topologies.routing import Oblivious
from contend.simulate.topologies.routings.hashing import below, hashed


class Ecmp(Oblivious):
    """By a hash of source, destination and seed."""

    name = "ecmp"

    def chosen(
        self, network: Multipath, src: np.ndarray, dst: np.ndarray, flow: np.ndarray, seed: int
    ) -> np.ndarray:
        return below(network.shortest(src, dst), hashed(seed, src, dst))
