"""What measuring costs: seconds of the clock on the wall.

A launch takes as long as its ranks need to start, to meet and to end. A point in it takes its
repetitions, as many warm-ups, a check of the data, and a fixed time. Sizes at one n share launches.
"""

from dataclasses import dataclass, replace

import numpy as np

from contend.document import Floats
from contend.measure.duration import LAUNCH_SECONDS, POINT_SECONDS
from contend.probes.places import Places

REPETITIONS = 5  # that an experiment makes at least; their median is known to half of the noise
CHECKS = 1  # repetitions of a point whose data is checked


@dataclass(frozen=True)
class Cost:
    """How points are measured, and what that takes besides; `told_by` says how that is known."""

    repetitions: int = REPETITIONS
    warmup: int = 1
    launches: int = 1
    launch_seconds: float = LAUNCH_SECONDS
    point_seconds: float = POINT_SECONDS
    slower: float = 1.0  # times that an emulated network runs slower than it says
    told_by: str = "as assumed"

    def of_points(self, seconds: Floats) -> Floats:
        """Seconds to measure points that take `seconds` each, but for launches; of their shape."""
        passes = self.repetitions + self.warmup + CHECKS
        return self.launches * (passes * self.slower * seconds + self.point_seconds)

    def of_launches(self, counts: int) -> float:
        """Seconds for the launches at so many numbers of processes."""
        return self.launches * self.launch_seconds * counts

    def repeated(self, repetitions: int) -> "Cost":
        """The same with another number of repetitions."""
        return replace(self, repetitions=repetitions)

    def total(self, places: Places, seconds: Floats) -> float:
        """Seconds to measure all `places`, which take `seconds` each, shape (k,)."""
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
