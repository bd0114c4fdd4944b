"""Flat tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, section 4: the gather mirrors the scatter.
Idea: the messages of the scatter in reverse order and direction.
Cost: (P-1) g(m) + L.
Restrictions: none. It counts that the root receives one message at a time.
"""

from contend.schedules.algorithm import Mirrored
from contend.schedules.scatter import flat


class FlatGather(Mirrored, flat.Flat):
    source = "Barchet-Estefanel, Mounie 2005, section 4"
    openmpi = 1
