"""A campaign over the links of levels: measured into a file of links, resumed where it was stopped.

Idea: a first launch tells where the ranks are, which says which pairs of groups there are. Then a
launch has all ping-pongs, one all trains, and one for each way the bursts in rising order, which
ends with the first that loses a message; another tries a few sizes just below it.
Restrictions: one link at a time. The programs are those of pairs of hosts and of contention graphs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from contend.clusters.groups import NODE, Groups
from contend.clusters.nodes import nodes_of
from contend.errors import InvalidInputError
from contend.lab.running import RunningLab
from contend.links.experiments import (
    SIZES,
    Measurement,
    Ranks,
    burst_sizes,
    bursts,
    finer_sizes,
    single_pairs,
)
from contend.links.fit import bursts_of, trusted
from contend.links.loss import divided
from contend.links.sample import LinkSample
from contend.measure.build import Program
from contend.measure.campaign import Report
from contend.measure.command import LaunchOptions
from contend.measure.emulated import require_hosts
from contend.measure.messages import START_BY_BARRIER, MessageCampaign, program_sending
from contend.measure.mpi import MPI
from contend.samples import Provenance
from contend.samples.store import RecordStore
from contend.units import format_bytes

MODES = {"pingpong": "pingpong", "train": "process", "burst": "process"}  # of the program graph
ROLL_CALL = Measurement("", "train", "", "", ((0, 1),))
Grouped = Callable[[Sequence[str]], Groups]  # the groups of hosts


@dataclass(frozen=True)
class Extent:
    """How much is measured: sizes of single messages, and bytes of the largest burst."""

    launches: int
    most: int
    sizes: tuple[int, ...] = SIZES


def levels_of(hosts: Sequence[str], grouped: Grouped) -> list[Ranks]:
    """The levels that divide ranks on these hosts; with several on one that of nodes too."""
    groups = grouped(hosts)
    if len(set(hosts)) < len(hosts):
        groups = groups.below(nodes_of(hosts))
    names = [tuple(level.names[one] for one in level.groups) for level in groups.levels]
    around = [("",) * len(hosts), *names, tuple(hosts)]
    found = [
        Ranks(level.name, tuple(hosts), own, outer, inner, level.name == NODE)
        for level, outer, own, inner in zip(
            groups.levels, around, around[1:], around[2:], strict=False
        )
    ]
    found = [ranks for ranks in found if ranks.pairs()]
    if not found:
        raise InvalidInputError(
            f"no level divides the {len(set(hosts))} hosts of this launch",
            "give a groups file of several groups, or --ppn 2 and more for the level of nodes",
        )
    return found


class LinkCampaign(MessageCampaign[LinkSample]):
    """Launches of one MPI library on `n` ranks into one file of measured links.

    A point that the file holds already is not measured again, unless the emulated network was late.
    """

    def __init__(
        self,
        mpi: MPI,
        store: RecordStore[LinkSample],
        n: int,
        options: LaunchOptions,
        grouped: Grouped,
        report: Report | None = None,
        lab: RunningLab | None = None,
    ) -> None:
        if lab:
            require_hosts(lab.lab, (n,), options.processes_per_node)
        super().__init__(mpi, store, options, report, lab)
        self.n, self._grouped = n, grouped
        self._hosts: tuple[str, ...] = self.samples[0].hosts if self.samples else ()
        if self._hosts and len(self._hosts) != n:
            raise InvalidInputError(
                f"{store.path} holds links of {len(self._hosts)} processes, not {n}",
                "name another file for other hosts",
            )

    def carry_out(self, extent: Extent) -> int:
        """Measure what is not yet done; the number of new samples."""
        if not self._hosts:
            self._call_roll()
        levels = levels_of(self._hosts, self._grouped)
        self._require_same_groups(levels)
        pairs = [(ranks, one) for ranks in levels for one in single_pairs(ranks)]
        ways = [(ranks, one) for ranks in levels for one in bursts(ranks)]
        wanted = [(one, extent.sizes) for _, one in pairs]
        wanted += [(one, tuple(burst_sizes(len(one.edges), extent.most))) for _, one in ways]
        done = self._done
        self._planned = sum(
            self._lacks(one, m, launch, done)
            for launch in range(extent.launches)
            for one, sizes in wanted
            for m in sizes
        )
        for launch in range(extent.launches):
            for _, group in groupby(
                sorted(pairs, key=lambda pair: pair[1].experiment), lambda pair: pair[1].experiment
            ):
                self._measure(list(group), extent.sizes, launch)
            for ranks, way in ways:
                self._measure_bursts(ranks, way, launch, extent.most)
        return self._measured

    @property
    def _done(self) -> set[tuple[Any, ...]]:
        return {sample.point for sample in self.samples if not sample.is_flagged}

    def _lacks(self, one: Measurement, m: int, launch: int, done: set[tuple[Any, ...]]) -> bool:
        """Whether a point is to be measured: neither done, nor larger than a burst that loses."""
        if _point(one, m, launch) in done:
            return False
        return one.experiment != "burst" or not self._has_lost(one, launch, m - 1)

    def _require_same_groups(self, levels: Sequence[Ranks]) -> None:
        """Points are told apart by names of groups, not by who is in them."""
        now = {ranks.level: ranks.groups for ranks in levels}
        for sample in self.samples:
            if sample.hosts != self._hosts:
                raise InvalidInputError(
                    f"{self._store.path} holds links of different hosts, or in another order",
                    "name another file",
                )
            if moved := sample.moved(now.get(sample.level, sample.groups)):
                host, before, after = moved
                raise InvalidInputError(
                    f"{self._store.path} holds links of level {sample.level!r} measured with host "
                    f"{host!r} in group {before!r}, which is in {after!r} now",
                    "name another file for other groups",
                )

    def _call_roll(self) -> None:
        """Learn on which host each rank is."""
        with self._points([ROLL_CALL], (8,), "hosts") as points:
            list(points)

    def _measure_bursts(self, ranks: Ranks, way: Measurement, launch: int, most: int) -> None:
        """Rising bursts until one loses, then a few just below it."""
        coarse = burst_sizes(len(way.edges), most)
        self._measure([(ranks, way)], coarse, launch)
        clean, lossy = self._between(way, launch, coarse)
        if lossy:
            count = len(way.edges)
            finer = finer_sizes(clean // count, lossy // count)
            self._measure([(ranks, way)], finer, launch)

    def _between(
        self, way: Measurement, launch: int, sizes: Sequence[int] | None = None
    ) -> tuple[int, int | None]:
        """Bytes of the largest burst of a launch that lost nothing, and the smallest that did."""
        key = (way.level, way.source, way.destination, launch)
        own = [
            one
            for one in self.samples
            if one.experiment == "burst"
            and (one.level, one.source, one.destination, one.launch) == key
            and (sizes is None or one.m in sizes)
        ]
        if not own:
            return 0, None
        return divided(bursts_of(trusted(own, include_flagged=True))).between

    def _measure(
        self,
        wanted: Sequence[tuple[Ranks, Measurement]],
        sizes: Sequence[int],
        launch: int,
    ) -> None:
        """What lacks of measurements of one experiment: sizes of which the same ones do at once."""
        done = self._done
        runs: dict[tuple[int, ...], list[int]] = {}
        for m in sizes:
            lacking = [self._lacks(one, m, launch, done) for _, one in wanted]
            runs.setdefault(tuple(np.flatnonzero(lacking).tolist()), []).append(m)
        for numbers, left in runs.items():
            if numbers:
                self._run([wanted[number] for number in numbers], left, launch)

    def _run(
        self, wanted: Sequence[tuple[Ranks, Measurement]], left: Sequence[int], launch: int
    ) -> None:
        """Sizes of measurements of one experiment, ascending; bursts until one loses."""
        measurements = [one for _, one in wanted]
        until_loss = measurements[0].experiment == "burst"
        title = f"{measurements[0].title}, launch {launch}"
        with self._points(measurements, left, title) as points:
            for point, provenance in points:
                number = int(point["algorithm"].partition(":")[0])
                ranks, one = wanted[number]
                sample = self._sample(point, ranks, one, launch, provenance)
                what = f"{one.experiment} {one.source}>{one.destination}, "
                what += format_bytes(sample.volume)
                self._keep(sample, what, float(np.median(sample.times.max(axis=1))))
                if until_loss and self._has_lost(one, launch, point["m"]):
                    return

    def _has_lost(self, way: Measurement, launch: int, m: int) -> bool:
        """Whether a burst of messages of no more than `m` bytes is known to lose."""
        _, lossy = self._between(way, launch)
        return lossy is not None and m * len(way.edges) >= lossy

    @contextmanager
    def _points(
        self, measurements: Sequence[Measurement], sizes: Sequence[int], title: str
    ) -> Iterator[Iterator[tuple[dict[str, Any], Provenance]]]:
        """Points of one launch; those that nobody waits for are not measured."""
        title = f"links of {self.n} processes, {title}"
        with (
            program_of(self.mpi, measurements, self.n) as program,
            closing(self._points_of(program, self.n, sizes, title)) as points,
        ):
            yield points

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        super()._accept(data, new)
        hosts = tuple(data["hosts"][index] for index in data["host_of"])
        if self._hosts and hosts != self._hosts:
            raise InvalidInputError(
                f"{self._store.path} holds links of other hosts, or in another order: "
                f"{self._hosts[0]} first, now {hosts[0]}",
                "name another file for them",
            )
        self._hosts = hosts
        levels_of(hosts, self._grouped)

    def _sample(
        self,
        point: Mapping[str, Any],
        ranks: Ranks,
        one: Measurement,
        launch: int,
        provenance: Provenance,
    ) -> LinkSample:
        parts = np.array(point["part_ends_s"])
        times = 0.5 * (parts[:, 1::2] - parts[:, ::2]) if one.experiment == "pingpong" else parts
        return self._made(
            point,
            one.title,
            START_BY_BARRIER,
            level=one.level,
            experiment=one.experiment,
            source=one.source,
            destination=one.destination,
            hosts=ranks.hosts,
            groups=ranks.groups,
            edges=one.edges,
            launch=launch,
            times_s=times.tolist(),
            provenance=provenance,
        )


def _point(one: Measurement, m: int, launch: int) -> tuple[Any, ...]:
    """As that of its sample."""
    return (
        one.level, one.experiment, one.source, one.destination, len(one.edges), m, launch
    )  # fmt: skip


def program_of(
    mpi: MPI, measurements: Sequence[Measurement], n: int
) -> AbstractContextManager[Program]:
    """The program of measurements of one experiment; points are named by number."""
    named = {f"{number}:{one.experiment}": one.edges for number, one in enumerate(measurements)}
    return program_sending(mpi, "links", named, n, MODES[measurements[0].experiment])
