"""D-mod-k: upwards by the digits of the destination.

Source: Zahavi, "D-Mod-K routing providing non-blocking traffic for shift permutations on real life
fat trees", CCIT report 776, Technion, 2010; Zahavi, Johnson, Kerbyson, Lang, Concurrency and
Computation 22(2), 2010.
Formula: from level l a flow leaves by port floor(dst / (w_1 ... w_l)) mod (w_(l+1) p_(l+1)) of its
switch, with w parents and p links to each. Shifts of all hosts by one distance then meet nowhere,
if the tree is not tapered.
"""

import numpy as np

from contend.simulate.topologies.multipath import Multipath
from contend.simulate.topologies.routing import Oblivious


class DModK(Oblivious):
    """For fat trees: those that have a method `d_mod_k`."""

    name = "d-mod-k"

    def missing(self, network: Multipath) -> str:
        return "" if hasattr(network, "d_mod_k") else "is no fat tree"

    def chosen(
        self, network: Multipath, src: np.ndarray, dst: np.ndarray, flow: np.ndarray, seed: int
    ) -> np.ndarray:
        path: np.ndarray = network.d_mod_k(src, dst)  # type: ignore[attr-defined]
        return path
