"""Segmented chain.

Source: Barchet-Estefanel, Mounie, RenPar 2005: the reduction mirrors the broadcast.
Idea: the messages of the broadcast in reverse order and direction; who receives combines.
Cost: (P-1) L + (P+k-3) g(s) + g(r) for k > 1 segments of s bytes, r in the one that goes first;
(P-1) (g(m) + L) for k = 1.
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Call
from contend.schedules.bcast import segmented_chain
from contend.schedules.messages import Messages


class SegmentedChainReduce(segmented_chain.SegmentedChain):
    """The mirror image of the broadcast."""

    collective = "reduce"
    openmpi = 3
    mpich = None

    def messages(self, call: Call) -> Messages:
        """Those of the broadcast, mirrored."""
        return super().messages(call).mirrored(combines=True)
