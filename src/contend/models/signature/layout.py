"""Where points lie over n and m, and the parts of the covariance that follow from that alone.

Source and formula: `contend.models.signature.process`, of whose processes this is what all share.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.models.signature.prior import PRIOR, Prior, Usual
from contend.models.signature.spike import spikes

FEWEST_OF_A_CURVE = 4  # sizes that tell how time goes with m
_NEIGHBOURS = 2.0  # octaves on either side by which a slope over m is taken
_MOST_OF_BYTES = 0.85  # of the time at the smallest size: start-ups are never seen to be nothing
_MOST_PER_BYTE = 4.0  # times that a byte may cost more at a small size than at a larger one


@dataclass(frozen=True)
class Points:
    """Measured times in seconds of `n` processes and `m` bytes, each of shape (k,)."""

    n: Floats
    m: Floats
    seconds: Floats

    def at(self, chosen: np.ndarray | slice) -> "Points":
        """Some of them, by a mask (k,) or their places."""
        return Points(self.n[chosen], self.m[chosen], self.seconds[chosen])

    @property
    def reference(self) -> float:
        """n': the largest n with enough sizes for a curve, else that with the most."""
        counts, sizes = np.unique(self.n, return_counts=True)
        enough = counts[sizes >= FEWEST_OF_A_CURVE]
        return float(enough.max() if enough.size else counts[sizes == sizes.max()].max())


@dataclass(frozen=True)
class Scaling:
    """What bytes grow with, and which sizes of different n correspond.

    Of processes on nodes of `per_node` each the bytes for other nodes grow with n - per_node, those
    of all with n - 1. Sizes correspond where m n^shift is the same: the same m, or the same n m
    where a library switches its algorithm at a total size.
    """

    per_node: int = 1
    shift: float = 0.0


SAME = Scaling()  # all bytes, and the same sizes


class Parts(NamedTuple):
    """Covariances of the same shape, before a process weighs each with its doubts and scatter."""

    level: Floats
    startups: Floats
    bytes: Floats
    sizes: Floats
    classes: Floats  # powers of two and others
    counts: Floats  # each n beside all others


