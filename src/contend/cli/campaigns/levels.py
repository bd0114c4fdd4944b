"""The links of levels: measured (contend measure --levels), fitted (contend fit), and shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from contend.cli import output
from contend.cli.campaigns import measuring
from contend.clusters.file import read_groups
from contend.clusters.groups import Groups
from contend.clusters.matching import assign
from contend.document import Quantity
from contend.errors import InvalidInputError
from contend.links.experiments import LEAST_BURST
from contend.links.record import LevelLinks
from contend.measure.links import Extent, LinkCampaign
from contend.measure.mpi import find_mpi
from contend.samples.messages import MessageSample
from contend.samples.store import RecordStore
from contend.units import format_bytes, format_rate, format_seconds

WARMUP = 3  # repetitions in which streams open their windows


@dataclass(frozen=True)
class Wanted:
    """What of the links is measured, and where; None where the place decides."""

    groups_file: Path | None
    ranks: int | None
    per_node: int
    launches: int | None
    sizes: tuple[int, ...]
    most: int
    on: str
    mpicc: str | None
    mpiexec: str | None

    def __post_init__(self) -> None:
        if self.groups_file is None and self.per_node < 2:
            raise InvalidInputError(
                "no groups to measure between",
                "name a file with --groups ('contend clusters discover' writes one), or give "
                "--ppn 2 or more for the level of nodes",
            )
        if self.ranks is not None and self.ranks < 2:
            raise InvalidInputError(f"n = {self.ranks}", "a link takes at least 2 processes")
        if self.most < LEAST_BURST:
            raise InvalidInputError(
                f"at most {format_bytes(self.most)} at once over a link",
                f"give --most {format_bytes(LEAST_BURST).replace(' ', '')} or more: a bandwidth "
                "takes bursts of three sizes",
            )


def grouped(groups_file: Path | None) -> Callable[[Sequence[str]], Groups]:
    """The groups of hosts that a file declares; without one all are in none."""
    if groups_file is None:
        return lambda hosts: Groups(())
    declared = read_groups(groups_file)
    return lambda hosts: assign(declared, hosts)


def measure_levels(
    path: Path,
    wanted: Wanted,
    precision: str,
    min_repetitions: int | None,
    warmup: int | None,
    *,
    as_json: bool,
    **others: Any,
) -> None:
    """Measure what is not yet in the file; what is said of launches is as for any measurement."""
    of_hosts = grouped(wanted.groups_file)  # what is wrong with it is told before all else
    mpi = find_mpi(wanted.mpicc, wanted.mpiexec)
    with RecordStore(MessageSample, path) as store:
        place = measuring.place(wanted.on, mpi, bool(wanted.mpiexec), store.existing())
        ranks = wanted.ranks or (place.hosts or 0) * wanted.per_node
        if not ranks:
            raise InvalidInputError("the number of processes is not known", "give it with -n")
        launch_options = place.launch_options(
            precision,
            min_repetitions,
            WARMUP if warmup is None else warmup,
            processes_per_node=wanted.per_node,
            **others,
        )
        extent = Extent(wanted.launches or place.launches, wanted.most, wanted.sizes)
        with place.running(path) as lab, measuring.progress("measuring") as show:
            campaign = LinkCampaign(mpi, store, ranks, launch_options, of_hosts, show, lab)
            new = campaign.carry_out(extent)
    flagged = sum(sample.is_flagged for sample in campaign.samples)
    if flagged:
        output.note(
            f"in {flagged} of {len(campaign.samples)} samples the emulated network could not keep "
            "up; the same command measures them again"
        )
    if as_json:
        output.show_json({"samples": str(path), "new": new, "all": len(campaign.samples)})
        return
    output.console().print(f"{new} new samples, {len(campaign.samples)} in {path}", markup=False)
    output.note(output.following("contend", "fit", path, "-o", "network.json"))


def links_table(links: Sequence[LevelLinks]) -> pd.DataFrame:
    """A row for what is inside each level's groups, and for each way between two."""
    rows = []
    for one in links:
        if one.inside_latency is not None:
            rows.append(_row(one.name, "inside a group", one.inside_latency, one.inside_bandwidth))
        rows += [
            _row(one.name, way.title, way.latency, way.bandwidth)
            | {
                "buffer": f"{format_bytes(float(way.buffer))}"
                if way.buffer is not None
                else f"none lost up to {format_bytes(way.clean_bytes)}",
                "loss costs": "–" if way.timeout is None else _seconds(way.timeout),
            }
            for way in one.ways
        ]
    return pd.DataFrame(rows).fillna("–")


def _row(level: str, which: str, latency: Quantity, bandwidth: Quantity | None) -> dict[str, str]:
    rate = None if bandwidth is None else _with_bounds(bandwidth, lambda one: format_rate(8 * one))
    return {"level": level, "link": which, "one way": _seconds(latency), "bandwidth": rate or "–"}


def _seconds(quantity: Quantity) -> str:
    return _with_bounds(quantity, format_seconds)


def _with_bounds(quantity: Quantity, text: Callable[[float], str]) -> str:
    shown, low, high = text(float(quantity)), quantity.low, quantity.high
    if isinstance(low, float) and isinstance(high, float):
        return f"{shown} ({text(low)} to {text(high)})"
    return shown
