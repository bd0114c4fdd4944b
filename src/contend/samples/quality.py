"""Typed warnings about samples that should not be trusted blindly, each with a hint.

Thresholds are constants below with their reasons; nothing is removed from the samples.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, TypeVar

import numpy as np
from pydantic import Field

from contend.document import Floats, Record
from contend.errors import InvalidInputError
from contend.samples.sample import Launched, Sample
from contend.units import format_seconds

Kind = Literal[
    "bimodal", "drifting", "oversubscribed", "timer_resolution", "interval_not_reached",
    "late_starts", "clocks_apart", "no_common_clock", "launches_disagree",
    "no_point_to_point", "latency_not_positive", "not_saturated", "faster_than_bound",
    "gamma_at_zero", "no_operation", "not_fitted", "message_within_node", "mixed_libraries",
    "two_processes", "lab_late", "lab_timeouts", "cpu_bound", "flagged_left_out",
    "few_graphs", "parameter_not_seen", "bandwidth_not_alone", "bandwidths_disagree",
    "contradicting_steps", "sharing_not_understood", "sharing_unusable", "parameter_not_determined",
    "not_compared", "one_launch", "points_missing", "another_n", "not_validated", "slowed",
    "small_sizes", "cpu_awaited", "smallest_slow", "other_conditions",
]  # fmt: skip

BIMODAL_ASHMAN_D = 5.0  # the two halves of a uniform distribution are 3.5 apart, of a normal 2.7
BIMODAL_RATIO = 1.2  # modes closer than this do not change a median much
BIMODAL_SHARE = 0.1  # fewer than that are outliers
DRIFT_CORRELATION = 0.5  # Spearman, between time and order
DRIFT_RATIO = 1.1  # last third over first third, either way
RESOLUTION_STEPS = 100  # a time of 100 clock steps is read to 1 %
LATE_SHARE = 0.05
SKEW_SHARE = 0.02  # of what is timed; medians are known to 5 % unless asked for otherwise
CPU_BUSY = 0.95  # cores that have time to spare idle for more than a twentieth of it
CPU_WAIT = 0.1  # beyond it short exchanges in a lab took over 10 % longer than in slower ones
LAUNCH_RATIO = 1.5  # slowest over fastest launch
FEWEST = 10  # repetitions below which shape is not judged


AnyRecord = TypeVar("AnyRecord", bound=Launched)


class QualityWarning(Record):
    """A doubt about some samples or a fit: what, where, and what to do."""

    kind: Kind
    where: str
    message: str
    hint: str = Field(min_length=1)
    count: int = Field(1, ge=1, description="how many such there are; the rest is of the first")

    def __str__(self) -> str:
        return f"{self.where}: {self.message} ({self.kind}); {self.hint}"


def check(samples: Sequence[Sample]) -> list[QualityWarning]:
    """Warnings about samples, one per kind and point; none of what was measured again."""
    samples = standing(samples)
    found = [warning for sample in samples for warning in _check_one(sample)]
    return [*found, *_disagreeing_launches(samples)]


def group(warnings: Iterable[QualityWarning]) -> list[QualityWarning]:
    """The first warning of each kind, experiment and algorithm, with the number of them."""
    groups: defaultdict[tuple[str, str], list[QualityWarning]] = defaultdict(list)
    for warning in warnings:
        groups[warning.kind, warning.where.split(" ")[0]].append(warning)
    return [found[0].model_copy(update={"count": len(found)}) for found in groups.values()]


def trusted(
    samples: Sequence[Sample], operations: Collection[str], include_flagged: bool = False
) -> list[Sample]:
    """Samples to fit and to judge by: all but those that an overburdened emulation disturbed.

    A disturbed one that was measured again is left out in any case, and so is one of 0 s.

    Raises
    ------
    InvalidInputError
        When that leaves none of the operations, or none at all where there were none of them.
    """
    samples = [sample for sample in standing(samples) if sample.median > 0]
    needed = [sample for sample in samples if sample.experiment in operations] or samples
    called = f"samples of {', '.join(sorted({sample.experiment for sample in needed}))}"
    undisturbed(needed, called, include_flagged)
    return [sample for sample in samples if include_flagged or not sample.is_flagged]


def undisturbed(
    samples: Sequence[AnyRecord], called: str, include_flagged: bool = False
) -> list[AnyRecord]:
    """Standing samples but those disturbed, unless they are to be included; an error for none."""
    samples = standing(samples)
    kept = [sample for sample in samples if include_flagged or not sample.is_flagged]
    if samples and not kept:
        raise InvalidInputError(
            f"the emulated network could not keep up in any of the {len(samples)} {called}",
            "measure with fewer hosts, a lower rate or time dilation, or give --include-flagged",
        )
    return kept


def standing(samples: Sequence[AnyRecord]) -> list[AnyRecord]:
    """Samples without those flagged that a later sample of the same point replaces.

    A samples file is only ever added to: what was disturbed stays there when it is measured again.
    """
    last = {sample.point: index for index, sample in enumerate(samples)}
    return [
        sample
        for index, sample in enumerate(samples)
        if not sample.is_flagged or last[sample.point] == index
    ]


def _check_one(sample: Sample) -> Iterator[QualityWarning]:
    times = np.asarray(sample.times_s)
    if (modes := split_modes(times)) is not None:
        low, high, share = modes
        yield QualityWarning(
            kind="bimodal",
            where=sample.where,
            message=f"two modes, {format_seconds(low)} and {format_seconds(high)} "
            f"({share:.0%} of the repetitions){_losses(sample)}",
            hint="the median stands for one of them; look for time-outs or a busy core",
        )
    if (ratio := drift(times)) is not None:
        yield QualityWarning(
            kind="drifting",
            where=sample.where,
            message=f"the last third takes {ratio:.2f} times the first third",
            hint="measure again on a quiet machine, or with a longer --warmup",
        )
    yield from _check_conditions(sample)
    yield from _check_processors(sample)
    yield from _check_emulation(sample)


def _losses(sample: Sample) -> str:
    if sample.lab is None:
        return ""
    return f", {sample.lab.drops} drops and {sample.lab.retransmissions} retransmissions"


def _check_emulation(sample: Sample) -> Iterator[QualityWarning]:
    if sample.is_flagged and sample.lab:
        yield QualityWarning(
            kind="lab_late",
            where=sample.where,
            message=f"the emulated network could not keep up: {sample.lab.limits_text}",
            hint="emulate fewer hosts or a lower rate, or dilate time (time_dilation)",
        )
    if sample.lab and sample.lab.timeouts:
        yield QualityWarning(
            kind="lab_timeouts",
            where=sample.where,
            message=f"{sample.lab.timeouts} retransmission time-outs in "
            f"{len(sample.times_s)} repetitions, {sample.lab.retransmissions} retransmissions, "
            f"{sample.lab.drops} drops",
            hint="all repetitions are kept: look at those with a time-out and those without, "
            "the median is one of them",
        )
    if sample.is_emulated and (sample.cpu_busy or 0.0) > CPU_BUSY:
        yield QualityWarning(
            kind="cpu_bound",
            where=sample.where,
            message=f"the cores were busy for {sample.cpu_busy:.1%} of the time and may have set "
            "the pace, not the network",
            hint="compare with the same campaign at an unlimited rate",
        )


def _check_processors(sample: Sample) -> Iterator[QualityWarning]:
    # The processes of all emulated hosts share the cores by design; whether it hurt is seen below.
    is_crowded = sample.provenance.is_oversubscribed and not sample.is_emulated
    if is_crowded:
        yield QualityWarning(
            kind="oversubscribed",
            where=sample.where,
            message="more processes than cores on a node: the scheduler is measured too",
            hint="use fewer processes per node, or more nodes",
        )
    if (sample.cpu_wait or 0.0) > CPU_WAIT and not is_crowded:
        yield QualityWarning(
            kind="cpu_awaited",
            where=sample.where,
            message=f"ranks that had work waited for a core for {sample.cpu_wait:.0%} of the time",
            hint="compare with a lab of fewer hosts or more time_dilation: short messages take "
            "longer by it"
            if sample.is_emulated
            else "look for other work on the nodes, or for ranks that are bound to one core",
        )


def _check_conditions(sample: Sample) -> Iterator[QualityWarning]:
    resolution = sample.provenance.clock_resolution
    if resolution and sample.median < RESOLUTION_STEPS * resolution:
        yield QualityWarning(
            kind="timer_resolution",
            where=sample.where,
            message=f"{format_seconds(sample.median)} is under {RESOLUTION_STEPS} clock steps",
            hint="treat the value as an upper bound",
        )
    precision = sample.precision or 0.05
    if sample.interval_relative is not None and sample.interval_relative > precision:
        yield QualityWarning(
            kind="interval_not_reached",
            where=sample.where,
            message=f"the median is known to {sample.interval_relative:.0%}, "
            f"{precision:.0%} was asked for",
            hint="raise --max-seconds or --max-repetitions",
        )
    if sample.parameters and sample.parameters.get("is_saturated") is False:
        yield QualityWarning(
            kind="not_saturated",
            where=sample.where,
            message="the time per message was still changing at the longest train",
            hint="raise --max-seconds: the length of a train is limited by it",
        )
    yield from about_start(sample, sample.where, len(sample.times_s), sample.median)


def about_start(
    sample: Launched, where: str, repetitions: int, seconds: float
) -> Iterator[QualityWarning]:
    """Doubts about whether the ranks began together; `seconds` are what was timed."""
    if sample.late_starts > LATE_SHARE * repetitions:
        yield QualityWarning(
            kind="late_starts",
            where=where,
            message=f"in {sample.late_starts} of {repetitions} repetitions a process "
            "began after the common start",
            hint="their times include the delay; leave a core free, or use --start barrier",
        )
    skew, bound = sample.start_skew_s or 0.0, sample.start_skew_bound_s or 0.0
    if skew > SKEW_SHARE * seconds:
        yield QualityWarning(
            kind="clocks_apart",
            where=where,
            message=f"the ranks' clocks were up to {format_seconds(skew)} apart, more than "
            f"{SKEW_SHARE:.0%} of {format_seconds(seconds)}, and by messages "
            f"{format_seconds(bound)} more cannot be excluded",
            hint="measure again on a quiet network, or with --start barrier",
        )
    if sample.provenance.start_note:
        yield QualityWarning(
            kind="no_common_clock",
            where=where,
            message=f"{sample.provenance.start_note}; a barrier started the ranks",
            hint="what the barrier leaves of skew is in the times; try again on a quiet network",
        )


def _disagreeing_launches(samples: Iterable[Sample]) -> Iterator[QualityWarning]:
    points: defaultdict[tuple[tuple[str, str, int, int], int | None], list[float]] = defaultdict(
        list
    )
    for sample in samples:
        place = (sample.experiment, sample.setting, sample.n, sample.m)
        points[place, sample.processes_per_node].append(sample.median)
    for ((experiment, algorithm, n, m), _), values in points.items():
        if min(values) > 0 and max(values) > LAUNCH_RATIO * min(values):
            yield QualityWarning(
                kind="launches_disagree",
                where=f"{experiment}/{algorithm} n={n} m={m}",
                message=f"medians of launches lie between {format_seconds(min(values))} and "
                f"{format_seconds(max(values))}",
                hint="more --launches narrow it down; placement or other jobs may differ",
            )


def split_modes(times: Floats) -> tuple[float, float, float] | None:
    """Lower mode, upper mode and the upper one's share, when there are two well apart.

    The best split of the sorted logarithms in two groups (least squares, all splits tried) counts
    as two modes when Ashman's D (Ashman, Bird, Zepf 1994) exceeds `BIMODAL_ASHMAN_D`.
    """
    if times.size < FEWEST or times.min() <= 0:
        return None
    ordered = np.sort(np.log(times))
    counts = np.arange(1, ordered.size)
    least = max(2, int(np.ceil(BIMODAL_SHARE * ordered.size)))
    sums, squares = np.cumsum(ordered), np.cumsum(ordered**2)
    means = sums[:-1] / counts, (sums[-1] - sums[:-1]) / counts[::-1]
    spreads = (
        squares[:-1] / counts - means[0] ** 2,
        (squares[-1] - squares[:-1]) / counts[::-1] - means[1] ** 2,
    )
    within = spreads[0] * counts + spreads[1] * counts[::-1]
    allowed = (counts >= least) & (counts[::-1] >= least)
    if not allowed.any():
        return None
    cut = int(np.argmin(np.where(allowed, within, np.inf)))
    apart = means[1][cut] - means[0][cut]
    spread = np.sqrt(max(spreads[0][cut] + spreads[1][cut], 1e-18))
    if np.sqrt(2) * apart < BIMODAL_ASHMAN_D * spread or apart < np.log(BIMODAL_RATIO):
        return None
    share = counts[::-1][cut] / ordered.size
    return float(np.exp(means[0][cut])), float(np.exp(means[1][cut])), float(share)


def drift(times: Floats) -> float | None:
    """Last third over first third, when the times follow their order (Spearman); else None."""
    if times.size < FEWEST or np.ptp(times) == 0:
        return None
    third = times.size // 3
    ratio = float(np.median(times[-third:]) / max(np.median(times[:third]), 1e-300))
    if max(ratio, 1 / max(ratio, 1e-300)) <= DRIFT_RATIO:
        return None
    correlation, probability = spearman(times)
    return ratio if abs(correlation) > DRIFT_CORRELATION and probability < 1e-3 else None


def spearman(values: Floats) -> tuple[float, float]:
    """Rank correlation of values with their order, and how probable one as large is by chance.

    As of `scipy.stats`, which takes longer to import than a fit takes.
    """
    import pandas as pd
    from scipy.special import stdtr

    ranks = pd.Series(values).rank()  # of equal values their mean
    correlation = float(np.corrcoef(np.arange(values.size), ranks)[0, 1])
    freedom = values.size - 2
    t = abs(correlation) * np.sqrt(freedom / max(1 - correlation**2, 1e-300))
    return correlation, float(2 * stdtr(freedom, -t))
