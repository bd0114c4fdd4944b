"""Segmented ring.

Source: Open MPI coll/base `ompi_coll_base_allreduce_intra_ring_segmented`.
Idea: as the ring, but a part goes round in segments while it is reduced, so that a rank combines
one while it receives the next. The parts of the result are gathered as a whole.
Cost: (P-2) max(k g(s), g(s) + L) + k g(s) + L, and (P-1) (g(b) + L) to gather; b = m/P, k segments
of s bytes in a part. An upper bound where P does not divide m or s does not divide b.
Restrictions: an operation that commutes. Combining takes no time, so the segments gain only where
a part is sent in less than g(s) + L.
"""

from dataclasses import replace

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, PLogP, ints
from contend.schedules.exchange import rotated, rounds
from contend.schedules.messages import Messages, Spans, one_block, require_few
from contend.schedules.parts import ring_allgather


class SegmentedRing(Algorithm):
    title = "segmented ring"
    source = "Open MPI"
    options = ("segment",)
    openmpi = 5

    def messages(self, call: Call) -> Messages:
        """Segment q of part p is block p k + q."""
        k, n = int(_of_a_part(call).segments), call.n
        require_few(k * n * (n - 1))
        start = np.arange(k) * call.segment
        sizes = ints(np.clip(call.parts()[:, None] - start, 0, call.segment).ravel())
        turn, segment = np.divmod(np.arange((n - 1) * k), k)
        block = (np.arange(n) - turn[:, None] - 1) % n * k + segment[:, None]
        dst, carries = rotated(n, turn * 0 + 1), one_block(block.ravel(), n * k)
        after = (turn - 1) * k + segment  # the same segment of the part that came before
        reduce = rounds(dst, carries, sizes, turn * k + segment, after, combines=True)
        gather = ring_allgather(n, call.parts())
        part = np.asarray(gather.src - gather.step) % n
        spans = Spans(part * k, part * 0 + k, n * k)
        return reduce.then(replace(gather, carries=spans, block_bytes=sizes))

    def cost(self, net: PLogP, call: Call) -> Floats:
        part = _of_a_part(call)
        gap, latency = net.gap_at(part.segment_bytes), net.latency_at(part.segment_bytes)
        turn = np.maximum(part.segments * gap, gap + latency)
        reduce = (call.n - 2) * turn + part.segments * gap + latency
        return np.asarray(reduce + (call.n - 1) * net.seconds(call.part))

    def claim(self, call: Call) -> Claim:
        is_exact = call.is_even and _of_a_part(call).is_in_full_segments
        return "exact" if is_exact else "upper bound"


def _of_a_part(call: Call) -> Call:
    """The call for a part alone, which says how it is cut."""
    return replace(call, m=call.part)
