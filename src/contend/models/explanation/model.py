"""Fit of a regime over all n at once: a family's counts, two costs, and terms of growth.

Formula: T = a S(n) A(n) + b V(n) B(n) m, where S and V are messages and bytes that a process sends
by the family, and A and B the factors of the terms on start-ups and on bytes. a and b are set by
the times at both ends of the regime per message at the first n; the least sum of squared logarithms
by Newton's method with Gauss's approximation.
Noise is that of a single point, and of all points of one n together: a launch may be faster or
slower as a whole (`LAUNCH`). Without that, growth over n would be read from one bad launch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contend.base.document import Floats
from contend.models.explanation.families import Family
from contend.models.explanation.terms import Term

LAUNCH = 0.05  # of log time; what a launch is off by as a whole
_STEPS = 20
_RIDGE = 1e-8
_FARTHEST = 6.0  # of the logarithm of a parameter
_LEAST = 1e-2  # of a measured time, which no fitted one is below


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
        is_of = np.arange(self.counts.size)[:, None] == self.place
        return np.asarray(is_of / is_of.sum(axis=1)[:, None])

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
            if term.name == "fixed":
                return float(np.expm1(value)) * self.startup * self.first_sent
        return 0.0

    @property
    def is_forwarded(self) -> bool:
        return not self.family.is_direct

    @property
    def title(self) -> str:
        return self.family.title

    @property
    def byte_deviation(self) -> float:
        """Standard deviation of the logarithm of b."""
        by_ends = self.ends * [-1.0, 1.0] / max(float(self.ends[1] - self.ends[0]), 1e-300)
        return float(np.sqrt(by_ends @ self.covariance[:2, :2] @ by_ends))

    def deviation(self, number: int) -> float:
        """Standard deviation of the parameter of a term."""
        return float(np.sqrt(self.covariance[2 + number, 2 + number]))

    def byte_factors(self) -> Floats:
        """Product of all terms on bytes at each n, shape (n_counts,)."""
        logs = [
            term.curve(float(value))[0]
            for term, value in zip(self.terms, self.parameters, strict=True)
            if term.on != "startups"
        ]
        return np.exp(np.sum(logs, axis=0)) if logs else np.ones(1)

    def effect(self, number: int, place: np.ndarray) -> Floats:
        """Logarithm by which a term makes each time longer, shape (k,)."""
        term = self.terms[number]
        curve = term.curve(float(self.parameters[number]))[0]
        return np.asarray(curve[place] * term.share(self.bytes_share))


def fit(points: Points, family: Family, terms: tuple[Term, ...]) -> Fit:
    """The best fit of a family with terms of growth to the points of a regime."""
    messages, volume = family.sent(points.counts)
    more = float(np.exp(np.mean(np.log(volume / messages))))  # so that b starts near its end
    sent = messages[points.place], volume[points.place] * points.sizes / more
    low, high = float(points.sizes.min()), float(points.sizes.max())
    width = max(high - low, 1.0)

    def model(state: Floats) -> tuple[Floats, Floats, Floats]:
        """Logarithms of the times (k,), their derivatives (k, 2 + terms), shares of the bytes."""
        curves = [
            [part[points.place] for part in term.curve(float(value))]
            for term, value in zip(terms, state[2:], strict=True)
        ]
        startups, bytes_ = (
            sent[at] * np.exp(sum((curve[0] for term, curve in zip(terms, curves, strict=True)
                                   if term.on != other), np.zeros(1)))
            for at, other in ((0, "bytes"), (1, "startups"))
        )  # fmt: skip
        first, last = np.exp(state[:2])
        # a = first (1 + low / width) - last low / width, b = (last - first) / width
        of_first = first * (startups * (1 + low / width) - bytes_ / width)
        of_last = last * (bytes_ / width - startups * low / width)
        time = np.maximum(of_first + of_last, _LEAST * np.exp(points.logarithms))
        share = (last - first) / width * bytes_ / time
        columns = [of_first / time, of_last / time]
        columns += [t.share(share) * curve[1] for t, curve in zip(terms, curves, strict=True)]
        jacobian = np.stack(columns, axis=1)
        jacobian[of_first + of_last < time] = 0.0
        return np.log(time), jacobian, share

    starts = points.logarithms - np.log(sent[0])
    first, last = (float(np.mean(starts[points.sizes == end])) for end in (low, high))
    state = np.array([first, last, *([0.0] * len(terms))])
    state, error, covariance = _least_squares(points, model, state)
    fitted, _, share = model(state)
    ends = np.exp(state[:2])
    per_byte = float(ends[1] - ends[0]) / width
    return Fit(
        family, terms, state[2:], float(ends[0]) - per_byte * low, per_byte / more, error,
        covariance, np.clip(share, 0.0, 1.0), points.logarithms - fitted, ends, float(messages[0]),
    )  # fmt: skip


def _least_squares(
    points: Points, model: Callable[[Floats], tuple[Floats, ...]], state: Floats
) -> tuple[Floats, float, Floats]:
    """State of least squares by Levenberg and Marquardt's steps, its squares and covariance."""
    damping = 1e-3
    fitted, jacobian, *_ = model(state)
    residuals = points.whitened(points.logarithms - fitted)
    for _ in range(_STEPS):
        columns = points.whitened(jacobian)
        normal = columns.T @ columns
        diagonal = np.diag(normal) + _RIDGE * normal.max()
        step = np.linalg.solve(normal + np.diag(damping * diagonal), columns.T @ residuals)
        trial = state + np.clip(step, -1.0, 1.0)
        trial[2:] = np.clip(trial[2:], -_FARTHEST, _FARTHEST)
        fitted, trial_jacobian, *_ = model(trial)
        errors = points.whitened(points.logarithms - fitted)
        gain = float(residuals @ residuals - errors @ errors)
        if gain < 0:
            damping *= 10
            continue
        state, residuals, jacobian, damping = trial, errors, trial_jacobian, damping / 5
        if gain < 1e-4:
            break
    columns = points.whitened(jacobian)
    normal = columns.T @ columns + _RIDGE * np.eye(state.size)
    return state, float(residuals @ residuals), np.asarray(np.linalg.pinv(normal), np.float64)
