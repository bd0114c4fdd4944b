"""Split binary tree.

Source: Open MPI coll/base `ompi_coll_base_bcast_intra_split_bintree`.
Idea: the root sends one half of the segments down a binary tree of half of the ranks and the other
half down a second one; then each rank of one tree exchanges its half with a rank of the other. An
odd rank gets the second half from the root.
Cost: at most k g(s) + T(s) + 2 ceil(k/2) g(s) + L for k segments of s bytes, where T(s) is the time
down a binary tree of all P ranks: every segment reaches the trees by k g(s) + T(s), the halves are
then exchanged, or sent by the root, one behind the other.
Restrictions: none. A message of one segment goes to both trees by way of the exchange.
"""

import numpy as np

from contend.document import Floats
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm, Call, Claim
from contend.schedules.messages import Messages, one_block
from contend.schedules.trees import heap_seconds


class SplitBinary(Algorithm):
    """Ranks 1, 3, 5, ... are the first tree and 2, 4, 6, ... the second; 2i+1 and 2i+2 exchange."""

    name = "split_binary"
    collective = "bcast"
    title = "split binary tree"
    source = "Open MPI"
    options = ("segment",)
    openmpi = 4

    def messages(self, call: Call) -> Messages:
        """Down both trees, then the exchange."""
        return _down(call).then(_across(call))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """Both halves down, then across."""
        gap, half = net.gap_at(call.segment_bytes), -(-call.segments // 2)
        down = heap_seconds(call.n, 2, gap, float(net.latency)) + call.segments * gap
        return np.asarray(down + 2 * half * gap + float(net.latency))

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
    """The segments of the other tree, one by one, from the partner or else from the root."""
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
    )
