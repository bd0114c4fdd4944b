"""Segmented chain (pipeline).

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: every rank passes a segment on while it receives the next.
Cost: (P-1) L + (P+k-3) g(s) + g(r) for k > 1 segments of s bytes, r in the last; for k = 1 that of
the chain. Where s divides m that is the (P-1) (g(s) + L) + g(s) (k-1) of the paper.
Restrictions: none. A delay anywhere in the chain reaches all ranks behind it; the paper finds its
prediction off for that.
"""

from typing import ClassVar

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Floats, Messages, PLogP
from contend.schedules.trees import heap


class SegmentedChain(Algorithm):
    title = "segmented chain"
    source = "Barchet-Estefanel, Mounie 2005, table 1"
    options = ("segment",)
    openmpi = 3
    mpich: ClassVar[str | None] = "pipelined_tree tree_type=kary k=1 chunk_size={segment}"

    def messages(self, call: Call) -> Messages:
        """A tree of degree 1, segment by segment."""
        return heap(call.n, 1).messages(call.cut())

    def cost(self, net: PLogP, call: Call) -> Floats:
        full, last = net.gap_at(call.segment_bytes), net.gap_at(call.last_segment)
        hops = call.n - 1
        pipelined = (hops + call.segments - 2) * full + last
        latency = net.latency_at(call.segment_bytes)
        return hops * latency + np.where(call.segments > 1, pipelined, hops * last)
