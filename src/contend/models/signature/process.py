"""A random process for the time of an operation over n and m, given what was measured of it.

Source: regression by Gaussian processes with a mean of known form (universal kriging): Rasmussen,
Williams, "Gaussian Processes for Machine Learning", 2006, chapter 2; the process of the exponent is
that of Uhlenbeck and Ornstein, Physical Review 36, 1930.
Idea: log T over log(n-1) has a slope, the exponent of growth. Half of what it has beside the usual
one of start-ups and of bytes stays for all n, as the algorithm of a library does; the other half
drifts, as where the network saturates. A size takes of both by the share of its time that goes with
its bytes, so that sizes alike grow alike. What was measured at some n bends the exponent, most near
it; the doubt grows with the way from there.
Formula: T(n, m) = T(n', m) [(1-b) a(n)/a(n') + b c(n)/c(n')] exp(e), with b the share of bytes at
m, a and c the usual growth of start-ups and of bytes, and e Gaussian with the covariance
J(u, u') [A (1-b)(1-b') + C b b' + R r] + F f f' r + V v, where u = log((n-1) / (n'-1)), J is half
of u u' and half of the double integral of exp(-|w-w'| / D) to u and u', r and v fall exponentially
with the octaves between two sizes, and f is 1 where n is a power of two and -1 elsewhere.
Restrictions: what is usual belongs to an operation (`contend.models.signature.operations`); `PRIOR`
holds for all.
"""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.models.signature.layout import Layout, Parts
from contend.models.signature.prior import Usual


