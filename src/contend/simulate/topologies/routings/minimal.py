"""Minimal: the path of fewest links that the topology itself gives a pair of hosts.

Source: Kim, Dally, Scott, Abts, ISCA 2008, section 4, for the dragonfly; for a torus dimension
order (Dally, Seitz, IEEE Transactions on Computers C-36(5), 1987), for fat trees their usual path.
"""

import numpy as np

from contend.simulate.topologies.multipath import Multipath
from contend.simulate.topologies.routing import Oblivious


class Minimal(Oblivious):
    name = "minimal"

    def chosen(
        self, network: Multipath, src: np.ndarray, dst: np.ndarray, flow: np.ndarray, seed: int
    ) -> np.ndarray:
        return network.usual(src, dst)
