"""Binomial tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005, section 4: the gather mirrors the scatter.
Idea: the messages of the scatter in reverse order and direction.
Cost: that of the scatter; for P a power of two
sum_{j=0}^{log2(P)-1} g(2^j m) + log2(P) L.
Restrictions: none. It counts that the root receives one message at a time.
"""

from contend.schedules.algorithm import Mirrored
from contend.schedules.scatter import binomial


class BinomialGather(Mirrored, binomial.Binomial):
    source = "Barchet-Estefanel, Mounie 2005, section 4"
    openmpi = 2
    mpich = "binomial"