class Posterior:
    """Gaussian values of which some are known, (k,), by their covariance (k, k) and errors.

    Source: Rasmussen, Williams 2006, algorithm 2.1.
    """

    def __init__(self, covariance: Floats, error: Floats) -> None:
        joint = np.empty((error.size + 1, error.size + 1))
        joint[:-1, :-1], joint[-1, :-1] = covariance, error
        joint[-1, -1] = np.finfo(float).max  # so that the last row of the factor solves for it
        factor = np.asarray(np.linalg.cholesky(joint), float)
        self._factor, self._white = factor[:-1, :-1], factor[-1, :-1]
        self._scale = np.log(np.diag(self._factor))

    @cached_property
    def _inverse(self) -> Floats:
        return np.linalg.inv(self._factor)

    @cached_property
    def weights(self) -> Floats:
        """Weights with which the errors tell of others, (k,)."""
        return np.asarray(self._inverse.T @ self._white)

    def predict(self, cross: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """Mean and variance of others (q,) by covariances with the known, (q, k), and their own."""
        explained = np.sum((self._inverse @ cross.T) ** 2, axis=0)
        return cross @ self.weights, np.maximum(variance - explained, 0.0)

    def explained(self, cross: Floats) -> Floats:
        """Covariance of others that the known take away, (q, q)."""
        whitened = self._inverse @ cross.T
        return np.asarray(whitened.T @ whitened)

    def density(self, first: int) -> float:
        """Log density of the known from place `first` on, given those before."""
        return _log_density(self._white[first:], float(self._scale[first:].sum()))

    @cached_property
    def precision(self) -> Floats:
        """Inverse of the covariance, (k, k)."""
        return np.asarray(self._inverse.T @ self._inverse)


class Process:
    """What is known of all n and m once the points of a layout are measured.

    `scatter` is the share that sizes, numbers of processes and launches differ by, of what the
    prior says.
    """

    def __init__(self, layout: Layout, usual: Usual, scatter: float = 1.0) -> None:
        self.layout, self.usual, self.scatter = layout, usual, scatter
        points = layout.points
        self._noise = self.noise + layout.is_spike * layout.prior.spike**2
        error = np.log(points.seconds) - layout.usual(usual, points.n, points.m)
        self._posterior = Posterior(self.sum(layout.among) + np.diag(self._noise), error)

    @property
    def density(self) -> float:
        """Logarithm of the probability density of the points at other n, given those at n'."""
        return self._posterior.density(self.layout.reference_count)

    def logarithm(self, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats]:
        """Logarithm of the time in seconds and its standard deviation; shape (q,) as `n` and `m`.

        The deviation is that of a measurement: it holds noise.
        """
        counts, sizes = np.asarray(n, float), np.asarray(m, float)
        return self.predict(counts, sizes, self.layout.parts(counts, sizes))

    def predict(self, n: Floats, m: Floats, parts: Parts) -> tuple[Floats, Floats]:
        """The same, where the parts of the covariance with the points are known."""
        variance = self.sum(self.layout.variance(n, m))
        error, remaining = self._posterior.predict(self.sum(parts), variance)
        usual = self.layout.usual(self.usual, n, m)
        return usual + error, np.sqrt(remaining + self.noise + self.launch)

    def remaining(self, n: Floats, m: Floats) -> Floats:
        """Covariance of the logarithms of exact times that the points leave; shape (q, q)."""
        layout = self.layout
        joint = self.sum(layout.parts_of(n, m, n, m)) + layout.lost_level(n, m)
        return joint - self._posterior.explained(self.sum(layout.parts(n, m)))

    def left_out(self, chosen: np.ndarray) -> tuple[Floats, Floats, float]:
        """Errors, deviations and log density of points (k,) predicted from all others.

        Of points that are not at n', as the curve over m is drawn through those.
        """
        covariance = np.linalg.inv(self._posterior.precision[np.ix_(chosen, chosen)])
        error = -covariance @ self._posterior.weights[chosen]
        factor = np.linalg.cholesky(covariance)
        density = _log_density(np.linalg.solve(factor, error), np.log(np.diag(factor)).sum())
        return error, np.sqrt(np.diag(covariance) + self.launch), density

    def each_left_out(self, chosen: np.ndarray) -> tuple[Floats, Floats]:
        """Errors and deviations of points (k,), each predicted from all others.

        Of points that are not at n', as the curve over m is drawn through those.
        """
        variance = 1 / np.diag(self._posterior.precision)[chosen]
        return -variance * self._posterior.weights[chosen], np.sqrt(variance)

    @property
    def degrees_of_freedom(self) -> float:
        """Points less what the process has bent to them: the trace of what is taken for noise."""
        return float(self._noise @ np.diag(self._posterior.precision))

    def sum(self, parts: Parts) -> Floats:
        usual, scatter = self.usual, self.scatter
        sizes = (scatter * usual.size_doubt) ** 2 + self.layout.doubt_of_one_size(usual) ** 2
        return (
            parts.level
            + usual.doubt**2 * parts.startups
            + usual.bytes_doubt**2 * parts.bytes
            + sizes * parts.sizes
            + scatter**2 * (parts.classes + usual.count_doubt**2 * parts.counts)
        )

    @property
    def noise(self) -> float:
        """Variance of a measured point."""
        return (self.scatter * self.layout.prior.noise) ** 2

    @property
    def launch(self) -> float:
        """Variance of a launch at another n."""
        return (self.scatter * self.layout.prior.launch) ** 2


def mixed(weights: Floats, means: Floats, deviations: Floats) -> tuple[Floats, Floats]:
    """Mean and deviation over candidates (c,) of values (c, q)."""
    mean = weights @ means
    return mean, np.sqrt(weights @ (deviations**2 + (means - mean) ** 2))


def normalised(logarithm: Floats) -> Floats:
    """Weights of candidates by their logarithms, (c,), which sum to 1."""
    weights = np.exp(logarithm - logarithm.max())
    return np.asarray(weights / weights.sum())


def _log_density(white: Floats, log_scale: float) -> float:
    """Return the log density of independent standard normal values, scaled."""
    return float(-0.5 * (white @ white + white.size * np.log(2 * np.pi)) - log_scale)
