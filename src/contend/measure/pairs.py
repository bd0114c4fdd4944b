"""A campaign of ping-pongs between all pairs of hosts, in rounds; resumed where it was stopped.

Idea: one process on each host. A launch has all rounds of one size in a random order; every round
is stored as soon as it is measured.
Restrictions: what pairs of a round have in common, they share meanwhile: bandwidth over a link
between groups is that of many at once.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from contend.clusters.rounds import Pairs, rounds_of
from contend.clusters.sample import PairSample
from contend.errors import InvalidInputError, LaunchError
from contend.lab.running import RunningLab
from contend.measure.build import Program
from contend.measure.campaign import Report
from contend.measure.command import LaunchOptions
from contend.measure.emulated import require_hosts
from contend.measure.messages import MessageCampaign, program_sending
from contend.measure.mpi import MPI
from contend.samples import Provenance
from contend.samples.store import RecordStore
from contend.units import format_bytes


class PairCampaign(MessageCampaign[PairSample]):
    """Launches of one MPI library on `n` hosts into one file of measured pairs.

    A round, size and launch that the file holds already is not measured again.
    """

    def __init__(
        self,
        mpi: MPI,
        store: RecordStore[PairSample],
        n: int,
        options: LaunchOptions,
        report: Report | None = None,
        lab: RunningLab | None = None,
        seed: int = 1,
    ) -> None:
        if n < 2:
            raise InvalidInputError(f"{n} hosts", "pairs take at least 2")
        if lab:
            require_hosts(lab.lab, (n,), 1)
        super().__init__(mpi, store, options, report, lab)
        self.n, self._seed = n, seed
        self._hosts: tuple[str, ...] = ()
        for sample in self.samples:
            if len(sample.hosts) != n:
                raise InvalidInputError(
                    f"{store.path} holds pairs of {len(sample.hosts)} hosts, not {n}",
                    "name another file for other hosts",
                )

    def carry_out(self, sizes: Sequence[int], launches: int, rounds: int) -> int:
        """Measure what is not yet done, at most `rounds` rounds of each; new samples."""
        wanted = rounds_of(self.n, rounds)
        done = {sample.point for sample in self.samples if not sample.is_flagged}
        pending = [
            (launch, m, [one for one in wanted if (one, m, launch) not in done])
            for launch in range(launches)
            for m in sizes
        ]
        before = self._measured
        self._planned += sum(len(left) for _, _, left in pending)
        for launch, m, left in pending:
            if left:
                self._carry_out_one(left, m, launch)
        return self._measured - before

    def _carry_out_one(self, rounds: Sequence[Pairs], m: int, launch: int) -> None:
        order = np.random.default_rng((self._seed, launch, m)).permutation(len(rounds))
        shuffled = [rounds[index] for index in order]
        with program_of(self.mpi, shuffled, self.n) as program:
            title = f"pairs of {self.n} hosts, {format_bytes(m)}, launch {launch}"
            for point, provenance in self._points_of(program, self.n, (m,), title):
                pairs = shuffled[int(point["algorithm"].removeprefix("round"))]
                sample = self._sample(point, pairs, launch, provenance)
                what = f"{len(pairs)} pairs, {format_bytes(m)}"
                self._keep(sample, what, float(np.median(sample.times)))

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        super()._accept(data, new)
        self._hosts = tuple(data["hosts"][index] for index in data["host_of"])
        if len(set(self._hosts)) < self.n:
            raise LaunchError(
                f"the launcher placed {self.n} processes on {len(set(self._hosts))} hosts",
                "reserve as many hosts as processes, or give fewer with -n",
            )
        for sample in self.samples:
            if sample.hosts != self._hosts:
                raise InvalidInputError(
                    f"{self._store.path} holds pairs of other hosts, or in another order: "
                    f"{sample.hosts[0]} first, now {self._hosts[0]}",
                    "name another file for them",
                )

    def _sample(
        self, point: Mapping[str, Any], pairs: Pairs, launch: int, provenance: Provenance
    ) -> PairSample:
        parts = np.array(point["part_ends_s"])
        return self._made(
            point,
            "a round",
            "a clock too coarse does this; see 'contend doctor'",
            hosts=self._hosts,
            pairs=pairs,
            launch=launch,
            one_way_s=(0.5 * (parts[:, 1::2] - parts[:, ::2])).tolist(),
            provenance=provenance,
        )


def program_of(mpi: MPI, rounds: Sequence[Pairs], n: int) -> AbstractContextManager[Program]:
    """The program of the rounds; points are round0, round1."""
    named = {f"round{number}": pairs for number, pairs in enumerate(rounds)}
    return program_sending(mpi, "pairs", named, n, "pingpong")
