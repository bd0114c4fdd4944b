"""Flat tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005: the reduction mirrors the broadcast.
Idea: the messages of the broadcast in reverse order and direction; who receives combines.
Cost: (P-1) g(m) + L.
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Mirrored
from contend.schedules.bcast import flat


class FlatReduce(Mirrored, flat.Flat):
    openmpi = 1
