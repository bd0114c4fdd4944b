"""The library's own algorithms, measured (contend measure --library-algorithms)."""

from collections.abc import Sequence

from contend.base.errors import InvalidInputError
from contend.cli import options, output
from contend.cli.campaigns import places
from contend.cli.campaigns.request import FORCED_TIMEOUT, Asked
from contend.cli.result import Result
from contend.measure.design import design
from contend.measure.duration import expected_seconds, remaining
from contend.measure.place import Place
from contend.measure.selection.exclusions import path_beside
from contend.measure.selection.measure import ForcedDesign, ForcedPlan, measure_forced, plan_of
from contend.measure.study.task import in_words
from contend.samples import SampleStore


def _design(asked: Asked, place: Place) -> ForcedDesign:
    """The design with the defaults of a place filled in."""
    usual = design(asked.counts, hosts=place.room(asked.ppn))
    segments, fanouts = _varied(asked)
    return ForcedDesign(
        operations=named_operations(asked.collective or ""),
        counts=usual.counts,
        sizes=tuple(sorted(set(options.named_sizes(asked.sizes) or usual.sizes))),
        segments=tuple(sorted(set(segments) - {0})),
        fanouts=tuple(sorted(set(fanouts))),
        launches=asked.launches or place.launches,
        seed=asked.seed,
    )


def _varied(asked: Asked) -> tuple[list[int], list[int]]:
    """Segments and fan-outs that algorithms are measured with too."""
    fanouts = options.named_fanouts(asked.fanouts)
    return options.named_sizes(asked.segments) or [], fanouts or []


def named_operations(text: str) -> tuple[str, ...]:
    """Names of operations separated by commas.

    >>> named_operations("bcast, allreduce")
    ('bcast', 'allreduce')
    """
    found = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise InvalidInputError(f"{text!r} names no operation", "give --collective bcast,alltoall")
    return found


def measure_library(asked: Asked) -> Result:
    """Measure what is not yet in the file, and say what the library could not be made to do."""
    mpi, path = asked.mpi, asked.path
    with SampleStore(path) as store:
        existing = store.existing()
        place = asked.place(existing)
        patience = {"patience": asked.timeout or FORCED_TIMEOUT}
        launch_options = asked.launch_options(place, **(asked.others | patience))
        plan = plan_of(mpi, _design(asked, place), is_for_rules=True)
        _announce(plan, *_varied(asked))
        left = remaining(plan.launches, existing)
        output.note(in_words(expected_seconds(left, launch_options, place.lab)))
        with places.running(place, path) as (lab, show):
            limits = asked.limits
            campaign = measure_forced(mpi, plan, launch_options, store, show, lab, limits)
    if campaign.loss:
        output.note(f"a launch failed when all was measured: {campaign.loss}")
    for one in campaign.left_out:
        output.note(f"left out: {one.title}")
    if campaign.left_out:
        output.note(f"what is left out is not tried again while {path_beside(path)} says so")
    if limits.is_over and remaining(campaign.possible(plan.launches), campaign.samples):
        output.note("the time was over; the same command measures the rest")
    first, *further = dict.fromkeys(offer.operation for offer in plan.offers)
    also = f", and likewise for {', '.join(further)}" if further else ""
    next_step = output.following("contend", "fit", path, "--operation", first) + also
    return places.measured(
        path, len(existing), len(campaign.samples), next_step,
        left_out=[one.to_json() for one in campaign.left_out], refused=plan.refused,
    )  # fmt: skip


def _announce(plan: ForcedPlan, segments: Sequence[int], fanouts: Sequence[int]) -> None:
    """Say how many algorithms each operation has, and what the library refuses."""
    said = (f"{one.operation} {len(one.settings) - 1}" for one in plan.offers)
    varied = {"segments": segments, "fan-outs": fanouts}
    with_these = " and ".join(name for name, values in varied.items() if values)
    counted = f" (with {with_these})" if with_these else ""
    output.note(f"algorithms{counted} beside the default: {', '.join(said)}")
    for what, why in plan.refused.items():
        output.note(f"left out: {what}: {why}")
