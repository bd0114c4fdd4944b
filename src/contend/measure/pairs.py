"""A campaign of ping-pongs between all pairs of hosts, in rounds; resumed where it was stopped.

Idea: one process on each host. A launch has all rounds of one size in a random order; every round
is stored as soon as it is measured.
Restrictions: what pairs of a round have in common, they share meanwhile: bandwidth over a link
between groups is that of many at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from pydantic import ValidationError

from contend.clusters.rounds import Pairs, rounds_of
from contend.clusters.sample import PairSample, PairStore
from contend.document import first_problem
from contend.errors import InvalidInputError, LaunchError
from contend.lab.running import RunningLab
from contend.measure.build import Program, built_folder
from contend.measure.campaign import Progress, Report
from contend.measure.command import LaunchOptions
from contend.measure.emulated import require_hosts
from contend.measure.mpi import MPI
from contend.measure.points import points_of, require_same_origin
from contend.measure.scratch import scratch
from contend.samples import Provenance
from contend.units import format_bytes
from contend.wholefile import write_whole


class PairCampaign:
    """Launches of one MPI library on `n` hosts into one file of measured pairs.

    A round, size and launch that the file holds already is not measured again.
    """

    def __init__(
        self,
        mpi: MPI,
        store: PairStore,
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
        self.mpi, self.n, self.options = mpi, n, options
        self._store, self._report, self._lab, self._seed = store, report, lab, seed
        self._hosts: tuple[str, ...] = ()
        self._planned = self._measured = 0
        self.samples = store.existing()
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
            for point, provenance in points_of(
                self.mpi, program, self.n, (m,), self.options, self._lab, self._accept,
                f"pairs of {self.n} hosts, {format_bytes(m)}, launch {launch}",
            ):  # fmt: skip
                pairs = shuffled[int(point["algorithm"].removeprefix("round"))]
                self._keep(self._sample(point, pairs, launch, provenance))

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        require_same_origin(self._store.path, (s.provenance for s in self.samples), new)
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
        fields: dict[str, Any] = dict(
            hosts=self._hosts,
            pairs=pairs,
            m=point["m"],
            launch=launch,
            one_way_s=(0.5 * (parts[:, 1::2] - parts[:, ::2])).tolist(),
            lab=point.get("lab"),
            provenance=provenance,
        )
        try:
            return PairSample(**fields)
        except ValidationError as error:
            raise LaunchError(
                f"a round cannot be: {first_problem(error)}",
                "a clock too coarse does this; see 'contend doctor'",
            ) from None

    def _keep(self, sample: PairSample) -> None:
        self._store.append(sample)
        self.samples.append(sample)
        self._measured += 1
        if self._report:
            what = f"{len(sample.pairs)} pairs, {format_bytes(sample.m)}"
            last = float(np.median(sample.times))
            self._report(Progress(what, last, self._measured, self._planned))


@contextmanager
def program_of(mpi: MPI, rounds: Sequence[Pairs], n: int) -> Iterator[Program]:
    """The program with a file of the rounds, while the context lasts; points are round0, round1.

    The file is in the cache folder, which every host that starts the program sees.
    """
    folder = built_folder(mpi)
    lines = ["contend-graphs 1"]
    for number, pairs in enumerate(rounds):
        lines.append(" ".join([f"round{number}", *(f"{src}>{dst}" for src, dst in pairs)]))
    with scratch(folder.parent, "pairs-") as place:
        path = place / "rounds"
        write_whole(path, "\n".join(lines) + "\n")
        yield Program(
            "graph",
            folder / "graph",
            experiment="pairs",
            algorithms=tuple(line.split()[0] for line in lines[1:]),
            processes_min=n,
            processes_max=None,
            arguments=(str(path), "pingpong"),
        )
