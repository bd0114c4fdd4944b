"""contend clusters discover: groups from measured latency and bandwidth."""

import os
from pathlib import Path

from contend.alltoall.clusters.discovery import Rule, discover
from contend.alltoall.clusters.discovery_file import declared, require_replaceable, write_discovered
from contend.alltoall.clusters.file import GroupsFile
from contend.alltoall.clusters.groups import Level
from contend.alltoall.clusters.matching import assign
from contend.alltoall.clusters.plan import plan_of
from contend.alltoall.clusters.site import keep
from contend.alltoall.clusters.summary import relations
from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.base.units import format_rate, format_seconds, parse_bytes_list
from contend.cli import options, output
from contend.cli.campaigns import places
from contend.cli.options import option
from contend.cli.result import Cell, Result, Table
from contend.measure.mpi import find_mpi
from contend.measure.pairs import PairCampaign
from contend.measure.place import HERE
from contend.measure.place import place as place_of
from contend.models.links.times import times_of
from contend.samples.messages import MessageSample

ORDER = 0
EXAMPLE = "contend clusters discover --on lab:two-clusters"
SIZES = "8,64KiB"  # one that is all latency, one that is mostly bandwidth
COLUMNS: dict[str, Cell] = {
    "level": "level",
    "groups": lambda one: one.first if one.is_inside else f"{one.first} - {one.second}",
    "where": lambda one: "inside" if one.is_inside else "between",
    "pairs": "pairs",
    "one way": ("latency", format_seconds),
    "bandwidth": ("bandwidth", lambda bandwidth: format_rate(8 * bandwidth)),
}


def command(
    output_file: Path = option(
        "Groups file; never over what a person wrote.",
        "-o",
        "--output",
        default=Path("clusters.toml"),
    ),
    samples_file: Path | None = option(
        "Measured pairs; continued if it exists. Default beside -o.", "-s", "--samples"
    ),
    hosts: int | None = option("Number of hosts; default on a lab all.", "-n", "--hosts", min=2),
    sizes: str = option("Message sizes, two do.", "-m", "--sizes", default=SIZES),
    rounds: int = option(
        "Most hosts that each one meets; fewer than 20 are too few.", default=128, min=1
    ),
    ratio: float = option("A group is so many times slower to leave.", default=1.5, min=1.01),
    launches: int = option("Launches that repeat each pair.", default=1, min=1),
    min_repetitions: options.MinRepetitions = None,
    max_repetitions: options.MaxRepetitions = 20,
    mpicc: options.Mpicc = None,
    mpiexec: options.Mpiexec = None,
    on: options.On = HERE,
) -> Result:
    """Measure all pairs of hosts, one process on each, and write which form a group.

    Pairs are stored as soon as they are known; a measurement that was stopped continues when the
    same command is given again.
    """
    wanted, rule = sorted(parse_bytes_list(sizes)), Rule(ratio=ratio)
    if not wanted:
        raise InvalidInputError("no message size", f"give -m, e.g. {SIZES}")
    require_replaceable(output_file)  # before anything is measured
    mpi = find_mpi(mpicc, mpiexec)
    path = samples_file or output_file.with_suffix(".pairs.jsonl")
    with RecordStore(MessageSample, path) as store:
        place = place_of(on, mpi, bool(mpiexec), store.existing(), places.listener())
        n = hosts or place.hosts
        if n is None:
            raise InvalidInputError("the number of hosts is not known", "give it with -n")
        launch_options = place.launch_options(
            0.05, min_repetitions, None,
            max_repetitions=max_repetitions, max_seconds=0.5, processes_per_node=1,
        )  # fmt: skip
        with places.running(place, path) as (lab, show):
            campaign = PairCampaign(mpi, store, n, launch_options, show, lab)
            campaign.carry_out(wanted, launches, rounds)
    samples = [sample for sample in campaign.samples if sample.m in wanted]  # others may lack some
    good = {sample.point for sample in samples if not sample.is_flagged}
    if doubtful := {sample.point for sample in samples} - good:
        output.note(
            f"in {len(doubtful)} of {len(good | doubtful)} rounds the emulated network could not "
            "keep up; the same command measures them again"
        )
    times = times_of(samples)
    names = times[0].hosts
    levels = declared(names, discover(times, rule))
    measured = assign(GroupsFile(levels=tuple(levels)), names).levels
    shown = relations(times, measured or [Level.of("cluster", ["all"] * len(names))])
    write_discovered(output_file, levels)
    is_lab = place.lab is not None or "CONTEND_LAB" in os.environ  # whose plan is there already
    site = None if is_lab or not levels else keep(plan_of(GroupsFile(levels=tuple(levels))))
    counts = {0: "one group: no link is slower than others", 1: "1 level"}
    title = f"{counts.get(len(levels), f'{len(levels)} levels')}, in {output_file}"
    data = {
        "file": output_file,
        "samples": path,
        "site": site,
        "levels": [level.model_dump(mode="json", exclude_none=True) for level in levels],
        "relations": shown,
    }
    read = [f"contend alltoall run and the exchange library read them in {site}"] if site else []
    return Result(data, [Table(shown, COLUMNS, title), *read])
