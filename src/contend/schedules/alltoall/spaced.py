"""Spaced direct exchange: messages leave at the rate of the slow link.

Source: this project; pacing by time as in Aggarwal, Savage, Anderson 2000, "Understanding the
performance of TCP pacing".
Idea: blocks go straight to those who want them, cut in K = ceil(m/s) chunks. In turn t position p
of a group sends to position (t - p) mod S of the next group, of the one after, ..., where S is the
largest group. No rank waits for an answer: between two messages to another group it lets pass the
time in which the link there carries one of each rank of its own group, and ahead of that they send
no more than its buffer holds.
Cost: as lg_pipelined with messages of one block, where nobody waits for the link; with a link of
bandwidth B between groups of n1 and n2 ranks n1 n2 m / B and one way. All messages between groups
cross by themselves, K of them for a block, and each byte once.
Restrictions: the program needs to know the link's bandwidth. The schedule says the order of its
messages, and not the times that it lets pass, which only what knows the link can say.
"""

from contend.schedules.algorithm import Call
from contend.schedules.alltoall import lg_pipelined
from contend.schedules.groups import Layout
from contend.schedules.relay import Route


class Spaced(lg_pipelined.PipelinedLocalGroups):
    """Straight to the destination, chunk by chunk."""

    name = "spaced"
    title = "spaced direct exchange"
    source = "contend"
    is_packed = False
    is_spaced = True

    def route(self, layout: Layout, call: Call) -> Route:
        """From the source to the destination."""
        turn = (layout.position[:, None] + layout.position) % int(layout.size.max())
        turn = turn * (layout.size.size - 1) + layout.distance - 1
        return Route.through(layout, layout.position[:, None], layout.position, turn)
