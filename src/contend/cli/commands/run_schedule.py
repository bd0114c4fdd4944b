"""contend run-schedule: an algorithm for real: run, checked, timed."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds, parse_bytes_list, parse_counts
from contend.cli import completion, options
from contend.cli.campaigns import places
from contend.cli.campaigns.places import Repeating, Where
from contend.cli.options import argument, option
from contend.cli.result import Cell, Part, Result, Table
from contend.measure.calls import CallCampaign
from contend.measure.emulation import require_hosts
from contend.measure.execution import executable, run_schedules, sizes_of
from contend.samples import Sample, SampleStore
from contend.schedules import algorithms

ORDER = 6
PANEL = "Measure"
EXAMPLE = "contend run-schedule bcast segmented_chain -n 4,8 -m 64KiB --segment 8KiB"
COLUMNS: dict[str, Cell] = {
    "n": "n",
    "m": ("m", format_bytes),
    "median": ("seconds", format_seconds),
    "fastest launch": ("fastest", format_seconds),
    "slowest launch": ("slowest", format_seconds),
    "launches": "launches",
    "late": "late",
    "repetitions": "repetitions",
}


def command(
    variant: options.Variant,
    repeating: Repeating,
    where: Where,
    collective: str = argument("Operation, e.g. bcast.", autocompletion=completion.collectives),
    algorithm: str = argument("Algorithm, e.g. binomial.", autocompletion=completion.algorithms),
    processes: options.Counts = None,
    sizes: options.Sizes = None,
    root: int = option("Root, where the operation has one.", default=0),
    output_file: Path | None = option(
        "Samples file to append to; continued if it exists.", "-o", "--output"
    ),
) -> Result:
    """Run the schedule of an algorithm over MPI, check what arrived, and time it.

    Data that is not where it should be is an error that names the rank and the block.
    """
    chosen, given = variant.on(algorithms(collective).get(algorithm)), variant.given
    counts = _required(parse_counts(processes or ""), "-n, e.g. -n 4,8")
    labels = _required(parse_bytes_list(sizes or ""), "-m, e.g. -m 1KiB,64KiB")
    schedules = [executable(chosen, n, sizes_of(chosen, n, labels), root, **given) for n in counts]
    mpi = where.mpi
    with tempfile.TemporaryDirectory() as scratch:
        path = output_file or Path(scratch) / "samples.jsonl"
        with SampleStore(path) as store:
            place = where.place(store.existing())
            launch_options = repeating.launch_options(place, **where.launched)
            with places.running(place, path, "running") as (lab, show):
                if lab:
                    require_hosts(lab.lab, tuple(counts), where.ppn)
                campaign = CallCampaign(mpi, store, launch_options, show, lab)
                samples = run_schedules(campaign, schedules, repeating.launches or place.launches)
    return result_of(samples, f"{chosen.title}, {place.title}")


def result_of(samples: list[Sample], title: str) -> Result:
    """Return the times of a schedule that was run, a row for each n and m."""
    rows = _rows(samples)
    about = {"operation": samples[0].experiment, "algorithm": samples[0].algorithm}
    return Result([about | {"checked": True} | row for row in rows], _parts(rows, samples, title))


def _required(values: list[int], what: str) -> list[int]:
    if not values:
        raise InvalidInputError("no number of processes or no size", f"give {what}")
    return values


def _rows(samples: list[Sample]) -> list[dict[str, Any]]:
    points: dict[tuple[int, int], list[Sample]] = {}
    for sample in samples:
        points.setdefault((sample.n, sample.m), []).append(sample)
    return [
        {
            "n": n,
            "m": m,
            "seconds": float(np.median([sample.median for sample in _in_time(same)])),
            "fastest": min(sample.median for sample in _in_time(same)),
            "slowest": max(sample.median for sample in _in_time(same)),
            "launches": len(same),
            "late": sum(sample.is_flagged for sample in same),
            "repetitions": sum(len(sample.times_s) for sample in same),
        }
        for (n, m), same in sorted(points.items())
    ]


def _parts(rows: list[dict[str, Any]], samples: list[Sample], title: str) -> Iterator[Part]:
    late = [sample.lab for sample in samples if sample.is_flagged and sample.lab]
    columns = COLUMNS if late else {name: COLUMNS[name] for name in COLUMNS if name != "late"}
    said = f"; {len(late)} of {len(samples)} samples late" if late else ""
    yield Table(rows, columns, f"{title}: all data right{said}")
    if late:
        yield (
            "late: launches in which the emulated network could not keep up "
            f"({late[0].limits_text}); medians are of the others, where there are any. Fits and "
            "'contend validate --schedules' leave them out; fewer hosts, a lower rate or time "
            "dilation avoid it"
        )


def _in_time(samples: list[Sample]) -> list[Sample]:
    """Those that the emulated network did not disturb, or all where it disturbed all."""
    return [sample for sample in samples if not sample.is_flagged] or samples
