"""Schedules of the catalogue run over MPI: checked, timed, and summed up."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.result import Cell, Part, Result, Table
from contend.base.units import format_bytes, format_seconds
from contend.measure.calls import CallCampaign
from contend.measure.campaigns.options import MeasureOptions
from contend.measure.execution import executable, run_schedules, sizes_of
from contend.samples import Sample, SampleStore
from contend.schedules import algorithms
from contend.schedules.groups import grouping_of

COLUMNS: Mapping[str, Cell] = {
    "n": "n",
    "m": ("m", format_bytes),
    "median": ("seconds", format_seconds),
    "fastest launch": ("fastest", format_seconds),
    "slowest launch": ("slowest", format_seconds),
    "launches": "launches",
    "late": "late",
    "repetitions": "repetitions",
}


def measure_schedule(
    path: Path | None,
    options: MeasureOptions,
    collective: str,
    algorithm: str,
    n: Sequence[int],
    m: Sequence[int],
    *,
    root: int = 0,
    groups: str | None = None,
    **variant: int,
) -> Result:
    """Run the schedule of an algorithm, check what arrived, and time it.

    Parameters
    ----------
    path
        Samples file to append to; without, samples are not kept.
    groups, variant
        Ranks of each group, as "0-2/3-7", and segment, degree, window, leaders.

    Raises
    ------
    LaunchError
        Where data is not where it should be; it names the rank and the block.

    >>> options = MeasureOptions(launches=1, min_repetitions=2, max_repetitions=2)
    >>> measure_schedule(None, options, "bcast", "binomial", [4], [64]).code
    0
    """
    chosen, grouping = algorithms(collective).get(algorithm), grouping_of(groups)
    chosen = chosen.grouped(grouping) if grouping else chosen
    schedules = [executable(chosen, p, sizes_of(chosen, p, m), root, **variant) for p in n]
    with tempfile.TemporaryDirectory() as scratch:
        file = path or Path(scratch) / "samples.jsonl"
        with SampleStore(file) as store:
            place = options.place(store.existing())
            launched = options.launch_options(place)
            whole = replace(options, minutes=None)  # a part of a schedule has no times
            with whole.running(place, file, launched, title="running") as runner:
                campaign = CallCampaign(runner, store)
                samples = run_schedules(campaign, schedules, options.launches or place.launches)
    return times_of_schedule(samples, f"{chosen.title}, {place.title}")


def times_of_schedule(samples: Sequence[Sample], title: str) -> Result:
    rows = _rows(samples)
    about = {"operation": samples[0].experiment, "algorithm": samples[0].algorithm}
    return Result([about | {"checked": True} | row for row in rows], _parts(rows, samples, title))


def _rows(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    points: dict[tuple[int, int], list[Sample]] = {}
    for sample in samples:
        points.setdefault((sample.n, sample.m), []).append(sample)
    return [_row(*point, same) for point, same in sorted(points.items())]


def _row(n: int, m: int, samples: Sequence[Sample]) -> dict[str, Any]:
    """Return the times of a point, of launches that the emulated network did not disturb."""
    medians = [sample.median for sample in samples if not sample.is_flagged]
    medians = medians or [sample.median for sample in samples]
    return {
        "n": n,
        "m": m,
        "seconds": float(np.median(medians)),
        "fastest": min(medians),
        "slowest": max(medians),
        "launches": len(samples),
        "late": sum(sample.is_flagged for sample in samples),
        "repetitions": sum(len(sample.times_s) for sample in samples),
    }


def _parts(rows: list[dict[str, Any]], samples: Sequence[Sample], title: str) -> Iterator[Part]:
    late = [sample.lab for sample in samples if sample.is_flagged and sample.lab]
    columns = COLUMNS if late else {name: COLUMNS[name] for name in COLUMNS if name != "late"}
    more = f"; {len(late)} of {len(samples)} samples late" if late else ""
    yield Table(rows, columns, f"{title}: all data right{more}")
    if late:
        yield (
            "late: launches in which the emulated network could not keep up "
            f"({late[0].limits_text}); medians are of the others, where there are any. Fits and "
            "'contend validate --schedules' leave them out; fewer hosts, a lower rate or time "
            "dilation avoid it"
        )
