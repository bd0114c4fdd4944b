"""The library's own algorithms, measured (contend measure --library-algorithms)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contend.cli import output
from contend.cli.campaigns import measuring
from contend.cli.campaigns.task import in_words
from contend.errors import InvalidInputError
from contend.measure.design import design
from contend.measure.duration import expected_seconds, remaining
from contend.measure.forced.left_out import path_beside
from contend.measure.forced.measure import ForcedDesign, ForcedPlan, measure_forced, plan_of
from contend.measure.limits import Limits
from contend.measure.mpi import MPI
from contend.samples import SampleStore


@dataclass(frozen=True)
class Wanted:
    """What of which operations is measured, and where; None where the place decides."""

    collective: str
    counts: Sequence[int] | None
    sizes: Sequence[int] | None
    segments: Sequence[int] | None
    fanouts: Sequence[int] | None
    launches: int | None
    seed: int
    on: str
    is_launched: bool
    minutes: float | None

    def design(self, place: measuring.Place, per_node: int | None) -> ForcedDesign:
        """With the defaults of a place filled in."""
        there = design(self.counts, hosts=place.room(per_node))
        return ForcedDesign(
            operations=named_operations(self.collective),
            counts=there.counts,
            sizes=tuple(sorted(set(self.sizes or there.sizes))),
            segments=tuple(sorted(set(self.segments or ()) - {0})),
            fanouts=tuple(sorted(set(self.fanouts or ()))),
            launches=self.launches or place.launches,
            seed=self.seed,
        )


def named_operations(text: str) -> tuple[str, ...]:
    """Names of operations separated by commas.

    >>> named_operations("bcast, allreduce")
    ('bcast', 'allreduce')
    """
    found = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise InvalidInputError(f"{text!r} names no operation", "give --collective bcast,alltoall")
    return found


def measure_library(
    path: Path,
    mpi: MPI,
    wanted: Wanted,
    precision: str,
    min_repetitions: int | None,
    warmup: int | None,
    *,
    as_json: bool,
    processes_per_node: int | None,
    **others: Any,
) -> None:
    """Measure what is not yet in the file, and say what the library could not be made to do."""
    with SampleStore(path) as store:
        existing = store.existing()
        place = measuring.place(wanted.on, mpi, wanted.is_launched, existing)
        options = place.launch_options(
            precision, min_repetitions, warmup, processes_per_node=processes_per_node, **others
        )
        plan = plan_of(mpi, wanted.design(place, processes_per_node), is_for_rules=True)
        _announce(plan, wanted)
        left = remaining(plan.launches, existing)
        output.note(in_words(expected_seconds(left, options, place.lab)))
        with place.running(path) as lab, measuring.progress("measuring") as show:
            limits = Limits.of(wanted.minutes)
            campaign = measure_forced(mpi, plan, options, store, show, lab, limits)
    if campaign.loss:
        output.note(f"a launch failed when all was measured: {campaign.loss}")
    for one in campaign.left_out:
        output.note(f"left out: {one.title}")
    if campaign.left_out:
        output.note(f"what is left out is not tried again while {path_beside(path)} says so")
    if limits.is_over and remaining(campaign.possible(plan.launches), campaign.samples):
        output.note("the time was over; the same command measures the rest")
    new, total = len(campaign.samples) - len(existing), len(campaign.samples)
    if as_json:
        output.show_json({
            "samples": str(path), "new": new, "all": total,
            "left_out": [one.to_json() for one in campaign.left_out], "refused": plan.refused,
        })  # fmt: skip
        return
    output.console().print(f"{new} new samples, {total} in {path}", markup=False)
    first, *further = dict.fromkeys(offer.operation for offer in plan.offers)
    also = f", and likewise for {', '.join(further)}" if further else ""
    output.note(output.following("contend", "fit", path, "--operation", first) + also)


def _announce(plan: ForcedPlan, wanted: Wanted) -> None:
    """Say how many algorithms each operation has, and what the library refuses."""
    said = (f"{one.operation} {len(one.settings) - 1}" for one in plan.offers)
    varied = {"segments": wanted.segments, "fan-outs": wanted.fanouts}
    with_these = " and ".join(name for name, values in varied.items() if values)
    counted = f" (with {with_these})" if with_these else ""
    output.note(f"algorithms{counted} beside the default: {', '.join(said)}")
    for what, why in plan.refused.items():
        output.note(f"left out: {what}: {why}")
