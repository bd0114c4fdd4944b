"""The links between groups of hosts, measured into a file of messages."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from contend.alltoall.clusters.file import read_groups
from contend.alltoall.clusters.groups import Groups
from contend.alltoall.clusters.matching import assign
from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.base.result import Result, next_step
from contend.base.units import format_bytes
from contend.measure.campaigns.options import MeasureOptions, measured
from contend.measure.links import Extent, LinkCampaign
from contend.models.links.experiments import LEAST_BURST, SIZES
from contend.samples.messages import MessageSample

WARMUP = 3  # repetitions in which streams open their windows
MOST = 4 << 20
SECONDS, REPETITIONS = 2.0, 10  # of a point, by default


def measure_links(
    path: Path,
    options: MeasureOptions,
    n: int | None = None,
    m: Sequence[int] | None = None,
    *,
    groups: Path | None = None,
    most: int = MOST,
) -> Result:
    """Measure latency and bandwidth inside and across groups, buffers, and what a loss costs.

    Parameters
    ----------
    n, m
        Number of processes, and sizes of single messages.
    groups
        Groups file; without, several processes per node are the level of nodes.
    most
        Bytes at once over a link; fewer if some get lost.

    >>> few = {"launches": 1, "min_repetitions": 2, "max_repetitions": 2, "max_seconds": 0.1}
    >>> options = MeasureOptions("lab:two-clusters,hosts=2", **few)
    >>> measure_links(Path("new.jsonl"), options, 4, [64], groups=Path("clusters.toml")).code
    0
    """
    per_node = options.processes_per_node or 1
    if groups is None and per_node < 2:
        raise InvalidInputError(
            "no groups to measure between",
            "name a file with --groups ('contend measure hosts' writes one), or give "
            "--ppn 2 or more for the level of nodes",
        )
    if n is not None and n < 2:
        raise InvalidInputError(f"n = {n}", "a link takes at least 2 processes")
    if most < LEAST_BURST:
        raise InvalidInputError(
            f"at most {format_bytes(most)} at once over a link",
            f"give --most {format_bytes(LEAST_BURST).replace(' ', '')} or more: a bandwidth "
            "takes bursts of three sizes",
        )
    of_hosts = grouped(groups)  # errors in it come before all else
    usual = with_defaults(options)
    with RecordStore(MessageSample, path) as store:
        place = usual.place(store.existing())
        ranks = n or (place.hosts or 0) * per_node
        if not ranks:
            raise InvalidInputError("the number of processes is not known", "give it with -n")
        launched = usual.launch_options(place, processes_per_node=per_node)
        extent = Extent(options.launches or place.launches, most, tuple(sorted(m or SIZES)))
        with usual.running(place, path, launched) as runner:
            campaign = LinkCampaign(runner, store, ranks, of_hosts)
            new = campaign.carry_out(extent)
    total = len(campaign.samples)
    if flagged := sum(sample.is_flagged for sample in campaign.samples):
        options.listener.note(
            f"in {flagged} of {total} samples the emulated network could not keep "
            "up; the same command measures them again"
        )
    following = next_step("contend", "fit", path, "-o", "network.json")
    return measured(path, total - new, total, following)


def with_defaults(options: MeasureOptions) -> MeasureOptions:
    return replace(
        options,
        max_seconds=options.max_seconds or SECONDS,
        max_repetitions=options.max_repetitions or max(REPETITIONS, options.min_repetitions or 0),
        warmup=WARMUP if options.warmup is None else options.warmup,
    )


def grouped(groups_file: Path | None) -> Callable[[Sequence[str]], Groups]:
    """The groups of hosts that a file declares; without one all are in none."""
    if groups_file is None:
        return lambda hosts: Groups(())
    declared = read_groups(groups_file)
    return lambda hosts: assign(declared, hosts)
