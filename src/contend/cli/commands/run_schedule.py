"""contend run-schedule: an algorithm for real: run, checked, timed."""

import tempfile
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import typer

from contend.cli import completion, options, output
from contend.cli.campaigns import measuring
from contend.cli.scheduled import call_options, placed
from contend.errors import InvalidInputError
from contend.measure.calls import CallCampaign
from contend.measure.emulated import require_hosts
from contend.measure.execution import executable, run_schedules, sizes_of
from contend.measure.mpi import find_mpi
from contend.samples import Sample, SampleStore
from contend.schedules import algorithms
from contend.units import format_bytes, format_seconds, parse_bytes_list, parse_counts

ORDER = 6
PANEL = "Measure"
EXAMPLE = "contend run-schedule bcast segmented_chain -n 4,8 -m 64KiB --segment 8KiB"


def command(
    collective: Annotated[
        str, typer.Argument(help="Operation, e.g. bcast.", autocompletion=completion.collectives)
    ],
    algorithm: Annotated[
        str, typer.Argument(help="Algorithm, e.g. binomial.", autocompletion=completion.algorithms)
    ],
    processes: options.Counts = None,
    sizes: options.Sizes = None,
    segment: Annotated[
        str | None, typer.Option(help="Bytes of a segment, e.g. 16KiB, where it has segments.")
    ] = None,
    degree: Annotated[
        int | None, typer.Option(help="Children of a rank or radix, where it has one.")
    ] = None,
    window: Annotated[
        int | None, typer.Option(help="Messages under way at a rank, where it limits them.")
    ] = None,
    leaders: options.Leaders = None,
    groups: options.Groups = None,
    root: Annotated[int, typer.Option(help="Root, where the operation has one.")] = 0,
    output_file: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Samples file to append to; continued if it exists."),
    ] = None,
    launches: options.Launches = None,
    precision: options.Precision = "5%",
    max_seconds: options.MaxSeconds = 0.5,
    max_repetitions: options.MaxRepetitions = 500,
    min_repetitions: options.MinRepetitions = None,
    warmup: options.Warmup = None,
    start: options.Start = options.StartBy.auto,
    ppn: options.PerNode = None,
    timeout: options.Timeout = 60.0,
    mpicc: options.Mpicc = None,
    mpiexec: options.Mpiexec = None,
    on: options.On = options.HERE,
    as_json: options.AsJson = False,
) -> None:
    """Run the schedule of an algorithm over MPI, check what arrived, and time it.

    Data that is not where it should be is an error that names the rank and the block.
    """
    chosen = placed(algorithms(collective).get(algorithm), groups)
    wanted = call_options(segment, degree, window, leaders)
    counts = _required(parse_counts(processes or ""), "-n, e.g. -n 4,8")
    labels = _required(parse_bytes_list(sizes or ""), "-m, e.g. -m 1KiB,64KiB")
    schedules = [executable(chosen, n, sizes_of(chosen, n, labels), root, **wanted) for n in counts]
    mpi = find_mpi(mpicc, mpiexec)
    with tempfile.TemporaryDirectory() as scratch:
        path = output_file or Path(scratch) / "samples.jsonl"
        with SampleStore(path) as store:
            place = measuring.place(on, mpi, bool(mpiexec or ppn), store.existing())
            launch_options = place.launch_options(
                precision,
                min_repetitions,
                warmup,
                max_repetitions=max_repetitions,
                max_seconds=max_seconds,
                start=start.value,
                processes_per_node=ppn,
                timeout=timeout,
            )
            with place.running(path) as lab, measuring.progress("running") as show:
                if lab:
                    require_hosts(lab.lab, tuple(counts), ppn)
                campaign = CallCampaign(mpi, store, launch_options, show, lab)
                samples = run_schedules(campaign, schedules, launches or place.launches)
    _show(samples, f"{chosen.title}, {place.title}", as_json)


def _required(values: list[int], what: str) -> list[int]:

    if not values:
        raise InvalidInputError("no number of processes or no size", f"give {what}")
    return values


def _show(samples: list[Sample], title: str, as_json: bool) -> None:

    points: dict[tuple[int, int], list[Sample]] = {}
    for sample in samples:
        points.setdefault((sample.n, sample.m), []).append(sample)
    rows = [
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
    if as_json:
        about = {"operation": samples[0].experiment, "algorithm": samples[0].algorithm}
        output.show_json([about | {"checked": True} | row for row in rows])
        return
    shown = pd.DataFrame(rows)
    shown["m"] = shown["m"].map(format_bytes)
    for name in ("seconds", "fastest", "slowest"):
        shown[name] = shown[name].map(format_seconds)
    shown = shown.rename(columns={"seconds": "median", "fastest": "fastest launch",
                                  "slowest": "slowest launch"})  # fmt: skip
    late = [sample.lab for sample in samples if sample.is_flagged and sample.lab]
    if not late:
        shown = shown.drop(columns="late")
    said = f"; {len(late)} of {len(samples)} samples late" if late else ""
    output.show_table(shown, title=f"{title}: all data right{said}")
    if late:
        output.note(
            "late: launches in which the emulated network could not keep up "
            f"({late[0].limits_text}); medians are of the others, where there are any. Fits and "
            "'contend validate --schedules' leave them out; fewer hosts, a lower rate or time "
            "dilation avoid it"
        )


def _in_time(samples: list[Sample]) -> list[Sample]:
    """Those that the emulated network did not disturb, or all where it disturbed all."""
    return [sample for sample in samples if not sample.is_flagged] or samples
