"""The links of levels: measured (contend measure --levels), fitted (contend fit), and shown."""

from collections.abc import Callable, Sequence
from pathlib import Path

from contend.alltoall.clusters.file import read_groups
from contend.alltoall.clusters.groups import Groups
from contend.alltoall.clusters.matching import assign
from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.base.units import format_bytes, format_rate, format_seconds, parse_bytes
from contend.cli import options, output
from contend.cli.campaigns import places
from contend.cli.campaigns.request import MOST, Asked
from contend.cli.result import Result
from contend.measure.links import Extent, LinkCampaign
from contend.measure.place import place as place_of
from contend.models.links.experiments import LEAST_BURST, SIZES
from contend.models.links.record import LevelLinks
from contend.samples.messages import MessageSample

WARMUP = 3  # repetitions in which streams open their windows


def _require_links(asked: Asked, ranks: int | None, most: int) -> None:
    """Raise an error where no link could be measured."""
    if asked.groups_file is None and (asked.ppn or 1) < 2:
        raise InvalidInputError(
            "no groups to measure between",
            "name a file with --groups ('contend clusters discover' writes one), or give "
            "--ppn 2 or more for the level of nodes",
        )
    if ranks is not None and ranks < 2:
        raise InvalidInputError(f"n = {ranks}", "a link takes at least 2 processes")
    if most < LEAST_BURST:
        raise InvalidInputError(
            f"at most {format_bytes(most)} at once over a link",
            f"give --most {format_bytes(LEAST_BURST).replace(' ', '')} or more: a bandwidth "
            "takes bursts of three sizes",
        )


def grouped(groups_file: Path | None) -> Callable[[Sequence[str]], Groups]:
    """The groups of hosts that a file declares; without one all are in none."""
    if groups_file is None:
        return lambda hosts: Groups(())
    declared = read_groups(groups_file)
    return lambda hosts: assign(declared, hosts)


def measure_levels(asked: Asked) -> Result:
    """Measure what is not yet in the file; what is said of launches is as for any measurement."""
    ranks, most, per_node = (
        next(iter(asked.counts or ()), None),
        parse_bytes(asked.most or MOST),
        asked.ppn or 1,
    )
    sizes = tuple(sorted(options.named_sizes(asked.sizes) or SIZES))
    _require_links(asked, ranks, most)
    of_hosts = grouped(asked.groups_file)  # what is wrong with it is told before all else
    mpi, path = asked.mpi, asked.path
    with RecordStore(MessageSample, path) as store:
        place = place_of(asked.on, mpi, bool(asked.mpiexec), store.existing(), places.listener())
        ranks = ranks or (place.hosts or 0) * per_node
        if not ranks:
            raise InvalidInputError("the number of processes is not known", "give it with -n")
        of_levels = {
            "processes_per_node": per_node,
            "warmup": WARMUP if asked.warmup is None else asked.warmup,
        }
        launch_options = asked.launch_options(place, **(asked.others | of_levels))
        extent = Extent(asked.launches or place.launches, most, sizes)
        with places.running(place, path) as (lab, show):
            campaign = LinkCampaign(mpi, store, ranks, launch_options, of_hosts, show, lab)
            new = campaign.carry_out(extent)
    total = len(campaign.samples)
    if flagged := sum(sample.is_flagged for sample in campaign.samples):
        output.note(
            f"in {flagged} of {total} samples the emulated network could not keep "
            "up; the same command measures them again"
        )
    next_step = output.following("contend", "fit", path, "-o", "network.json")
    return places.measured(path, total - new, total, next_step)


def link_rows(links: Sequence[LevelLinks]) -> list[dict[str, str]]:
    """Return a row for what is inside each level's groups, and for each way between two."""
    rows: list[dict[str, str]] = []
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
    return [dict.fromkeys(rows[-1], "–") | row for row in rows]


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
