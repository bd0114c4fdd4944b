"""Fit of a regime over all n at once: a family's counts, two costs, and terms of growth.

Formula: T = a S(n) A(n) + b V(n) B(n) m, where S and V are messages and bytes that a process sends
by the family, and A and B the factors of the terms on start-ups and on bytes. a and b are told by
the times at both ends of the regime per message at the first n; the least sum of squared logarithms
by Newton's method with Gauss's approximation.
Noise is that of a single point, and of all points of one n together: a launch may be faster or
slower as a whole (`LAUNCH`). Without that, growth over n would be read from one bad launch.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contend.document import Floats
from contend.structure.families import Family, families
from contend.structure.growth import Term

LAUNCH = 0.05  # of log time; what a launch is off by as a whole
FORWARDED = -0.25  # exponent by which start-ups grow less than n-1 where they are forwarded
_STEPS = 20
_RIDGE = 1e-8
_FARTHEST = 6.0  # of the logarithm of a cost or of a parameter, in a step and in all


@dataclass(frozen=True)
class Points:
    """Logarithms of the times of a regime, with the place of the n and the size of each (k,).

    `noise` is the standard deviation of a point where `trust` (n_counts,) is 1.
    """

    counts: Floats
    place: np.ndarray
    sizes: Floats
    logarithms: Floats
    noise: float
    trust: Floats

    @cached_property
    def _means(self) -> Floats:
        """What takes the mean of each n, shape (n_counts, k)."""
        own = np.arange(self.counts.size)[:, None] == self.place
        return np.asarray(own / own.sum(axis=1)[:, None])

    @cached_property
    def _shared(self) -> Floats:
        """What is taken off each point of the mean of its n, shape (k,)."""
        ratio = np.bincount(self.place) * (LAUNCH * self.trust / self.noise) ** 2
        return np.asarray((1 - 1 / np.sqrt(1 + ratio))[self.place])

    def whitened(self, values: Floats) -> Floats:
        """Columns (k, ...) such that errors of points and of launches have variance 1."""
        common = (self._means @ values)[self.place]
        shape = (-1, *([1] * (values.ndim - 1)))
        shared, trust = self._shared.reshape(shape), self.trust[self.place].reshape(shape)
        return np.asarray((values - shared * common) * trust / self.noise)


@dataclass(frozen=True)
class Fit:
    """A fitted model: parameters of its terms, its costs, and how far off it is.

    `error` is the weighted sum of squares; `covariance` that of (log times at both ends, terms);
    `bytes_share` the share of bytes in each time and `errors` the logarithm of measured over fitted
    (k,); `ends` are the times of a message at both ends of the regime, `first_sent` the messages
    of a process at the first n.
    """

    family: Family
    terms: tuple[Term, ...]
    parameters: Floats
    startup: float
    per_byte: float
    error: float
    covariance: Floats
    bytes_share: Floats
    errors: Floats
    ends: Floats
    first_sent: float

    @property
    def fixed(self) -> float:
        """Seconds that do not depend on n, beside start-ups that grow; 0 without such a term."""
        for term, value in zip(self.terms, self.parameters, strict=True):
            if term.kind == "fixed":
                return float(np.expm1(value)) * self.startup * self.first_sent
        return 0.0

    @property
    def is_forwarded(self) -> bool:
        """Whether start-ups grow with n much less than n-1, by the family or by a power."""
        return not self.family.is_direct or self.startup_exponent < FORWARDED

    @property
    def title(self) -> str:
        """Of the family whose start-ups these grow like."""
        return families()[1 if self.is_forwarded else 0].title

    @property
    def startup_exponent(self) -> float:
        """The power of n-1 by which start-ups grow beyond those of the family."""
        return self._exponent("startups")

    @property
    def byte_exponent(self) -> float:
        """The same of bytes."""
        return self._exponent("bytes")

    def _exponent(self, on: str) -> float:
        return sum(
            float(parameter)
            for term, parameter in zip(self.terms, self.parameters, strict=True)
            if term.kind == "power" and term.on in (on, "all")
        )

    @property
    def slope_by_ends(self) -> Floats:
        """Derivative of the logarithm of b by the logarithms of the times at both ends, (2,)."""
        low, high = float(self.ends[0]), float(self.ends[1])
        return np.array([-low, high]) / max(high - low, 1e-300)

    def deviation(self, number: int) -> float:
        """Standard deviation of the parameter of a term."""
        return float(np.sqrt(self.covariance[2 + number, 2 + number]))

    def factors(self, on: str) -> Floats:
        """Of all terms on start-ups or on bytes at each n, shape (n_counts,)."""
        logs = [
            term.curve(float(value))[0]
            for term, value in zip(self.terms, self.parameters, strict=True)
            if term.on in (on, "all")
        ]
        return np.exp(np.sum(logs, axis=0)) if logs else np.ones(1)


def fit(points: Points, family: Family, terms: tuple[Term, ...]) -> Fit:
    """The best fit of a family with terms of growth to the points of a regime."""
    messages, volume = (np.log(counted) for counted in family.sent(points.counts))
    more = float(np.mean(volume - messages))  # bytes per message, so that b starts near its end
    sent = [messages[points.place], volume[points.place] - more]
    low, high = float(points.sizes.min()), float(points.sizes.max())
    width = max(high - low, 1.0)
    own = points.logarithms - sent[0]
    first, last = (float(np.mean(own[points.sizes == end])) for end in (low, high))
    state = np.array([first, last, *([0.0] * len(terms))])
    aim, damping = np.inf, 1e-3
    accepted = _model(points, terms, state, sent, low, width)
    for _ in range(_STEPS):
        fitted, jacobian = accepted
        left = points.whitened(points.logarithms - fitted)
        aim = float(left @ left)
        columns = points.whitened(jacobian)
        normal = columns.T @ columns
        diagonal = np.diag(normal) + _RIDGE * normal.max()
        step = np.linalg.solve(normal + np.diag(damping * diagonal), columns.T @ left)
        trial = state + np.clip(step, -1.0, 1.0)
        trial[2:] = np.clip(trial[2:], -_FARTHEST, _FARTHEST)
        found = _model(points, terms, trial, sent, low, width)
        errors = points.whitened(points.logarithms - found[0])
        if float(errors @ errors) <= aim:
            is_done = aim - float(errors @ errors) < 1e-4
            state, accepted, damping = trial, found, damping / 5
            if is_done:
                break
        else:
            damping *= 10
    fitted, jacobian = accepted
    left, columns = points.whitened(points.logarithms - fitted), points.whitened(jacobian)
    normal = columns.T @ columns
    covariance = np.asarray(np.linalg.pinv(normal + _RIDGE * np.eye(len(normal))), np.float64)
    startup, per_byte = _costs(state, low, width)
    share = np.clip(_bytes_share(points, terms, state, sent, startup, per_byte), 0.0, 1.0)
    return Fit(
        family, terms, state[2:], startup, per_byte / np.exp(more), float(left @ left),
        covariance, share,
        points.logarithms - fitted, np.exp(state[:2]),
        float(family.sent(points.counts)[0][0]),
    )  # fmt: skip


def _costs(state: Floats, low: float, width: float) -> tuple[float, float]:
    """Costs a and b of the line by its times at both ends."""
    ends = np.exp(state[:2])
    per_byte = float((ends[1] - ends[0]) / width)
    return float(ends[0] - per_byte * low), per_byte


def _logs(
    points: Points, terms: tuple[Term, ...], state: Floats, sent: list[Floats]
) -> tuple[Floats, Floats, list[Floats]]:
    """Logarithms of what stands beside a and b, shape (k,), and derivatives of the terms."""
    startups, volume, slopes = sent[0], sent[1], []
    for term, value in zip(terms, state[2:], strict=True):
        logarithm, slope = (curve[points.place] for curve in term.curve(float(value)))
        startups = startups + logarithm * (term.on != "bytes")
        volume = volume + logarithm * (term.on != "startups")
        slopes.append(slope)
    return startups, volume, slopes


def _model(
    points: Points, terms: tuple[Term, ...], state: Floats, sent: list[Floats], low: float,
    width: float,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Logarithms of the times (k,) and their derivatives (k, 2 + terms)."""
    startups, volume, slopes = _logs(points, terms, state, sent)
    ends = np.exp(state[:2])
    grown = np.exp(startups), np.exp(volume) * points.sizes
    # a = first (1 + low / width) - last low / width, b = (last - first) / width
    of_first = ends[0] * (grown[0] * (1 + low / width) - grown[1] / width)
    of_last = ends[1] * (grown[1] / width - grown[0] * low / width)
    time = of_first + of_last
    least = 1e-2 * np.exp(points.logarithms)
    is_cut = time < least
    time = np.maximum(time, least)
    bytes_ = (ends[1] - ends[0]) / width * grown[1]
    columns = [of_first / time, of_last / time]
    for term, slope in zip(terms, slopes, strict=True):
        share = {"all": time, "startups": time - bytes_, "bytes": bytes_}[term.on] / time
        columns.append(share * slope)
    jacobian = np.stack(columns, axis=1)
    jacobian[is_cut] = 0.0
    return np.log(time), jacobian


def _bytes_share(
    points: Points, terms: tuple[Term, ...], state: Floats, sent: list[Floats], startup: float,
    per_byte: float,
) -> Floats:  # fmt: skip
    """Share of the bytes in each time, shape (k,)."""
    startups, volume, _ = _logs(points, terms, state, sent)
    bytes_ = per_byte * np.exp(volume) * points.sizes
    return np.asarray(bytes_ / np.maximum(startup * np.exp(startups) + bytes_, 1e-300))