class Layout:
    """What all processes over the same points share: n', the curve over m there, and their parts.

    A covariance is a sum of `Parts`, of which only the factors differ between processes. At n' a
    point that is a spike among its neighbours, and at no other n, is none of the curve.
    """

    def __init__(self, points: Points, scaling: Scaling = SAME, prior: Prior = PRIOR) -> None:
        self.reference = points.reference
        first = np.argsort(points.n != self.reference, kind="stable")
        self.points, self.scaling, self.prior = points.at(first), scaling, prior
        self.reference_count = int((points.n == self.reference).sum())
        self.is_spike = spikes(self.points.n, self.points.m, self.points.seconds)
        reference_points = self.points.at(slice(self.reference_count))
        order = np.argsort(reference_points.m, kind="stable")
        smooth = ~self.is_spike[: self.reference_count][order]
        self._sizes, curve = (
            _logarithm(reference_points.m[order]),
            np.log(reference_points.seconds[order]),
        )
        self._curve = np.interp(self._sizes, self._sizes[smooth], curve[smooth])
        self._shares = _byte_shares(self._sizes, self._curve)
        every = self._size(self.points.n, self.points.m)
        self._ends = every.min(), every.max()

    @cached_property
    def among(self) -> Parts:
        """Parts of the points with themselves, each of shape (k, k)."""
        return self.parts(self.points.n, self.points.m)

    def parts(self, n: Floats, m: Floats) -> Parts:
        """Parts of the covariance of others (q,) with the points, each of shape (q, k)."""
        return self.parts_of(n, m, self.points.n, self.points.m)

    def parts_of(self, n: Floats, m: Floats, to_n: Floats, to_m: Floats) -> Parts:
        """The same of any (q,) with any (k,)."""
        prior = self.prior
        size, to_size = self._size(n, m), self._size(to_n, to_m)
        octaves = np.abs(self._octave(size)[:, None] - self._octave(to_size))
        share, to_share = self._share(size), self._share(to_size)
        way, to_way = self._way(n), self._way(to_n)
        bytes_way, to_bytes_way = self._bytes_way(n), self._bytes_way(to_n)
        both = self._grown(
            _between(way, bytes_way, share)[:, None], _between(to_way, to_bytes_way, to_share)
        )
        near = np.exp(-octaves / prior.octaves)
        of_class = np.outer(_power_of_two(n), _power_of_two(to_n))
        return Parts(
            level=prior.level**2 * np.exp(-octaves / prior.level_octaves),
            startups=self._grown(way[:, None], to_way) * np.outer(1 - share, 1 - to_share),
            bytes=self._grown(bytes_way[:, None], to_bytes_way) * np.outer(share, to_share),
            sizes=both * near,
            classes=prior.power_of_two**2 * of_class * near,
            counts=(n[:, None] == to_n) * near,
        )

    def variance(self, n: Floats, m: Floats) -> Parts:
        """Parts of each with itself; shape (q,). Beyond the sizes measured the level is lost."""
        prior, size = self.prior, self._size(n, m)
        share, way, bytes_way = self._share(size), self._way(n), self._bytes_way(n)
        both = _between(way, bytes_way, share)
        beyond = np.abs(size / np.log(2.0) - self._octave(size))
        lost = 2 * (1 - np.exp(-beyond / prior.level_octaves))
        return Parts(
            level=prior.level**2 * (1 + lost),
            startups=self._grown(way, way) * (1 - share) ** 2,
            bytes=self._grown(bytes_way, bytes_way) * share**2,
            sizes=self._grown(both, both),
            classes=np.full(share.shape, prior.power_of_two**2),
            counts=np.ones(share.shape),
        )

    def lost_level(self, n: Floats, m: Floats) -> Floats:
        """What levels of sizes beyond those measured have in common besides; shape (q, q).

        Of the way from the nearest size measured, since there nothing new is known.
        """
        prior, size = self.prior, self._size(n, m)
        way = size / np.log(2.0) - self._octave(size)
        kept = np.exp(-np.abs(way) / prior.level_octaves)
        apart = np.exp(-np.abs(way[:, None] - way) / prior.level_octaves)
        same = np.sign(way)[:, None] == np.sign(way)
        return np.asarray(prior.level**2 * same * (1 + apart - kept[:, None] - kept))

    def doubt_of_one_size(self, usual: Usual) -> float:
        """Return the doubt about a single size's exponent: start-ups or bytes may take its time."""
        if self._sizes.size > 1 or not _is_sized(self._sizes[0]):
            return 0.0
        startups, volume = (np.diff(logarithm)[0] for logarithm in usual.logarithms(self._doubled))
        return float(abs(volume - startups) / 2 / self._way(self._doubled)[1])

    @property
    def _doubled(self) -> Floats:
        return np.asarray(self.reference * np.array([1.0, 2.0]))

    def usual(self, usual: Usual, n: Floats, m: Floats) -> Floats:
        """Logarithm of the time before a process is bent to the points; shape of `n` and `m`."""
        size, per_node = self._size(n, m), self.scaling.per_node
        share = self._share(size)
        here = usual.logarithms(n, per_node)
        at_reference = usual.logarithms(np.array(self.reference), per_node)
        smaller = self.scaling.shift * np.log(n / self.reference)  # m, than what corresponds at n'
        growth = (1 - share) * np.exp(here[0] - at_reference[0])
        growth += share * np.exp(here[1] - at_reference[1] - smaller)
        return self._over_sizes(size) + np.log(growth)

    def byte_share(self, m: ArrayLike) -> Floats:
        """Share of the time at n' that goes with the bytes; shape of `m`."""
        return self._share(_logarithm(m))

    def _size(self, n: Floats, m: Floats) -> Floats:
        """Logarithm of the size at n' that corresponds to `m` at `n`; nothing does to none."""
        shift = self.scaling.shift * np.log(n / self.reference)
        return np.asarray(_logarithm(m) + np.where(m > 0, shift, 0.0))

    def _share(self, size: Floats) -> Floats:
        return np.asarray(np.interp(size, self._sizes, self._shares))

    def _over_sizes(self, size: Floats) -> Floats:
        """Logarithm of the time at n'; beyond the sizes measured bytes alone change it."""
        beyond = np.exp(size - np.clip(size, self._sizes[0], self._sizes[-1]))
        share = self._share(size)
        share = np.where(size < self._sizes[0], np.minimum(share, _MOST_OF_BYTES), share)
        level = np.interp(size, self._sizes, self._curve)
        return np.asarray(level + np.log(1 - share + share * beyond))

    def _grown(self, first: Floats, second: Floats) -> Floats:
        """Covariance of the growth over two ways by an exponent of variance 1, broadcast."""
        lasting, drift = self.prior.lasting, self.prior.drift
        return np.asarray(lasting * first * second + (1 - lasting) * _drifted(first, second, drift))

    def _way(self, n: Floats) -> Floats:
        """Logarithm of the growth from n' to `n`."""
        return np.asarray(np.log((n - 1.0) / (self.reference - 1.0)))

    def _bytes_way(self, n: Floats) -> Floats:
        """Logarithm of the growth of the bytes for other nodes, or of all."""
        per_node = self.scaling.per_node
        return np.asarray(np.log((n - per_node) / (self.reference - per_node)))

    def _octave(self, size: Floats) -> Floats:
        """Return the octave of the nearest measured size: sizes beyond them share it."""
        return np.asarray(np.clip(size, *self._ends) / np.log(2.0))


