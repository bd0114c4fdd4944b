"""A random process for the time of an exchange over n and m, given what was measured of it.

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
Restrictions: `PRIOR` holds for an all-to-all; no other operation grows as one does.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats

FEWEST_OF_A_CURVE = 4  # sizes that tell how time goes with m
_NEIGHBOURS = 2.0  # octaves on either side by which a slope over m is told
_MOST_PER_BYTE = 4.0  # times that a byte may cost more at a small size than at a larger one


@dataclass(frozen=True)
class Prior:
    """What is usual of an all-to-all, standard deviations in the logarithm of a time.

    Told by the predictions of other n on measured series of two machines (see docs/fitting.md),
    which series of the same machines and others confirm.
    """

    lasting: float = 0.5  # share of the variance of an exponent that is the same for all n
    drift: float = 0.7  # logarithm of n over which the other share is forgotten
    bytes: float = 0.09  # exponent of bytes
    size: float = 0.18  # exponent of a size, beside what it has of both
    octaves: float = 4.0  # between sizes whose exponents differ
    power_of_two: float = 0.10  # between an n that is a power of two and one that is not
    level: float = 0.50  # a size between others, where n' has not measured it
    level_octaves: float = 6.0
    noise: float = 0.10  # of a measured point, and a size that is odd at one n alone
    launch: float = 0.06  # of a launch at another n


PRIOR = Prior()
SHARED_MORE = 0.14  # exponent; messages that cross a larger machine share more of it


@dataclass(frozen=True)
class Usual:
    """Growth over n before anything is measured: powers of n-1 and of log2 n.

    Unless told otherwise that of an algorithm that is not known.
    """

    startups: tuple[float, float] = (0.36, 0.0)
    bytes: tuple[float, float] = (1 + SHARED_MORE, 0.0)
    doubt: float = 0.40  # standard deviation of the exponent of start-ups

    def logarithms(self, n: Floats) -> tuple[Floats, Floats]:
        """Logarithm of the growth of start-ups and of bytes, each of the shape of `n`."""
        over = np.log(n - 1.0), np.log(np.log2(n))
        found = [power[0] * over[0] + power[1] * over[1] for power in (self.startups, self.bytes)]
        return found[0], found[1]


@dataclass(frozen=True)
class Points:
    """Measured times in seconds of `n` processes and `m` bytes > 0, each of shape (k,)."""

    n: Floats
    m: Floats
    seconds: Floats

    def at(self, chosen: np.ndarray) -> "Points":
        """Some of them, by a mask (k,)."""
        return Points(self.n[chosen], self.m[chosen], self.seconds[chosen])

    @property
    def reference(self) -> float:
        """n': the largest n with enough sizes for a curve, else that with the most."""
        counts, sizes = np.unique(self.n, return_counts=True)
        enough = counts[sizes >= FEWEST_OF_A_CURVE]
        return float(enough.max() if enough.size else counts[sizes == sizes.max()].max())


