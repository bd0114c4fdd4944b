"""What of samples can be trusted, and warnings about what should not be blindly.

Thresholds are constants below with their reasons; nothing is removed from the samples.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.units import format_seconds
from contend.samples.sample import SINGLE_MESSAGES, Launched, Sample
from contend.samples.warnings import QualityWarning, warning

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
# A launch with more says nothing of the network that one with a third of it does not.
CPU_WAIT_MUCH = 0.3
LAUNCH_RATIO = 1.5  # slowest over fastest launch
FEWEST = 10  # repetitions below which shape is not judged


AnyRecord = TypeVar("AnyRecord", bound=Launched)


def check(samples: Sequence[Sample]) -> list[QualityWarning]:
    """Warnings about samples, one per kind and point; none of what was measured again.

    Nor of production: its few repetitions come between other calls, and its jobs do differ.
    """
    samples = [sample for sample in standing(samples) if not sample.is_of_production]
    warnings = [warning for sample in samples for warning in _check_one(sample)]
    return [*warnings, *_disagreeing_launches(samples)]


def trusted(
    samples: Sequence[Sample], operations: Collection[str], include_flagged: bool = False
) -> list[Sample]:
    """Samples to fit and to judge by: all but those that were disturbed.

    That are those of an overburdened emulation, and launches whose ranks waited for cores where
    others of the point did not. A disturbed one that was measured again is left out in any case,
    and so is one of 0 s.

    Raise InvalidInputError when that leaves none of the operations, or none at all where there were
    none of them.
    """
    samples = [sample for sample in standing(samples) if sample.median > 0]
    needed = [sample for sample in samples if sample.experiment in operations] or samples
    called = f"samples of {', '.join(sorted({sample.experiment for sample in needed}))}"
    undisturbed(needed, called, include_flagged)
    if include_flagged:
        return samples
    busy = {id(sample) for sample in waited(samples)}
    return [sample for sample in samples if not sample.is_flagged and id(sample) not in busy]


def waited(samples: Sequence[Sample]) -> list[Sample]:
    """Samples whose ranks waited for cores thrice as long as those of another launch.

    Of single messages, whose times are interpolated over the size, also where those of a smaller
    and of a larger size did not wait; of an overhead, which is level below, of a larger one.
    """
    least: defaultdict[Hashable, dict[int, float]] = defaultdict(dict)
    for sample in samples:
        if sample.cpu_wait is not None and not sample.is_flagged:
            sizes = least[sample.series]
            sizes[sample.m] = min(sample.cpu_wait, sizes.get(sample.m, 1.0))
    return [
        sample
        for sample in samples
        if (sample.cpu_wait or 0.0) > CPU_WAIT_MUCH and _has_calm(sample, least[sample.series])
    ]


def _has_calm(sample: Sample, least: Mapping[int, float]) -> bool:
    """Whether calm samples stand for one whose ranks waited; `least` is the wait by size."""
    calm = [m for m, wait in least.items() if 3 * wait <= (sample.cpu_wait or 0.0)]
    if sample.m in calm:
        return True
    is_above = any(m > sample.m for m in calm)
    is_below = any(m < sample.m for m in calm) or "overhead" in sample.algorithm
    return sample.experiment in SINGLE_MESSAGES and is_above and is_below


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


def late(samples: Sequence[AnyRecord], include_flagged: bool) -> tuple[int, list[str]]:
    """How many samples are left out since the emulated network was late, and a note of that."""
    kept = standing(samples)
    labs = [] if include_flagged else [each.lab for each in kept if each.is_flagged and each.lab]
    if not labs:
        return 0, []
    return len(labs), [
        f"{len(labs)} of {len(kept)} samples were left out: the emulated network could not "
        f"keep up ({labs[0].limits_text}); --include-flagged uses them"
    ]


def _check_one(sample: Sample) -> Iterator[QualityWarning]:
    where, times = sample.where, np.asarray(sample.times_s)
    lab = sample.lab
    if (modes := split_modes(times)) is not None:
        losses = f", {lab.drops} drops and {lab.retransmissions} retransmissions" if lab else ""
        yield bimodal(where, modes, losses=losses)
    if (ratio := drift(times)) is not None:
        yield warning("drifting", where, ratio=ratio)
    yield from _check_conditions(sample)
    yield from _check_processors(sample)
    if lab and sample.is_flagged:
        yield warning("lab_late", where, limits=lab.limits_text)
    if lab and lab.timeouts:
        yield warning("lab_timeouts", where, repetitions=len(sample.times_s), **lab.model_dump())
    if sample.is_emulated and (sample.cpu_busy or 0.0) > CPU_BUSY:
        yield warning("cpu_bound", where, busy=sample.cpu_busy)


def bimodal(
    where: str, modes: tuple[float, float, float], what: str = "", losses: str = ""
) -> QualityWarning:
    """The warning about times with two modes, as `split_modes` gives them."""
    low, high, share = modes
    return warning(
        "bimodal", where, low=format_seconds(low), high=format_seconds(high), share=share,
        what=what, losses=losses,
    )  # fmt: skip


def _check_processors(sample: Sample) -> Iterator[QualityWarning]:
    # The processes of all emulated hosts share the cores by design; whether it hurt is seen below.
    is_crowded = sample.provenance.is_oversubscribed and not sample.is_emulated
    if is_crowded:
        yield warning("oversubscribed", sample.where)
    if (sample.cpu_wait or 0.0) > CPU_WAIT and not is_crowded:
        name = "cpu_awaited:lab" if sample.is_emulated else "cpu_awaited"
        yield warning(name, sample.where, wait=sample.cpu_wait)


def _check_conditions(sample: Sample) -> Iterator[QualityWarning]:
    resolution = sample.provenance.clock_resolution
    if resolution and sample.median < RESOLUTION_STEPS * resolution:
        seconds = format_seconds(sample.median)
        yield warning("timer_resolution", sample.where, seconds=seconds, steps=RESOLUTION_STEPS)
    interval, precision = sample.interval_relative, sample.precision or 0.05
    if interval is not None and interval > precision:
        yield warning("interval_not_reached", sample.where, interval=interval, precision=precision)
    if sample.parameters and sample.parameters.get("is_saturated") is False:
        yield warning("not_saturated", sample.where)
    yield from about_start(sample, sample.where, len(sample.times_s), sample.median)


def about_start(
    sample: Launched, where: str, repetitions: int, seconds: float
) -> Iterator[QualityWarning]:
    """Doubts about whether the ranks began together; `seconds` are what was timed."""
    if sample.late_starts > LATE_SHARE * repetitions:
        yield warning("late_starts", where, late=sample.late_starts, repetitions=repetitions)
    skew, bound = sample.start_skew_s or 0.0, sample.start_skew_bound_s or 0.0
    if skew > SKEW_SHARE * seconds:
        yield warning(
            "clocks_apart", where, skew=format_seconds(skew), bound=format_seconds(bound),
            most=SKEW_SHARE, seconds=format_seconds(seconds),
        )  # fmt: skip
    if sample.provenance.start_note:
        yield warning("no_common_clock", where, note=sample.provenance.start_note)


def _disagreeing_launches(samples: Iterable[Sample]) -> Iterator[QualityWarning]:
    points: defaultdict[tuple[str, int | None], list[float]] = defaultdict(list)
    for sample in samples:
        where = f"{sample.experiment}/{sample.setting} n={sample.n} m={sample.m}"
        points[where, sample.processes_per_node].append(sample.median)
    for (where, _), values in points.items():
        low, high = min(values), max(values)
        if low > 0 and high > LAUNCH_RATIO * low:
            low_high = {"low": format_seconds(low), "high": format_seconds(high)}
            yield warning("launches_disagree", where, **low_high)


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
