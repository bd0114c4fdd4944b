"""A campaign of ping-pongs between all pairs of hosts, in rounds.

Idea: one process on each host. A launch has all rounds of one size in a random order.
Restrictions: what pairs of a round have in common, they share meanwhile: bandwidth over a link
between groups is that of many at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from contend.alltoall.clusters.rounds import rounds_of
from contend.base.errors import LaunchError
from contend.base.units import format_bytes
from contend.measure.messages import MessageCampaign
from contend.samples import Provenance
from contend.samples.messages import Sent


class PairCampaign(MessageCampaign):
    """Rounds of all pairs of `n` hosts; a launch of one size draws their order by `seed`."""

    seed = 1

    def carry_out(self, sizes: Sequence[int], launches: int, rounds: int) -> int:
        wanted = [Sent("round", pairs) for pairs in rounds_of(self.n, rounds)]
        before = self._measured
        for launch, m, pending in self._pending(wanted, sizes, launches):
            self._carry_out_one(pending, m, launch)
        return self._measured - before

    def _carry_out_one(self, rounds: Sequence[Sent], m: int, launch: int) -> None:
        order = np.random.default_rng((self.seed, launch, m)).permutation(len(rounds))
        title = f"pairs of {self.n} hosts, {format_bytes(m)}, launch {launch}"
        with self._points([rounds[index] for index in order], (m,), title) as points:
            for messages, point, provenance in points:
                self._take_in(point, messages, launch, provenance)

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        if len({*data["host_of"]}) < self.n:
            raise LaunchError(
                f"the launcher placed {self.n} processes on {len({*data['host_of']})} hosts",
                "reserve as many hosts as processes, or give fewer with -n",
            )
        super()._accept(data, new)
