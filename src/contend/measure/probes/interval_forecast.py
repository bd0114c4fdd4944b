"""Intervals of predictions after measurements that are not made yet.

Source: what a further value leaves of the covariance of a normal distribution, as in Rasmussen,
Williams, "Gaussian Processes for Machine Learning", 2006, chapter 2; designs by it: Sacks, Welch,
Mitchell, Wynn, Statistical Science 4, 1989.
Idea: how wide an interval is depends on where points are, and hardly on what they will tell.
Formula: C' = C - c c^T / (c_k + s^2), with C the covariance of all places, c its column of the
point that is measured, c_k its variance and s the noise.
Restrictions: n', the shares of bytes, the weights of candidates and the scale of the intervals are
taken as they are now. What is measured may change all: shares where sizes are added at n', weights
where another n is, and the others where an n gets sizes enough for a curve of its own.
"""

from dataclasses import dataclass, replace

import numpy as np

from contend.base.document import Floats
from contend.measure.probes.places import Places
from contend.models.signature.candidates import Mixture
from contend.models.signature.forms.growth import Known
from contend.models.signature.process import Process


@dataclass(frozen=True)
class Foreseen:
    """What is foreseen of t targets, given measured points, and c candidates to measure next."""

    covariance: Floats  # of exact log times, candidates before targets; shape (c+t, c+t)
    candidates: int
    noise: float  # variance of a measured point
    floor: float  # variance of the measurement that is predicted, which nothing takes away
    reach: Floats | float  # standard deviations that each interval has on either side; (t,)

    @classmethod
    def of(
        cls,
        fit: Process | Mixture | Known,
        reach: Floats | float,
        candidates: Places,
        targets: Places,
    ) -> "Foreseen":
        """By what is bent to all points measured."""
        n, m = (np.append(getattr(candidates, axis), getattr(targets, axis)) for axis in "nm")
        floor = fit.noise + fit.launch
        return cls(fit.remaining(n, m), len(candidates), fit.noise, floor, reach)

    def widths(self) -> Floats:
        return self._width(np.diag(self.covariance)[self.candidates :])

    def widths_with_each(self) -> Floats:
        """The same if one candidate is measured, for each of them; shape (c, t)."""
        variance = np.diag(self.covariance)
        cross = self.covariance[: self.candidates, self.candidates :]
        gain = cross**2 / (variance[: self.candidates, None] + self.noise)
        return self._width(variance[self.candidates :] - gain)

    def after(self, candidate: int) -> "Foreseen":
        """What is foreseen once a candidate, by its place, is measured."""
        column = self.covariance[:, candidate]
        gain = np.outer(column, column) / (column[candidate] + self.noise)
        return replace(self, covariance=self.covariance - gain)

    @property
    def least(self) -> float:
        """Mean logarithm of high/low where all is measured: what measurements differ by."""
        return float(self._width(np.array(0.0)).mean())

    def _width(self, variance: Floats) -> Floats:
        return np.asarray(2 * self.reach * np.sqrt(np.maximum(variance, 0.0) + self.floor))
