"""What samples tell of the cost of further ones: repetitions, launches, and how slow a lab runs.

Idea: from the start of one launch to the start of the next pass its repetitions, which the samples
hold, and all else that a launch takes. The median of that says nothing of breaks between two runs.
Repetitions are as many as let the median of a point be known to half of the noise by which the
process doubts a point anyhow: the standard error of a median is sqrt(pi/2) that of a mean.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

import numpy as np

from contend.measure.duration import LAUNCH_SECONDS, POINT_SECONDS
from contend.probes.cost import CHECKS, REPETITIONS, Cost
from contend.samples import Sample
from contend.signature import OPERATIONS
from contend.signature.prior import PRIOR

MOST_REPETITIONS = 50
FEWEST_LAUNCHES = 3  # followed by another; dates are whole seconds
_PART_OF_NOISE = 0.5
_NORMAL_QUARTILES = 1.349  # standard deviations between the quartiles


def cost_of(samples: Sequence[Sample]) -> Cost:
    """The cost of a point that is measured as these were; what they do not tell is assumed."""
    operations = [sample for sample in samples if sample.experiment in OPERATIONS]
    launch = launch_seconds(samples)
    repeated = [sample for sample in operations if len(sample.times_s) >= REPETITIONS]
    return Cost(
        repetitions=repetitions([_scatter(one.times_s) for one in repeated]),
        launch_seconds=LAUNCH_SECONDS if launch is None else launch,
        slower=_dilation(operations[-1]) if operations else 1.0,
        told_by="as assumed" if launch is None else "as the samples tell of launches",
    )


def repetitions(scatters: Sequence[float]) -> int:
    """Repetitions for points whose repetitions have these relative standard deviations.

    >>> repetitions([0.02, 0.02]), repetitions([0.15])
    (5, 15)
    """
    scatter = float(np.median(scatters)) if scatters else 0.0
    needed = math.pi / 2 * (scatter / (_PART_OF_NOISE * PRIOR.noise)) ** 2
    return min(max(REPETITIONS, math.ceil(needed)), MOST_REPETITIONS)


def launch_seconds(samples: Sequence[Sample]) -> float | None:
    """Seconds that a launch of an operation takes beside its points; None where too few tell."""
    launches: defaultdict[datetime, list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.provenance.started and sample.provenance.command:
            launches[sample.provenance.started].append(sample)
    begun = sorted(launches)
    rests = [
        (later - one).total_seconds() - sum(map(_seconds, launches[one]))
        for one, later in pairwise(begun)
        if all(sample.experiment in OPERATIONS for sample in launches[one])
    ]
    if len(rests) < FEWEST_LAUNCHES:
        return None
    return max(float(np.median(rests)), 0.0)


def _seconds(sample: Sample) -> float:
    """On the clock, for a point."""
    passes = sum(sample.times_s) + sum(sample.warmup_s) + CHECKS * sample.median
    return POINT_SECONDS + _dilation(sample) * passes


def _dilation(sample: Sample) -> float:
    return sample.provenance.time_dilation or 1.0


def _scatter(times: Sequence[float]) -> float:
    """Relative standard deviation of repetitions, by their quartiles."""
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75])
    return float((high - low) / _NORMAL_QUARTILES / middle) if middle > 0 else 0.0
