"""LG, the exchange of local groups, for different sizes.

Source: Jeannot, Steffenel, Euro-Par 2007, names it as future work.
Idea: the messages of the all-to-all of this name, with the bytes of their blocks.
Cost: at most the sum over the steps of g of their longest message, and L of the longest of each
phase; for equal sizes that of the all-to-all.
Restrictions: two groups, of which the size of one divides that of the other.
"""

from contend.schedules.alltoall import lg
from contend.schedules.group_algorithms import RelayedVector


class LocalGroups(RelayedVector, lg.LocalGroups):
    """As its bases have it."""
