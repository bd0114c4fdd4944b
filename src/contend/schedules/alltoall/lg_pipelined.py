"""LG in chunks, so that the slow link has work while the groups still exchange inside.

Source: this project; pipelining as in segmented broadcasts, phases of LG (Jeannot, Steffenel 2007).
Idea: each block is cut in K = ceil(m/s) chunks, and each chunk goes as in lg_balanced. A rank sends
what is local of the first chunk, and of the second, what crosses of the first, what is local of the
third, what crosses of the second, ...: it waits for the packed chunk while it sends the next.
Cost: with A the sum of g over the steps inside the groups and B over those between them, for a full
chunk, and L the larger latency of both, at most K (A + B) + L + W. What is waited for, W, is L for
K = 1, else max(L-A, 0) + (K-2)/2 max(L-A-B, 0) + max(L-B, 0), and nothing where nothing is local.
K times the messages of lg_balanced cross, and each byte once.
Restrictions: none. Without contention it is not faster: it pays where the slow link is shared.
"""

from typing import Any, ClassVar

import numpy as np

from contend.schedules.algorithm import Call, Claim, Floats, PLogP
from contend.schedules.alltoall import lg_balanced
from contend.schedules.messages import Listed, Messages, require_few
from contend.schedules.ragged_rows import Ints, ints, offsets_of
from contend.schedules.relay import Relay


class PipelinedLocalGroups(lg_balanced.BalancedLocalGroups):
    title = "LG in chunks"
    source = "contend; phases of Jeannot, Steffenel 2007"
    options: ClassVar[tuple[str, ...]] = ("segment",)

    def messages(self, call: Call) -> Messages:
        """Block (i K + c) n + j is chunk c of what i has for j."""
        made, sizes = self.relay(call), call.cut()
        n, k = made.n, sizes.size
        require_few(k * made.blocks.size)
        require_few(k * n * n)
        chunk = ints(np.arange(k)[:, None])
        step, after = self.order(made, chunk)
        block = (made.blocks // n * k + chunk) * n + made.blocks % n
        return Messages(
            ranks=n,
            src=np.tile(made.src, k),
            dst=np.tile(made.dst, k),
            step=step.ravel(),
            carries=Listed(offsets_of(np.tile(np.diff(made.offsets), k)), ints(block.ravel())),
            block_bytes=np.tile(np.repeat(sizes, n), n),
            after=after.ravel(),
        )

    def order(self, made: Relay, chunk: Ints) -> tuple[Ints, Ints]:
        """Step of every chunk (a row) of every message, and the last step that it waits for."""
        inside = int(made.begin[1])
        both = int(made.step.max(initial=-1)) + 1
        # Inside comes first: of chunk 0 at once, of the others behind what is between two earlier.
        ahead = np.where(chunk > 0, chunk * both - (both - inside), 0)
        step = made.step + np.where(made.phase == 0, ahead, inside + chunk * both)
        waits = (made.phase == 1) & (inside > 0)
        return ints(step), ints(np.where(waits, ahead + inside - 1, -1))

    def cost(self, net: PLogP, call: Call) -> Floats:
        profile = self.profile(call)
        chunk: Any = call.segment_bytes
        inside, between = (np.multiply.outer(profile.of_phase(p), chunk) for p in (0, 1))
        a, b = (net.gap_at(sizes).sum(axis=0) for sizes in (inside, between))
        longest = np.concatenate([inside, between]).max(axis=0, initial=0)
        latency = net.latency_at(longest)
        ahead = np.maximum(latency - a, 0) + np.maximum(latency - b, 0)
        each = np.maximum(latency - a - b, 0) / 2
        waits = np.where(call.segments > 1, ahead + (call.segments - 2) * each, latency)
        has_inside = len(inside) > 0 and len(between) > 0
        return np.asarray(call.segments * (a + b) + latency + waits * has_inside)

    def claim(self, call: Call) -> Claim:
        return "upper bound"
