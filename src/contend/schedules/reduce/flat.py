"""Flat tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005: the reduction mirrors the broadcast.
Idea: the messages of the broadcast in reverse order and direction; who receives combines.
Cost: (P-1) g(m) + L.
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Call
from contend.schedules.bcast import flat
from contend.schedules.messages import Messages


class FlatReduce(flat.Flat):
    """The mirror image of the broadcast."""

    collective = "reduce"
    openmpi = 1

    def messages(self, call: Call) -> Messages:
        """Those of the broadcast, mirrored."""
        return super().messages(call).mirrored(combines=True)
