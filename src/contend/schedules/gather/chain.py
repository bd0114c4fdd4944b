"""Chain.

Source: Barchet-Estefanel, Mounie, RenPar 2005, section 4: the gather mirrors the scatter.
Idea: the messages of the scatter in reverse order and direction.
Cost: sum_{j=1}^{P-1} g(j m) + (P-1) L.
Restrictions: none. It counts that the root receives one message at a time.
"""

from contend.schedules.algorithm import Mirrored
from contend.schedules.scatter import chain


class ChainGather(Mirrored, chain.Chain):
    source = "Barchet-Estefanel, Mounie 2005, section 4"