def _between(startups: Floats, volume: Floats, share: Floats) -> Floats:
    return (1 - share) * startups + share * volume


def _logarithm(m: ArrayLike) -> Floats:
    """Return the logarithm of a size; an empty message lies far below all others."""
    return np.asarray(np.log(np.maximum(np.asarray(m, float), np.finfo(float).tiny)))


def _is_sized(logarithm: float) -> bool:
    """Whether that of a size is of a message that is not empty."""
    return bool(logarithm >= 0)


def _power_of_two(n: Floats) -> Floats:
    """1 for powers of two, -1 for others."""
    whole = np.asarray(n).astype(int)
    return np.where(whole & (whole - 1) == 0, 1.0, -1.0)


def _drifted(first: Floats, second: Floats, length: float) -> Floats:
    """Double integral of exp(-|w-w'| / length) from 0 to `first` and to `second`, broadcast."""
    ways = np.abs(first) / length, np.abs(second) / length
    kept = np.exp(-ways[0]), np.exp(-ways[1])
    far, near = np.minimum(*kept), np.maximum(*kept)  # of the longer way and of the shorter
    same = 2 * np.minimum(*ways) + near + far - far / near - 1
    apart = -(1 - near) * (1 - far)
    return np.asarray(length**2 * np.where(np.sign(first) * np.sign(second) >= 0, same, apart))


def _byte_shares(sizes: Floats, curve: Floats) -> Floats:
    """Slope of log time over log size at each size (k,), from 0 to 1.

    By the sizes near it. What bytes take of a small size is bounded by what they take at most of a
    larger one: noise makes slopes as well.
    """
    if sizes.size == 1:
        return np.array([0.5 if _is_sized(sizes[0]) else 0.0])
    shares = np.empty(sizes.size)
    for place, size in enumerate(sizes):
        apart = np.abs(sizes - size)
        near = apart <= max(_NEIGHBOURS * np.log(2.0), np.sort(apart)[1]) * (1 + 1e-9)
        slope = np.polyfit(sizes[near] - size, curve[near], 1)[0]
        larger = curve[place:] - curve[place] - (sizes[place:] - size)
        shares[place] = np.clip(min(slope, _MOST_PER_BYTE * np.exp(larger.min())), 0.0, 1.0)
    return shares
