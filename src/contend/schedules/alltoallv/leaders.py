"""Leaders that speak for their groups, for different sizes.

Source: Traff, EuroPVM/MPI 2002; this project.
Idea: the messages of the all-to-all of this name, with the bytes of their blocks.
Cost: at most the sum over the steps of g of their longest message, and L of the longest of each
phase; for equal sizes that of the all-to-all.
Restrictions: none.
"""

from contend.schedules.alltoall import leaders
from contend.schedules.group_algorithms import RelayedVector


class Leaders(RelayedVector, leaders.Leaders):
    """As its bases have it."""