class Process:
    """What is known of all n and m once `points` are measured."""

    def __init__(self, points: Points, usual: Usual, prior: Prior = PRIOR) -> None:
        self._points, self._usual, self._prior = points, usual, prior
        own = points.at(points.n == points.reference)
        order = np.argsort(own.m, kind="stable")
        self._sizes, self._curve = np.log(own.m[order]), np.log(own.seconds[order])
        self._shares = _byte_shares(self._sizes, self._curve)
        noise = prior.noise**2 * np.eye(points.n.size)
        among = self.covariance(points.n, points.m, points.n, points.m)
        self._factor = np.linalg.cholesky(among + noise)
        error = np.log(points.seconds) - self.usual(points.n, points.m)
        self._weights = self._solve(self._solve(error), transposed=True)

    def logarithm(self, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats]:
        """Logarithm of the time in seconds and its standard deviation; shape (q,) as `n` and `m`.

        The deviation is that of a measurement: it holds noise.
        """
        counts, sizes = np.asarray(n, float), np.asarray(m, float)
        points, prior = self._points, self._prior
        cross = self.covariance(counts, sizes, points.n, points.m)
        told = np.sum(self._solve(cross.T) ** 2, axis=0)
        noise = prior.noise**2 + prior.launch**2
        variance = np.maximum(self._variance(counts, sizes) - told, 0.0) + noise
        return self.usual(counts, sizes) + cross @ self._weights, np.sqrt(variance)

    def remaining(self, n: Floats, m: Floats) -> Floats:
        """Covariance of the logarithms of exact times that the points leave; shape (q, q)."""
        told = self._solve(self.covariance(n, m, self._points.n, self._points.m).T)
        return np.asarray(self.covariance(n, m, n, m) + self._beyond(m) - told.T @ told)

    @property
    def prior(self) -> Prior:
        """What was usual before anything was measured."""
        return self._prior

    def usual(self, n: Floats, m: Floats) -> Floats:
        """Logarithm of the time before the process is bent to the points; shape of `n` and `m`."""
        share, reference = self.byte_share(m), np.array(self._points.reference)
        here, there = self._usual.logarithms(n), self._usual.logarithms(reference)
        growth = (1 - share) * np.exp(here[0] - there[0]) + share * np.exp(here[1] - there[1])
        return self._over_sizes(m) + np.log(growth)

    def covariance(self, n: Floats, m: Floats, to_n: Floats, to_m: Floats) -> Floats:
        """Of the logarithms of times (q,) with those of others (k,); shape (q, k)."""
        prior = self._prior
        octaves = np.abs(self._octave(m)[:, None] - self._octave(to_m))
        grown = self._grown(self._way(n)[:, None], self._way(to_n))
        near = np.exp(-octaves / prior.octaves)
        share = self.byte_share(m)[:, None], self.byte_share(to_m)
        exponent = (
            self._usual.doubt**2 * (1 - share[0]) * (1 - share[1])
            + prior.bytes**2 * share[0] * share[1]
            + prior.size**2 * near
        )
        of_class = np.outer(_power_of_two(n), _power_of_two(to_n))
        return np.asarray(
            grown * exponent
            + prior.power_of_two**2 * of_class * near
            + prior.level**2 * np.exp(-octaves / prior.level_octaves)
        )

    def byte_share(self, m: ArrayLike) -> Floats:
        """Share of the time at n' that goes with the bytes; shape of `m`."""
        return np.asarray(np.interp(_logarithm(m), self._sizes, self._shares))

    @property
    def degrees_of_freedom(self) -> float:
        """Points less what the process has bent to them: the trace of what is taken for noise."""
        inverse = self._solve(np.eye(self._points.n.size))
        return float(self._prior.noise**2 * (inverse**2).sum())

    def _solve(self, right: Floats, *, transposed: bool = False) -> Floats:
        from scipy.linalg import solve_triangular

        found: Floats = solve_triangular(self._factor, right, lower=True, trans=int(transposed))
        return found

    def _over_sizes(self, m: Floats) -> Floats:
        """Logarithm of the time at n'; beyond the sizes measured bytes alone change it."""
        size = _logarithm(m)
        beyond = np.exp(size - np.clip(size, self._sizes[0], self._sizes[-1]))
        share = self.byte_share(m)
        level = np.interp(size, self._sizes, self._curve)
        return np.asarray(level + np.log(1 - share + share * beyond))

    def _variance(self, n: Floats, m: Floats) -> Floats:
        """The same of each point with itself; shape (q,)."""
        prior, share = self._prior, self.byte_share(m)
        way, doubt = self._way(n), self._usual.doubt
        exponent = doubt**2 * (1 - share) ** 2 + prior.bytes**2 * share**2 + prior.size**2
        found = self._grown(way, way) * exponent
        beyond = np.abs(_logarithm(m) / np.log(2.0) - self._octave(m))
        lost = 2 * (1 - np.exp(-beyond / prior.level_octaves))
        return np.asarray(found + prior.power_of_two**2 + prior.level**2 * (1 + lost))

    def _beyond(self, m: Floats) -> Floats:
        """What levels of sizes beyond those measured have in common besides; shape (q, q).

        Of the way from the nearest size measured, since there nothing new is known.
        """
        prior, size = self._prior, _logarithm(m) / np.log(2.0)
        way = size - self._octave(m)
        kept = np.exp(-np.abs(way) / prior.level_octaves)
        apart = np.exp(-np.abs(way[:, None] - way) / prior.level_octaves)
        same = np.sign(way)[:, None] == np.sign(way)
        return np.asarray(prior.level**2 * same * (1 + apart - kept[:, None] - kept))

    def _grown(self, left: Floats, right: Floats) -> Floats:
        """Covariance of the growth over two ways by an exponent of variance 1, broadcast."""
        lasting, drift = self._prior.lasting, self._prior.drift
        return np.asarray(lasting * left * right + (1 - lasting) * _drifted(left, right, drift))

    def _way(self, n: Floats) -> Floats:
        """Logarithm of the growth from n' to `n`."""
        return np.asarray(np.log((n - 1.0) / (self._points.reference - 1.0)))

    def _octave(self, m: Floats) -> Floats:
        """That of the nearest size within those measured: beyond them nothing new is known."""
        ends = _logarithm(self._points.m.min()), _logarithm(self._points.m.max())
        return np.asarray(np.clip(_logarithm(m), *ends) / np.log(2.0))


def _logarithm(m: ArrayLike) -> Floats:
    """Of a size; that of an empty message is far below all others."""
    return np.asarray(np.log(np.maximum(np.asarray(m, float), np.finfo(float).tiny)))


def _power_of_two(n: Floats) -> Floats:
    """1 for powers of two, -1 for others."""
    whole = np.asarray(n).astype(int)
    return np.where(whole & (whole - 1) == 0, 1.0, -1.0)


def _drifted(left: Floats, right: Floats, length: float) -> Floats:
    """Double integral of exp(-|w-w'| / length) from 0 to `left` and to `right`, broadcast."""
    short = np.minimum(np.abs(left), np.abs(right)) / length
    long = np.maximum(np.abs(left), np.abs(right)) / length
    same = 2 * short + np.exp(-short) + np.exp(-long) - np.exp(short - long) - 1
    apart = -(1 - np.exp(-short)) * (1 - np.exp(-long))
    return np.asarray(length**2 * np.where(np.sign(left) * np.sign(right) >= 0, same, apart))


def _byte_shares(sizes: Floats, curve: Floats) -> Floats:
    """Slope of log time over log size at each size (k,), from 0 to 1.

    By the sizes near it. What bytes take of a small size is bounded by what they take at most of a
    larger one: noise makes slopes as well.
    """
    if sizes.size == 1:
        return np.array([0.5])
    found = np.empty(sizes.size)
    for place, size in enumerate(sizes):
        apart = np.abs(sizes - size)
        near = apart <= max(_NEIGHBOURS * np.log(2.0), np.sort(apart)[1]) * (1 + 1e-9)
        slope = np.polyfit(sizes[near] - size, curve[near], 1)[0]
        larger = curve[place:] - curve[place] - (sizes[place:] - size)
        found[place] = np.clip(min(slope, _MOST_PER_BYTE * np.exp(larger.min())), 0.0, 1.0)
    return found
