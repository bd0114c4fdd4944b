"""Tree of degree d, segmented: the (d, h) tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, section 3: degree d and height h such that
sum_{i=0}^{h} d^i >= P; the optimal tree is the best of them.
Idea: the complete tree of degree d holds P ranks in the least height h. d = 1 is the chain,
d = P-1 the flat tree.
Cost: (k-1) min(d, P-1) g(s) + T(s) with k segments of s bytes; T(s) <= h (d g(s) + L) is the time
down the tree, given in full in `contend.schedules.trees.heap_seconds`. An upper bound where s does
not divide m.
Restrictions: none. `best_degree` searches d for the network at hand.
"""

from typing import ClassVar

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, Messages, PLogP
from contend.schedules.trees import heap, heap_seconds


class DegreeTree(Algorithm):
    title = "tree of degree d"
    source = "Barchet-Estefanel, Mounie 2005, section 3"
    options: ClassVar[tuple[str, ...]] = ("degree", "segment")
    mpich: ClassVar[str | None] = "pipelined_tree tree_type=kary k={degree} chunk_size={segment}"

    def messages(self, call: Call) -> Messages:
        """The children of rank r are d r + 1 to d r + d."""
        return heap(call.n, call.degree).messages(call.cut())

    def cost(self, net: PLogP, call: Call) -> Floats:
        gap = net.gap_at(call.segment_bytes)
        down = heap_seconds(call.n, call.degree, gap, net.latency_at(call.segment_bytes))
        return np.asarray((call.segments - 1) * min(call.degree, call.n - 1) * gap + down)

    def claim(self, call: Call) -> Claim:
        return "exact" if call.is_in_full_segments else "upper bound"


def best_degree(net: PLogP, n: int, m: int, segment: int = 16384) -> int:
    """The degree of the fastest of the trees, the smallest where several are."""
    algorithm = DegreeTree()
    degrees = range(1, max(n, 2))
    times = [algorithm.seconds(net, n, m, degree=d, segment=segment) for d in degrees]
    return int(np.argmin(times)) + 1
