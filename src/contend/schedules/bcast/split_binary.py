"""Split binary tree.

Source: Open MPI coll/base `ompi_coll_base_bcast_intra_split_bintree`.
Idea: the root sends one half of the segments down a binary tree of half of the ranks and the other
half down a second one; then each rank of one tree exchanges its half with a rank of the other. An
odd rank gets the second half from the root.
Cost: at most the larger of max(D1 + L, D2) + ceil(k/2) g(s) and max(D2 + L, D1) + floor(k/2) g(s)
for k segments of s bytes; D1 and D2 are when the first tree, of ceil((P-1)/2) ranks, and the
second, of floor((P-1)/2), have their halves: the last of their segments leaves the root, then goes
down a binary tree. k g(s) + L for P = 2.
Restrictions: none. A message of one segment goes to both trees by way of the exchange.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, PLogP
from contend.schedules.messages import Messages, one_block
from contend.schedules.trees import heap_seconds


class SplitBinary(Algorithm):
    """Ranks 1, 3, 5, ... are the first tree and 2, 4, 6, ... the second; 2i+1 and 2i+2 exchange."""

    title = "split binary tree"
    source = "Open MPI"
    options = ("segment",)
    openmpi = 4

    def messages(self, call: Call) -> Messages:
        return _down(call).then(_across(call))

    def cost(self, net: PLogP, call: Call) -> Floats:
        size, segments = call.segment_bytes, call.segments
        gap, latency = net.gap_at(size), net.latency_at(size)
        if call.n == 2:
            return np.asarray(segments * gap + latency)
        second = segments // 2
        first = segments - second
        down = [heap_seconds(ranks, 2, gap, latency) for ranks in (call.n // 2, (call.n - 1) // 2)]
        has_first = (2 * first - 1) * gap + latency + down[0]
        has_second = np.where(second, 2 * second * gap + latency + down[1], 0.0)
        across = (
            np.maximum(has_first + latency, has_second) + first * gap,
            np.maximum(has_second + latency, has_first) + second * gap,
        )
        return np.asarray(np.maximum(*across))

    def claim(self, call: Call) -> Claim:
        """A rank exchanges what it has as soon as the segments have come."""
        return "upper bound"


def _down(call: Call) -> Messages:
    """Segment q to the tree q mod 2; place i > 0 of a tree is below place (i-1) // 2."""
    sizes = call.cut()
    child = np.arange(1, call.n)
    place, side = (child - 1) // 2, (child - 1) % 2
    above = (place - 1) // 2
    parent = np.where(place == 0, 0, 2 * above + 1 + side)
    segment = np.repeat(np.arange(sizes.size), child.size)
    keep = segment % 2 == np.tile(side, sizes.size)
    return Messages(
        call.n,
        np.tile(parent, sizes.size)[keep],
        np.tile(child, sizes.size)[keep],
        (segment * call.n + np.tile(child, sizes.size))[keep],
        one_block(segment[keep], sizes.size),
        sizes,
    )


def _across(call: Call) -> Messages:
    """The segments of the other tree, one by one, as soon as the own half is there."""
    sizes = call.cut()
    dst = np.arange(1, call.n)
    partner = np.where(dst % 2 == 1, dst + 1, dst - 1)
    src = np.where(partner < call.n, partner, 0)
    segment = np.repeat(np.arange(sizes.size), dst.size)
    keep = segment % 2 == np.tile(dst % 2, sizes.size)  # odd ranks have the even segments
    return Messages(
        call.n,
        np.tile(src, sizes.size)[keep],
        np.tile(dst, sizes.size)[keep],
        segment[keep],
        one_block(segment[keep], sizes.size),
        sizes,
        after=segment[keep] * 0 - 1,
    )
