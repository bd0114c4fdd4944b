"""The library's own algorithms, each forced in turn, measured into a file of samples."""

from collections.abc import Sequence
from pathlib import Path

from contend.base.result import Result, next_step
from contend.measure.campaigns.options import MeasureOptions, measured
from contend.measure.design import design
from contend.measure.duration import expected_seconds, in_words, remaining
from contend.measure.selection.exclusions import path_beside
from contend.measure.selection.measure import ForcedDesign, ForcedPlan, measure_forced, plan_of
from contend.samples import SampleStore

FORCED_TIMEOUT = 20.0  # seconds; an algorithm that is forced is likelier to hang


def measure_library(
    path: Path,
    options: MeasureOptions,
    operations: Sequence[str],
    n: Sequence[int] | None = None,
    m: Sequence[int] | None = None,
    *,
    segments: Sequence[int] = (),
    fanouts: Sequence[int] = (),
) -> Result:
    """Measure each algorithm that the MPI library has for the operations, beside its default.

    `segments` (bytes) and `fanouts` (numbers of children) are for algorithms that take them. What
    the library could not be made to do is in the result.

    >>> options = MeasureOptions(launches=1, min_repetitions=2, max_repetitions=2)
    >>> measure_library(Path("new.jsonl"), options, ["bcast"], [2], [64]).code
    0
    """
    note = options.listener.note
    with SampleStore(path) as store:
        existing = store.existing()
        place = options.place(existing)
        usual = design(n, hosts=place.room(options.processes_per_node))
        chosen = ForcedDesign(
            operations=tuple(operations), counts=usual.counts,
            sizes=tuple(sorted(set(m or usual.sizes))), segments=tuple(sorted(set(segments) - {0})),
            fanouts=tuple(sorted(set(fanouts))), launches=options.launches or place.launches,
            seed=options.seed,
        )  # fmt: skip
        launched = options.launch_options(place, patience=options.timeout or FORCED_TIMEOUT)
        plan = plan_of(options.mpi, chosen, is_for_rules=True)
        for text in _announced(plan, segments, fanouts):
            note(text)
        pending = remaining(plan.launches, existing)
        note(in_words(expected_seconds(pending, launched, place.lab)))
        with options.running(place, path, launched) as runner:
            campaign = measure_forced(runner, plan, store)
    if campaign.loss:
        note(f"a launch failed when all was measured: {campaign.loss}")
    for failed in campaign.left_out:
        note(f"left out: {failed.title}")
    if campaign.left_out:
        note(f"what is left out is not tried again while {path_beside(path)} says so")
    if runner.limits.is_over and remaining(campaign.possible(plan.launches), campaign.samples):
        note("the time was over; the same command measures the rest")
    first, *further = dict.fromkeys(offer.operation for offer in plan.offers)
    also = f", and likewise for {', '.join(further)}" if further else ""
    return measured(
        path, len(existing), len(campaign.samples),
        next_step("contend", "fit", path, "--operation", first) + also,
        left_out=[failed.to_json() for failed in campaign.left_out], refused=plan.refused,
    )  # fmt: skip


def _announced(plan: ForcedPlan, segments: Sequence[int], fanouts: Sequence[int]) -> list[str]:
    numbers = (f"{offer.operation} {len(offer.settings) - 1}" for offer in plan.offers)
    varied = {"segments": segments, "fan-outs": fanouts}
    with_these = " and ".join(name for name, values in varied.items() if values)
    counted = f" (with {with_these})" if with_these else ""
    refused = [f"left out: {setting}: {why}" for setting, why in plan.refused.items()]
    return [f"algorithms{counted} beside the default: {', '.join(numbers)}", *refused]
