"""Groups of hosts, found from measured pairs, and shown."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from contend.alltoall.clusters.discovery import Rule, discover
from contend.alltoall.clusters.discovery_file import declared, require_replaceable, write_discovered
from contend.alltoall.clusters.file import GroupsFile, read_groups
from contend.alltoall.clusters.groups import Level
from contend.alltoall.clusters.matching import assign
from contend.alltoall.clusters.plan import plan_of
from contend.alltoall.clusters.rounds import rounds_of
from contend.alltoall.clusters.site import keep
from contend.alltoall.clusters.summary import relations
from contend.base.errors import InvalidInputError, LaunchError
from contend.base.records import RecordStore
from contend.base.result import Cell, Line, Part, Result, Table
from contend.base.units import format_bytes, format_rate, format_seconds
from contend.measure.campaigns.options import MeasureOptions
from contend.measure.messages import MessageCampaign
from contend.models.links.times import times_of
from contend.samples import Provenance
from contend.samples.messages import MessageSample, Sent

SIZES = (8, 65536)  # one that is all latency, one that is mostly bandwidth
COLUMNS: Mapping[str, Cell] = {
    "level": "level",
    "groups": lambda each: each.first if each.is_inside else f"{each.first} - {each.second}",
    "where": lambda each: "inside" if each.is_inside else "between",
    "pairs": "pairs",
    "one way": ("latency", format_seconds),
    "bandwidth": ("bandwidth", lambda bandwidth: format_rate(8 * bandwidth)),
}


def discover_groups(
    path: Path,
    options: MeasureOptions,
    hosts: int | None = None,
    m: Sequence[int] = SIZES,
    *,
    samples_file: Path | None = None,
    rounds: int = 128,
    ratio: float = 1.5,
) -> Result:
    """Measure pairs of hosts, a process on each, and write which form a group.

    Parameters
    ----------
    path
        Groups file, never over what a person wrote.
    hosts, m
        Number of hosts, default all of a lab, and message sizes.
    samples_file
        Measured pairs, continued if it exists; default beside `path`.
    rounds, ratio
        Most hosts that each one meets; how many times slower a group is to leave.

    >>> options = MeasureOptions("lab:two-clusters,hosts=2", min_repetitions=2, max_repetitions=2)
    >>> discover_groups(Path("mine.toml"), options, hosts=4).code
    0
    """
    require_replaceable(path)  # before anything is measured
    wanted, file = sorted(m), samples_file or path.with_suffix(".pairs.jsonl")
    if not wanted:
        raise InvalidInputError("no message size", "give -m, e.g. 8,64KiB")
    usual = replace(options, processes_per_node=None, max_repetitions=options.max_repetitions or 20)
    with RecordStore(MessageSample, file) as store:
        place = usual.place(store.existing())
        n = hosts or place.hosts
        if n is None:
            raise InvalidInputError("the number of hosts is not known", "give it with -n")
        launched = usual.launch_options(place, processes_per_node=1)
        with usual.running(place, file, launched) as runner:
            campaign = PairCampaign(runner, store, n)
            campaign.carry_out(wanted, options.launches or 1, rounds)
    samples = [each for each in campaign.samples if each.m in wanted]  # others may lack some
    good = {each.point for each in samples if not each.is_flagged}
    if doubtful := {each.point for each in samples} - good:
        options.listener.note(
            f"in {len(doubtful)} of {len(good | doubtful)} rounds processes waited for cores, "
            "or the emulated network could not keep up, so that near hosts may look distant; the "
            "same command measures them again"
        )
    times = times_of(samples)
    names = times[0].hosts
    levels = declared(names, discover(times, Rule(ratio=ratio)))
    measured = assign(GroupsFile(levels=tuple(levels)), names).levels
    rows = relations(times, measured or [Level.of("cluster", ["all"] * len(names))])
    write_discovered(path, levels)
    is_lab = place.lab is not None or "CONTEND_LAB" in os.environ  # whose plan is there already
    site = None if is_lab or not levels else keep(plan_of(GroupsFile(levels=tuple(levels))))
    counts = {0: "one group: no link is slower than others", 1: "1 level"}
    title = f"{counts.get(len(levels), f'{len(levels)} levels')}, in {path}"
    data = {
        "file": path,
        "samples": file,
        "site": site,
        "levels": [level.model_dump(mode="json", exclude_none=True) for level in levels],
        "relations": rows,
    }
    read = [f"contend alltoall run and its library read them in {site}"] if site else []
    return Result(data, [Table(rows, COLUMNS, title), *read])


def describe_groups(path: Path, hosts: Sequence[str] = ()) -> Result:
    """Show the levels and groups of a file, and which of each level the hosts are in.

    >>> describe_groups(Path("clusters.toml"), ["red1"]).data["hosts"]
    {'red1': {'cluster': 'red'}}
    """
    groups_file = read_groups(path)
    assigned = assign(groups_file, hosts).levels if hosts else ()
    of_hosts = {
        host: {level.name: level.names[level.groups[index]] for level in assigned}
        for index, host in enumerate(hosts)
    }
    data = groups_file.model_dump(mode="json", exclude_none=True) | {"hosts": of_hosts}
    return Result(data, _group_parts(path, groups_file, of_hosts))


def _group_parts(
    path: Path, groups_file: GroupsFile, of_hosts: dict[str, dict[str, str]]
) -> Iterator[Part]:
    rows = [
        {
            "level": level.name,
            "group": group.name,
            "hosts": group.subnet or " ".join(group.hosts),
            "written by": "a measurement" if level.discovered else "hand",
        }
        for level in groups_file.levels
        for group in level.groups
    ]
    if not rows:
        yield Line(f"{path} declares no level: all hosts are one group")
        return
    yield Table(rows)
    if of_hosts:
        yield Table([{"host": host, **groups} for host, groups in of_hosts.items()])


class PairCampaign(MessageCampaign):
    """Ping-pongs between all pairs of `n` hosts, a process on each, in rounds.

    A launch of one size draws the order of its rounds by `seed`. What pairs of a round have in
    common, they share meanwhile: bandwidth over a link between groups is that of many at once.
    """

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
