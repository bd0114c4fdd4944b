"""LG for any groups and different sizes, with balanced carriers.

Source: Jeannot, Steffenel, Euro-Par 2007; this project.
Idea: the messages of the all-to-all of this name, with the bytes of their blocks.
Cost: at most the sum over the steps of g of their longest message, and L of the longest of each
phase; for equal sizes that of the all-to-all.
Restrictions: none. Carriers are balanced by blocks, not by bytes.
"""

from contend.schedules.alltoall import lg_balanced
from contend.schedules.group_algorithms import RelayedVector


class BalancedLocalGroups(RelayedVector, lg_balanced.BalancedLocalGroups):
    """As its bases have it."""
