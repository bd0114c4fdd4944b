"""Flat tree with synchronisation.

Source: Open MPI coll/base `ompi_coll_base_gather_intra_linear_sync`.
Idea: the root asks one rank after the other by an empty message; each answers with a first segment
of s bytes, then the rest. The root asks the next rank when it has the first segment, so that the
rest covers the wait.
Cost: A + g(s) + (P-2) (max(A, g(m-s)) + g(s)) + g(m-s), with A = g(0) + L(0) + L(s) from a request
to the answer. Where the rest has a larger latency than the first segment it comes that much later.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, PLogP, ints
from contend.schedules.messages import Messages, Spans


class LinearSync(Algorithm):
    title = "flat tree with synchronisation"
    source = "Open MPI"
    options = ("segment",)
    openmpi = 3

    def messages(self, call: Call) -> Messages:
        """Request, first segment and rest for each of the others; two blocks per rank."""
        child, part = np.repeat(np.arange(1, call.n), 3), np.tile(np.arange(3), call.n - 1)
        rank = np.arange(call.n - 1)
        step = (3 * rank[:, None] + ints([0, 1, 4])).ravel()  # the rest after the next request
        first = int(call.segment_bytes)
        return Messages(
            call.n,
            np.where(part == 0, 0, child),
            np.where(part == 0, child, 0),
            step,
            Spans(2 * child + (part == 2), ints(part > 0), 2 * call.n),
            ints([first, int(call.m) - first] * call.n),
        )

    def cost(self, net: PLogP, call: Call) -> Floats:
        first, remainder = call.segment_bytes, call.m - call.segment_bytes
        later = np.maximum(net.latency_at(remainder) - net.latency_at(first), 0.0)
        rest = later + net.gap_at(remainder)
        answer = net.seconds(0) + net.latency_at(first)
        period = np.maximum(answer, rest) + net.gap_at(first)
        return np.asarray(answer + net.gap_at(first) + (call.n - 2) * period + rest)

    def claim(self, call: Call) -> Claim:
        """A rest that is longer than the first segment may overtake some of its latency."""
        is_short = bool(np.all(np.asarray(call.m) <= 2 * call.segment_bytes))
        return "exact" if is_short else "upper bound"
