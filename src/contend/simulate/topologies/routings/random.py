"""Random path per flow, of those of fewest links.

Source: Valiant, Brebner, "Universal schemes for parallel communication", STOC 1981, the second
phase; Greenberg, Leiserson, "Randomized routing on fat-trees", FOCS 1985.
Idea: every flow draws by its place in the list of flows and the seed, whatever else there is.
"""

import numpy as np

from contend.simulate.topologies.multipath import Multipath
from contend.simulate.topologies.routing import Oblivious
from contend.simulate.topologies.routings.hashing import below, hashed


class Random(Oblivious):
    name = "random"

    def chosen(
        self, network: Multipath, src: np.ndarray, dst: np.ndarray, flow: np.ndarray, seed: int
    ) -> np.ndarray:
        return below(network.shortest(src, dst), hashed(seed, flow))
