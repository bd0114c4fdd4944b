"""Node-aware aggregation of different sizes.

Source: Bienz, Gropp, Olson, JPDC 130, 2019; this project.
Idea: the messages of the all-to-all of this name, with the bytes of their blocks.
Cost: at most the sum over the steps of g of their longest message, and L of the longest of each
phase; for equal sizes that of the all-to-all.
Restrictions: none.
"""

from contend.schedules.alltoall import node_aware
from contend.schedules.group_algorithms import RelayedVector


class NodeAware(RelayedVector, node_aware.NodeAware):
    """As its bases have it."""
