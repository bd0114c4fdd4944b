"""Spaced direct exchange: messages leave at the rate of the slow link.

Source: this project; pacing by time as in Aggarwal, Savage, Anderson 2000, "Understanding the
performance of TCP pacing".
Idea: blocks go straight to those who want them, cut in K = ceil(m/s) chunks. Position p of a group
sends to position p of the next group, of the one after, ..., then to p + 1 of each, ..., modulo
their sizes. No rank waits for an answer: between two messages to another group it lets pass the
time in which the link there carries one of each rank of its own group, and ahead of that they send
no more than its buffer holds. Local messages go in between.
Cost: at most K (G S - 1) g(s) + L(s) for G groups of up to S ranks where nobody waits for the link;
n1 n2 m / B and one way where one of bandwidth B holds up groups of n1 and n2 ranks. All messages
between groups cross by themselves, K of them for a block, and each byte once.
Restrictions: the program needs to know the link's bandwidth. The schedule says the order of its
messages, and not the times that it lets pass, which only what knows the link can say.
"""

from typing import Any

import numpy as np

from contend.schedules.algorithm import Call, Floats, Ints, PLogP, ints
from contend.schedules.alltoall import lg_pipelined
from contend.schedules.groups import Layout
from contend.schedules.relay import Relay, Route


class Spaced(lg_pipelined.PipelinedLocalGroups):
    title = "spaced direct exchange"
    source = "contend"
    is_packed = False
    is_spaced = True

    def route(self, layout: Layout, call: Call) -> Route:
        size = layout.size[layout.group]
        turn = (layout.position - layout.position[:, None]) % size
        turn = turn * (layout.size.size - 1) + layout.distance - 1
        return Route.through(layout, layout.position[:, None], layout.position, turn)

    def order(self, made: Relay, chunk: Ints) -> tuple[Ints, Ints]:
        """Each rank spreads what is local evenly behind what is not."""
        n, is_far = made.n, made.phase == 1
        far, near = (np.bincount(made.src[these], minlength=n) for these in (is_far, ~is_far))
        place = np.empty_like(made.src)
        for these in (is_far, ~is_far):  # its number among those of its rank
            index = np.flatnonzero(these)
            index = index[np.argsort(made.src[index], kind="stable")]
            src = made.src[index]
            place[index] = np.arange(index.size) - np.searchsorted(src, src)
        far, near = (np.maximum(count, 1)[made.src] for count in (far, near))
        before = np.where(is_far, place * near // far, -(-(place + 1) * far // near))
        step = ints(place + before + chunk * (n - 1))
        return step, np.full_like(step, -1)

    def cost(self, net: PLogP, call: Call) -> Floats:
        chunk: Any = call.segment_bytes
        steps = len(self.profile(call).blocks)
        return np.asarray(call.segments * steps * net.gap_at(chunk) + net.latency_at(chunk))
