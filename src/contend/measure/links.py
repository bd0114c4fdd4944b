"""A campaign over the links of levels: measured into a file of links, resumed where it was stopped.

Idea: a first launch tells where the ranks are, which says which pairs of groups there are. Then a
launch has all ping-pongs, one all trains, and one for each way the bursts in rising order, which
ends with the first that loses a message; another tries a few sizes just below it.
Restrictions: one link at a time. The programs are those of pairs of hosts and of contention graphs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from contend.alltoall.clusters.groups import NODE, Groups, nodes_of
from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.measure.messages import MessageCampaign
from contend.measure.runner import Runner
from contend.models.links.experiments import (
    SIZES,
    Ranks,
    burst_sizes,
    bursts,
    finer_sizes,
    single_pairs,
)
from contend.models.links.fit import bursts_of
from contend.models.links.loss import divided
from contend.samples.messages import MessageSample, Sent
from contend.samples.quality import standing

ROLL_CALL = Sent("train", ((0, 1),))
Grouped = Callable[[Sequence[str]], Groups]  # the groups of hosts
GroupsOf = Mapping[str, tuple[str, ...]]  # of each rank, by level


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
    names = [tuple(level.names[group] for group in level.groups) for level in groups.levels]
    around = [("",) * len(hosts), *names, tuple(hosts)]
    levels = [
        Ranks(level.name, tuple(hosts), group_of, outer, inner, level.name == NODE)
        for level, outer, group_of, inner in zip(
            groups.levels, around, around[1:], around[2:], strict=False
        )
    ]
    levels = [ranks for ranks in levels if ranks.pairs()]
    if not levels:
        raise InvalidInputError(
            f"no level divides the {len(set(hosts))} hosts of this launch",
            "give a groups file of several groups, or --ppn 2 and more for the level of nodes",
        )
    return levels


class LinkCampaign(MessageCampaign):
    def __init__(
        self, runner: Runner, store: RecordStore[MessageSample], n: int, grouped: Grouped
    ) -> None:
        self._grouped = grouped
        super().__init__(runner, store, n)

    def carry_out(self, extent: Extent) -> int:
        if not self._hosts:
            self._call_roll()
        levels = levels_of(self._hosts, self._grouped)
        self._require_same_groups(levels)
        groups = {ranks.level: ranks.groups for ranks in levels}
        pairs = [pair for ranks in levels for pair in single_pairs(ranks)]
        ways = [burst for ranks in levels for burst in bursts(ranks)]
        wanted = [(pair, extent.sizes) for pair in pairs]
        wanted += [(way, tuple(burst_sizes(len(way.edges), extent.most))) for way in ways]
        self._planned = sum(
            self._lacks(messages, m, launch)
            for launch in range(extent.launches)
            for messages, sizes in wanted
            for m in sizes
        )
        for launch in range(extent.launches):
            for _, alike in groupby(
                sorted(pairs, key=lambda pair: pair.experiment), lambda pair: pair.experiment
            ):
                self._measure(list(alike), extent.sizes, launch, groups)
            for way in ways:
                self._measure_bursts(way, launch, extent.most, groups)
        return self._measured

    def _lacks(self, messages: Sent, m: int, launch: int) -> bool:
        """Whether a point is to be measured: neither done, nor larger than a burst that loses."""
        if (messages, m, launch) in self._good:
            return False
        return messages.experiment != "burst" or not self._has_lost(messages, launch, m - 1)

    def _require_same_groups(self, levels: Sequence[Ranks]) -> None:
        """Distinguish points by names of groups, not by who is in them."""
        now = {ranks.level: ranks.groups for ranks in levels}
        for sample in self.samples:
            if moved := sample.moved(now.get(sample.level, sample.groups)):
                host, before, after = moved
                raise InvalidInputError(
                    f"{self._store.path} holds links of level {sample.level!r} measured with host "
                    f"{host!r} in group {before!r}, which is in {after!r} now",
                    "name another file for other groups",
                )

    def _call_roll(self) -> None:
        with self._points([ROLL_CALL], (8,), f"links of {self.n} processes, hosts") as points:
            list(points)

    def _measure_bursts(self, way: Sent, launch: int, most: int, groups: GroupsOf) -> None:
        """Rising bursts until one loses, then a few just below it."""
        coarse = burst_sizes(len(way.edges), most)
        self._measure([way], coarse, launch, groups)
        clean, lossy = self._between(way, launch, coarse)
        if lossy:
            count = len(way.edges)
            self._measure([way], finer_sizes(clean // count, lossy // count), launch, groups)

    def _between(
        self, way: Sent, launch: int, sizes: Sequence[int] | None = None
    ) -> tuple[int, int | None]:
        """Bytes of the largest burst of a launch that lost nothing, and the smallest that did."""
        same = [
            sample
            for sample in self.samples
            if (sample.sent, sample.launch) == (way, launch)
            and (sizes is None or sample.m in sizes)
        ]
        return divided(bursts_of(standing(same))).between if same else (0, None)

    def _measure(
        self, sent: Sequence[Sent], sizes: Sequence[int], launch: int, groups: GroupsOf
    ) -> None:
        """What lacks of one experiment: sizes of which the same messages lack at once."""
        runs: dict[tuple[int, ...], list[int]] = {}
        for m in sizes:
            lacking = [self._lacks(messages, m, launch) for messages in sent]
            runs.setdefault(tuple(np.flatnonzero(lacking).tolist()), []).append(m)
        for numbers, lacking_sizes in runs.items():
            if numbers:
                self._run([sent[number] for number in numbers], lacking_sizes, launch, groups)

    def _run(
        self, sent: Sequence[Sent], sizes: Sequence[int], launch: int, groups: GroupsOf
    ) -> None:
        """Sizes of messages of one experiment, ascending; bursts until one loses."""
        title = f"links of {self.n} processes, {sent[0].title}, launch {launch}"
        with self._points(sent, sizes, title) as points:
            for messages, point, provenance in points:
                sample = self._take_in(
                    point, messages, launch, provenance, groups=groups[messages.level]
                )
                if messages.experiment == "burst" and self._has_lost(messages, launch, sample.m):
                    return

    def _has_lost(self, way: Sent, launch: int, m: int) -> bool:
        """Whether a burst of messages of no more than `m` bytes is known to lose."""
        _, lossy = self._between(way, launch)
        return lossy is not None and m * len(way.edges) >= lossy

    def _require_hosts(self, hosts: tuple[str, ...]) -> None:
        super()._require_hosts(hosts)
        levels_of(hosts, self._grouped)
