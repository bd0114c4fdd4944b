"""What measuring costs: seconds of the clock on the wall, as assumed or as samples tell.

A launch takes as long as its ranks need to start, to meet and to end. A point in it takes its
repetitions, as many warm-ups, a check of the data, and a fixed time. Sizes at one n share launches.
From samples: from the start of one launch to the start of the next pass its repetitions and all
else that a launch takes; the median of that says nothing of breaks between two runs. Repetitions
are as many as let the median of a point be known to two thirds of the noise by which the process
doubts a point anyhow: the standard error of a median is sqrt(pi/2) that of a mean.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

import numpy as np

from contend.base.document import Floats
from contend.measure.duration import LAUNCH_SECONDS, POINT_SECONDS
from contend.measure.probes.places import Places
from contend.models.signature import OPERATIONS
from contend.models.signature.prior import PRIOR
from contend.samples import Sample

REPETITIONS = 5  # that an experiment makes at least; their median is known well enough
CHECKS = 1  # repetitions of a point whose data is checked

MOST_REPETITIONS = 50
FEWEST_LAUNCHES = 3  # followed by another; dates are whole seconds
_PART_OF_NOISE = 2 / 3
_NORMAL_QUARTILES = 1.349  # standard deviations between the quartiles


@dataclass(frozen=True)
class Cost:
    """How points are measured, and what that takes besides; `source` is what it is known from."""

    repetitions: int = REPETITIONS
    warmup: int = 1
    launches: int = 1
    launch_seconds: float = LAUNCH_SECONDS
    point_seconds: float = POINT_SECONDS
    slower: float = 1.0  # times that an emulated network runs slower than it says
    source: str = "as assumed"

    def of_points(self, seconds: Floats) -> Floats:
        """Seconds to measure points that take `seconds` each, but for launches; of their shape."""
        passes = self.repetitions + self.warmup + CHECKS
        return self.launches * (passes * self.slower * seconds + self.point_seconds)

    def of_launches(self, counts: int) -> float:
        return self.launches * self.launch_seconds * counts

    def repeated(self, repetitions: int) -> "Cost":
        return replace(self, repetitions=repetitions)

    def total(self, places: Places, seconds: Floats) -> float:
        return float(self.of_points(seconds).sum()) + self.of_launches(np.unique(places.n).size)


@dataclass(frozen=True)
class Bill:
    """What each of c candidates adds to the cost of those that are chosen already."""

    n: Floats  # (c,)
    points: Floats  # seconds of each without its launch, (c,)
    launches: float  # seconds, of an n that has no point yet
    launched: frozenset[int] = frozenset()  # n that are launched already

    def of_next(self) -> Floats:
        """Seconds that each candidate adds; shape (c,)."""
        return np.asarray(self.points + self.launches * ~np.isin(self.n, [*self.launched]))

    def after(self, candidate: int) -> "Bill":
        """Once a candidate, by its place, is chosen."""
        return replace(self, launched=self.launched | {int(self.n[candidate])})


def cost_of(samples: Sequence[Sample]) -> Cost:
    """The cost of a point that is measured as these were; what they do not tell is assumed."""
    operations = [sample for sample in samples if sample.experiment in OPERATIONS]
    launch = launch_seconds(samples)
    repeated = [sample for sample in operations if len(sample.times_s) >= REPETITIONS]
    return Cost(
        repetitions=repetitions([_scatter(sample.times_s) for sample in repeated]),
        launch_seconds=LAUNCH_SECONDS if launch is None else launch,
        slower=_dilation(operations[-1]) if operations else 1.0,
        source="as assumed" if launch is None else "as the samples tell of launches",
    )


def repetitions(scatters: Sequence[float]) -> int:
    """Repetitions for points whose repetitions have these relative standard deviations.

    >>> repetitions([0.02, 0.02]), repetitions([0.15])
    (5, 23)
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
        (later - earlier).total_seconds() - sum(map(_seconds, launches[earlier]))
        for earlier, later in pairwise(begun)
        if all(sample.experiment in OPERATIONS for sample in launches[earlier])
    ]
    if len(rests) < FEWEST_LAUNCHES:
        return None
    return max(float(np.median(rests)), 0.0)


def _seconds(sample: Sample) -> float:
    passes = sum(sample.times_s) + sum(sample.warmup_s) + CHECKS * sample.median
    return POINT_SECONDS + _dilation(sample) * passes


def _dilation(sample: Sample) -> float:
    return sample.provenance.time_dilation or 1.0


def _scatter(times: Sequence[float]) -> float:
    """Relative standard deviation of repetitions, by their quartiles."""
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75])
    return float((high - low) / _NORMAL_QUARTILES / middle) if middle > 0 else 0.0
