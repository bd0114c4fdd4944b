"""Binary tree.

Source: Barchet-Estefanel, Mounie, RenPar 2005: the reduction mirrors the broadcast.
Idea: the messages of the broadcast in reverse order and direction; who receives combines.
Cost: 2 (k-1) g(s) + T(s), T(s) <= ceil(log2 P) (2 g(s) + L), for k segments of s bytes; an upper
bound where s does not divide m.
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Mirrored
from contend.schedules.bcast import binary


class BinaryReduce(Mirrored, binary.Binary):
    openmpi = 4
    mpich = None
