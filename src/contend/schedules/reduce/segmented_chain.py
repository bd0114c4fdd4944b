"""Segmented chain.

Source: Barchet-Estefanel, Mounie, RenPar 2005: the reduction mirrors the broadcast.
Idea: the messages of the broadcast in reverse order and direction; who receives combines.
Cost: (P-1) L + (P+k-3) g(s) + g(r) for k > 1 segments of s bytes, r in the one that goes first;
(P-1) (g(m) + L) for k = 1.
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Mirrored
from contend.schedules.bcast import segmented_chain


class SegmentedChainReduce(Mirrored, segmented_chain.SegmentedChain):
    openmpi = 3
    mpich = None
