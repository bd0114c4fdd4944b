"""How many times as long as an algorithm the library's default takes, over n and m.

Source: regression by Gaussian processes, as in `contend.models.signature.process`, here of the
ratio of two times.
Idea: what both meet alike, the machine, its size and its moment, is not in their ratio. So a ratio
is known better than either time where launches had both, and changes less with n. At n' it is
drawn through what was measured; from there both times grow as is usual of them. The doubt is that
of two exponents of which most is common (`APART`), and what was seen at other n makes it less or
more.
Formula: g(n, m) = log T_default(n, m) - log T(n, m), each by the usual growth from its own curve at
n', plus e, which is Gaussian with the covariance of `contend.models.signature.process`, `APART`
times the standard deviations of both times together. Where other n were measured too, these weigh
what the doubts are multiplied with, and whether the gain goes by usual growth or stays what it is
at n'. A time that stands out at one n alone is no gain, nor a loss: such pairs count for little.
Restrictions: of n and m at which both were measured. What a library chooses may be another
algorithm at another n, which `contend.tune.choose.safe` takes into account.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from contend.base.document import Floats
from contend.models.signature.layout import Layout, Parts, Points
from contend.models.signature.prior import PRIOR, Usual
from contend.models.signature.process import Posterior, mixed, normalised

APART = 0.3  # share of the doubts about two exponents that is not common to both
_TEMPER = 0.5  # as in `contend.models.signature.candidates`
_SCATTERS = (4.0, 2.0, 1.0, 0.5, 0.25)  # times the doubts


@dataclass(frozen=True)
class Pairs:
    """Points at which two algorithms were measured; arrays (k,).

    `gain` is the logarithm of the time of the default over that of the other, `variance` what its
    square is off by.
    """

    n: Floats
    m: Floats
    default: Floats  # seconds
    gain: Floats
    variance: Floats

    def at(self, chosen: np.ndarray) -> "Pairs":
        columns = (self.n, self.m, self.default, self.gain, self.variance)
        return Pairs(*(values[chosen] for values in columns))


class Gain:
    """What is known of the gain at all n and m from `pairs`, one or more.

    `usual` are the growth of the default and of the algorithm before anything is measured.
    """

    def __init__(self, pairs: Pairs, usual: tuple[Usual, Usual]) -> None:
        reference = Points(pairs.n, pairs.m, pairs.default).reference
        pairs = pairs.at(np.argsort(pairs.n != reference, kind="stable"))
        other = pairs.default * np.exp(-pairs.gain)
        self._usual, self._pairs = usual, pairs
        self._layouts = tuple(Layout(Points(pairs.n, pairs.m, s)) for s in (pairs.default, other))
        self._both = Layout(Points(pairs.n, pairs.m, np.sqrt(pairs.default * other)))
        self._fits = [
            self._fit(scatter, is_steady) for is_steady in (False, True) for scatter in _SCATTERS
        ]
        self._weights = self._weighed()

    def predict(self, n: Floats, m: Floats) -> tuple[Floats, Floats]:
        """The gain (a logarithm) and its standard deviation; shape (q,) as `n` and `m`."""
        parts, variance = self._both.parts(n, m), self._both.variance(n, m)
        means, deviations = [], []
        for fit in self._fits:
            error, remaining = fit.posterior.predict(
                self._covariance(parts, fit.scatter), self._covariance(variance, fit.scatter)
            )
            means.append(self._expected(n, m, fit.is_steady) + error)
            deviations.append(np.sqrt(remaining))
        return mixed(self._weights, np.array(means), np.array(deviations))

    def _expected(self, n: Floats, m: Floats, is_steady: bool) -> Floats:
        """By the usual growth of both from what was measured at n', or as there."""
        if is_steady:
            n = np.full_like(n, self._both.reference)
        default, other = (
            layout.usual(usual, n, m)
            for layout, usual in zip(self._layouts, self._usual, strict=True)
        )
        return np.asarray(default - other)

    def _covariance(self, parts: Parts, scatter: float) -> Floats:
        """Return the covariance of errors of gains, from the parts of that of times."""
        default, rival = self._usual
        startups = np.hypot(default.doubt, rival.doubt)
        volume = np.hypot(default.bytes_doubt, rival.bytes_doubt)
        sizes = np.hypot(default.size_doubt, rival.size_doubt)
        single = self._both.doubt_of_one_size(default) + self._both.doubt_of_one_size(rival)
        grown = (
            startups**2 * parts.startups
            + volume**2 * parts.bytes
            + (sizes**2 + single**2) * parts.sizes
            + 2 * parts.classes
        )
        return np.asarray(APART**2 * (scatter**2 * grown + 2 * parts.level))

    def _fit(self, scatter: float, is_steady: bool) -> "_Fit":
        pairs = self._pairs
        is_spike = np.any([layout.is_spike for layout in self._layouts], axis=0)
        noise = np.diag(pairs.variance + is_spike * PRIOR.spike**2)
        covariance = self._covariance(self._both.among, scatter) + noise
        error = pairs.gain - self._expected(pairs.n, pairs.m, is_steady)
        return _Fit(scatter, is_steady, Posterior(covariance, error))

    def _weighed(self) -> Floats:
        """Weights of the fits, by what each foretells of other n from n'."""
        reference_count = self._both.reference_count
        if reference_count == self._pairs.n.size:
            usual = [float(fit.scatter == 1.0 and not fit.is_steady) for fit in self._fits]
            return np.array(usual)
        return normalised(
            np.array(
                [
                    _TEMPER * fit.posterior.density(reference_count)
                    - abs(float(np.log2(fit.scatter)))
                    for fit in self._fits
                ]
            )
        )


class _Fit(NamedTuple):
    """The pairs under one of the assumptions."""

    scatter: float
    is_steady: bool
    posterior: Posterior


def launch_of_one() -> float:
    """Variance of a gain of single launches, whose own scatter nobody has seen."""
    return float(2 * (PRIOR.launch / 2) ** 2)
