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
Restrictions: what is usual belongs to an operation (`contend.signature.operations`); `PRIOR` holds
for all.
"""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats
from contend.signature.layout import Layout, Parts
from contend.signature.prior import Usual
from contend.statistics.triangular import solve_lower, solve_transposed


class Process:
    """What is known of all n and m once the points of a layout are measured.

    `scatter` is the share that sizes, numbers of processes and launches differ by, of what the
    prior says.
    """

    def __init__(self, layout: Layout, usual: Usual, scatter: float = 1.0) -> None:
        self._layout, self._usual, self._scatter = layout, usual, scatter
        points = layout.points
        noise = self.noise * np.eye(points.n.size)
        self._factor = np.asarray(np.linalg.cholesky(self.sum(layout.among) + noise), float)
        error = np.log(points.seconds) - layout.usual(usual, points.n, points.m)
        self._white = self._solve(error)
        self._weights = solve_transposed(self._factor, self._white)

    @property
    def foretold(self) -> float:
        """Logarithm of the probability density of the points at other n, given those at n'."""
        own = self._layout.own
        white, scale = self._white[own:], np.diag(self._factor)[own:]
        return float(_log_density(white, np.log(scale).sum()))

    def logarithm(self, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats]:
        """Logarithm of the time in seconds and its standard deviation; shape (q,) as `n` and `m`.

        The deviation is that of a measurement: it holds noise.
        """
        counts, sizes = np.asarray(n, float), np.asarray(m, float)
        return self.told(counts, sizes, self._layout.parts(counts, sizes))

    def told(self, n: Floats, m: Floats, parts: Parts) -> tuple[Floats, Floats]:
        """The same, where the parts of the covariance with the points are known."""
        cross = self.sum(parts)
        explained = np.sum(self._solve(cross.T) ** 2, axis=0)
        left = np.maximum(self.sum(self._layout.variance(n, m)) - explained, 0.0)
        usual = self._layout.usual(self._usual, n, m)
        return usual + cross @ self._weights, np.sqrt(left + self.noise + self.launch)

    def remaining(self, n: Floats, m: Floats) -> Floats:
        """Covariance of the logarithms of exact times that the points leave; shape (q, q)."""
        layout = self._layout
        told = self._solve(self.sum(layout.parts(n, m)).T)
        joint = self.sum(layout.parts_of(n, m, n, m)) + layout.lost_level(m)
        return np.asarray(joint - told.T @ told)

    def left_out(self, chosen: np.ndarray) -> tuple[Floats, Floats, float]:
        """Errors, deviations and log density of points (k,) foretold by all others.

        Of points that are not at n', as the curve over m is drawn through those.
        """
        inverse = self._precision
        covariance = np.linalg.inv(inverse[np.ix_(chosen, chosen)])
        error = -covariance @ self._weights[chosen]
        factor = np.linalg.cholesky(covariance)
        density = _log_density(np.linalg.solve(factor, error), np.log(np.diag(factor)).sum())
        return error, np.sqrt(np.diag(covariance) + self.launch), float(density)

    @property
    def degrees_of_freedom(self) -> float:
        """Points less what the process has bent to them: the trace of what is taken for noise."""
        return float(self.noise * np.trace(self._precision))

    def sum(self, parts: Parts) -> Floats:
        """The covariance from its parts."""
        usual, scatter = self._usual, self._scatter
        sizes = (scatter * usual.size_doubt) ** 2 + self._layout.doubt_of_one_size(usual) ** 2
        return (
            parts.level
            + usual.doubt**2 * parts.startups
            + usual.bytes_doubt**2 * parts.bytes
            + sizes * parts.sizes
            + scatter**2 * parts.classes
        )

    @property
    def noise(self) -> float:
        """Variance of a measured point."""
        return (self._scatter * self._layout.prior.noise) ** 2

    @property
    def launch(self) -> float:
        """Variance of a launch at another n."""
        return (self._scatter * self._layout.prior.launch) ** 2

    @cached_property
    def _precision(self) -> Floats:
        """Inverse of the covariance of the points with their noise; shape (k, k)."""
        inverse = self._solve(np.eye(self._white.size))
        return np.asarray(inverse.T @ inverse)

    def _solve(self, right: Floats) -> Floats:
        return solve_lower(self._factor, right)


def _log_density(white: Floats, log_scale: float) -> float:
    """Of independent normal values of variance 1, stretched."""
    return float(-0.5 * (white @ white + white.size * np.log(2 * np.pi)) - log_scale)
