"""Leaders that speak for their groups.

Source: leaders as in Traff, "Improved MPI all-to-all communication on a Giganet SMP cluster",
EuroPVM/MPI 2002, there one per node; several of them in this project.
Idea: in each group the first `leaders` ranks are leaders, or all ranks if there are less. The
leader l of a group takes in what comes for the positions j with j mod l_B = l, where l_B is the
number of its leaders; it gets it from the leader l mod l_A of each other group, and hands it out.
What a rank has for a leader travels with its own block for it.
Cost: at most the sum over the steps of g of their longest message, and L of the three phases. With
one leader and two groups of s ranks that is (s-1) (g((s+1) m) + g(s m)) + g(s^2 m) + those L.
The sum of the leaders of all groups, times the number of other groups, of messages cross the slow
links, and each byte once.
Restrictions: none. Pays where each message over the slow link is dear; all bytes pass the links of
the leaders.
"""

from typing import ClassVar

import numpy as np

from contend.schedules.algorithm import Call
from contend.schedules.group_algorithms import Relayed
from contend.schedules.groups import Layout
from contend.schedules.relay import Route


class Leaders(Relayed):
    """Collected, exchanged and handed out by some ranks of each group."""

    title = "several leaders per group"
    source = "Traff 2002; contend"
    options: ClassVar[tuple[str, ...]] = ("leaders",)

    def route(self, layout: Layout, call: Call) -> Route:
        """By way of a leader of each group."""
        leaders = np.minimum(layout.size, call.leaders)
        src_leaders, dst_leaders = leaders[layout.group][:, None], leaders[layout.group]
        lane = layout.position % dst_leaders  # of the destination
        width = -(-int(leaders.max()) // int(leaders.min()))
        turn = (layout.distance - 1) * width + lane // src_leaders
        return Route.through(layout, lane % src_leaders, lane, turn)
