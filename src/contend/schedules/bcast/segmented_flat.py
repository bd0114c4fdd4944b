"""Flat tree, segmented.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: the root sends a segment to one rank after the other, then the next segment.
Cost: (P-1) (g(s) (k-1) + g(r)) + L, with k segments of s bytes, r in the last; where s divides m
that is the (P-1) g(s) k + L of the paper. Where a full segment has so large a latency that the
last one catches up with it, L is L(s) - (P-2) g(r).
Restrictions: never faster than the flat tree where g is concave.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.trees import heap


class SegmentedFlat(Algorithm):
    title = "flat tree, segmented"
    source = "Barchet-Estefanel, Mounie 2005, table 1"
    options = ("segment",)

    def messages(self, call: Call) -> Messages:
        """One level of n - 1 children, segment by segment."""
        return heap(call.n, max(call.n - 1, 1)).messages(call.cut())

    def cost(self, net: PLogP, call: Call) -> Floats:
        size, last = call.segment_bytes, net.gap_at(call.last_segment)
        port = (call.n - 1) * (net.gap_at(size) * (call.segments - 1) + last)
        caught = np.where(call.segments > 1, net.latency_at(size) - (call.n - 2) * last, 0.0)
        return np.asarray(port + np.maximum(net.latency_at(call.last_segment), caught))
