"""Node-aware aggregation: one message from each node to each other.

Source: Bienz, Gropp, Olson, "Node aware sparse matrix-vector multiplication", JPDC 130, 2019, three
steps; there for as many processes on every node.
Idea: nodes (or any groups) are paired by distance d = 1, 2, ...: all that a node has for the node
d further is collected by its position (d-1) mod its size, crosses in one message to the position
(d-1) mod the size of the other node, and is handed out there. So the nodes that a rank speaks to
are shared evenly among the ranks of a node, however many there are.
Cost: at most the sum over the steps of g of their longest message, and L of the three phases; for
two nodes of s ranks (s-1) (g((s+1) m) + g(s m)) + g(s^2 m), and the three L.
N (N-1) messages cross between N nodes, the fewest that can be, and each byte once.
Restrictions: none. With fewer other nodes than ranks of a node some ranks carry nothing.
"""

import numpy as np

from contend.schedules.algorithm import Call
from contend.schedules.group_algorithms import Relayed
from contend.schedules.groups import Layout
from contend.schedules.relay import Route


class NodeAware(Relayed):
    title = "node-aware aggregation"
    source = "Bienz, Gropp, Olson 2019"
    is_on_nodes = True

    def route(self, layout: Layout, call: Call) -> Route:
        """By way of those whose turn it is for this distance."""
        before = np.maximum(layout.distance - 1, 0)
        src_size, dst_size = layout.size[layout.group][:, None], layout.size[layout.group]
        # So many distances in a row have different ranks at both ends, in every node.
        turn = before // int(layout.size.min())
        return Route.through(layout, before % src_size, before % dst_size, turn)
