"""Binomial tree, segmented.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: the binomial tree for every segment; the next follows once the root has sent to all children.
Cost: (k-1) H g(s) + T(s), with H = ceil(log2 P), k segments of s bytes and T(s) the time down the
binomial tree. For P a power of two and s dividing m that is the paper's
floor(log2 P) g(s) k + ceil(log2 P) L; for other P the root alone takes H g(s) k. An upper bound
where s does not divide m.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, Messages, PLogP
from contend.schedules.trees import binomial, binomial_seconds


class SegmentedBinomial(Algorithm):
    title = "binomial tree, segmented"
    source = "Barchet-Estefanel, Mounie 2005, table 1"
    options = ("segment",)
    openmpi = 6

    def messages(self, call: Call) -> Messages:
        """The tree of the binomial broadcast, segment by segment."""
        return binomial(call.n).messages(call.cut())

    def cost(self, net: PLogP, call: Call) -> Floats:
        gap = net.gap_at(call.segment_bytes)
        rounds = (call.n - 1).bit_length()
        down = binomial_seconds(call.n, gap, net.latency_at(call.segment_bytes))
        return np.asarray((call.segments - 1) * rounds * gap + down)

    def claim(self, call: Call) -> Claim:
        return "exact" if call.is_in_full_segments else "upper bound"
