"""How often a repetition has a time-out: a smooth share over n and m, with what is not known of it.

Source: regression of a binary outcome with the complementary log-log link (McCullagh, Nelder,
"Generalized Linear Models", 1989, section 4.3), random effects of launches and points, and
Laplace's approximation (Breslow, Clayton, J. of the American Statistical Association 88, 1993).
Idea: each of the many messages of an exchange may lose its last frames, none of them knowing of the
others; the repetition is free of time-outs if all messages are. The loss grows with what a port has
to take. A library that exchanges otherwise from some size on has another share from there on.
Formula: share = 1 - exp(-exp(y)), y = a + c (log(m/m0) + q log((n-1)/(n0-1))) + s [m >= S]
+ launch + point, where n0 and m0 are amid the points; launch and point are Gaussian. So where half
of the repetitions wait, m falls as (n-1)^-q. c and q are positive: the share never falls with n,
nor with m but at S.
Fitted: all of it at once by what is most probable. `USUAL` is what is believed before, which keeps
everything finite where no share lies between 0 and 1. The deviations of launches and points are
averaged over, by how well each explains the points, and so is S, one of the sizes or none.
Restrictions: shares of a campaign on one network; other traffic is not known of.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats
from contend.timeouts.record import TimeoutPoints

STRAY = 0.003  # repetitions that are told wrong, which no load explains
DEVIATIONS = (0.1, 0.3, 0.6, 1.2, 2.4)  # of launches and of points, tried
LIKELY_DEVIATION = 0.8  # scale of their half-normal prior
SWITCHING = 0.3  # of the libraries exchange otherwise from some size on, among those measured
FAINT = 0.01  # an S so much less probable than another is left out
TOLD = 0.8  # probability of an S that is spoken of
LEVEL = 0.90  # of the interval, as of all predictions of what is unseen
_ABSCISSAE, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
_STEPS = 60  # of Newton's method; a few are enough


@dataclass(frozen=True)
class Usual:
    """Prior of the parameters, mean and standard deviation; those of c and q of their logarithm."""

    level: tuple[float, float] = (0.0, 6.0)
    steepness: tuple[float, float] = (np.log(4.0), 0.5)
    exponent: tuple[float, float] = (np.log(1.5), 0.4)
    step: tuple[float, float] = (0.0, 6.0)


USUAL = Usual()


@dataclass(frozen=True)
class _Data:
    """Cells (k,): logarithms of n-1 and m from their middle, launch, point, trials and late."""

    over_n: Floats
    over_m: Floats
    m: Floats
    launch: np.ndarray
    point: np.ndarray
    trials: Floats
    late: Floats

    @property
    def effects(self) -> Floats:
        """Columns (k, launches + points), 1 where a cell is of it."""
        return np.hstack([np.eye(part.max() + 1)[part] for part in (self.launch, self.point)])


@dataclass(frozen=True)
class _Fit:
    """Most probable parameters and effects (p,), their covariance, and how probable the fit is."""

    value: Floats
    covariance: Floats
    evidence: float
    of_launch: float
    of_point: float
    switch: float


class Share:
    """The share of repetitions with a time-out, by `points`."""

    def __init__(self, points: TimeoutPoints) -> None:
        n, m = np.array(points.n, float), np.array(points.m, float)
        self._middle = float(np.mean(np.log(n - 1))), float(np.mean(np.log(m)))
        _, launch = np.unique(np.array([points.n, points.launch]), axis=1, return_inverse=True)
        self._seen, point = np.unique(np.array([n, m]), axis=1, return_inverse=True)
        self._data = _Data(
            *self._over(n, m),
            m,
            launch.ravel(),
            point.ravel(),
            np.array(points.repetitions, float),
            np.array(points.late, float),
        )
        self._fits = [
            _fit(self._data, switch, of_launch, of_point)
            for switch in self._switches()
            for of_launch in DEVIATIONS
            for of_point in DEVIATIONS
        ]
        weight = np.array([self._weight(one) for one in self._fits])
        self._weights = np.exp(weight - weight.max())
        self._weights /= self._weights.sum()

    @property
    def switch(self) -> float | None:
        """The size from which on the library exchanges otherwise; None for none that is told."""
        of_fit = np.array([one.switch for one in self._fits])
        told = [at for at in np.unique(of_fit) if self._weights[of_fit == at].sum() > TOLD]
        return float(told[0]) if told and np.isfinite(told[0]) else None

    def predict(self, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Share over all launches, and the ends of its interval of 90 %; shape (q,) each."""
        counts, sizes = (np.atleast_1d(np.asarray(one, float)) for one in (n, m))
        shares, weights = [], []
        for fit, weight in zip(self._fits, self._weights, strict=True):
            middle, deviation = self._linear(fit, counts, sizes)
            y = middle + deviation * _ABSCISSAE[:, None]
            over_launches = y[..., None] + fit.of_launch * _ABSCISSAE
            shares.append((1 - np.exp(-_power(over_launches))) @ _WEIGHTS)
            weights.append(weight * _WEIGHTS)
        values, weight = np.concatenate(shares), np.concatenate(weights)
        low, high = (_quantiles(values, weight, (1 + side * LEVEL) / 2) for side in (-1, 1))
        return np.asarray(weight @ values), low, high

    def half(self, n: ArrayLike) -> Floats:
        """Bytes of which half of the repetitions wait, but for S; shape of `n`."""
        level, steepness, exponent, _ = self._parameters()
        way = (np.log(np.log(2.0)) - level) / steepness
        over_n = np.log(np.asarray(n, float) - 1) - self._middle[0]
        return np.asarray(np.exp(self._middle[1] + way - exponent * over_n))

    def _parameters(self) -> Floats:
        """Level a, steepness c, exponent q and step s: the mean over the fits."""
        values = np.array([one.value[:4] for one in self._fits])
        values[:, 1:3] = np.exp(values[:, 1:3])
        return np.asarray(self._weights @ values)

    def _over(self, n: Floats, m: Floats) -> tuple[Floats, Floats]:
        tiny = np.finfo(float).tiny  # an empty message is far below all others
        return np.log(n - 1) - self._middle[0], np.log(np.maximum(m, tiny)) - self._middle[1]

    def _switches(self) -> list[float]:
        """The sizes S that are not faint, infinite for none."""
        middle = DEVIATIONS[len(DEVIATIONS) // 2]
        switches = [np.inf, *np.unique(self._data.m)[1:].tolist()]
        weight = [self._weight(_fit(self._data, at, middle, middle)) for at in switches]
        kept = np.array(weight) >= max(weight) + np.log(FAINT)
        return [at for at, is_kept in zip(switches, kept, strict=True) if is_kept]

    def _weight(self, fit: _Fit) -> float:
        """Logarithm of how probable a fit is; deviations tried are even on a logarithmic scale."""
        both = np.array([fit.of_launch, fit.of_point])
        prior = float(np.sum(np.log(both) - 0.5 * (both / LIKELY_DEVIATION) ** 2))
        others = np.unique(self._data.m).size - 1
        of_switch = SWITCHING / others if np.isfinite(fit.switch) else 1 - SWITCHING
        return fit.evidence + prior + float(np.log(of_switch))

    def _linear(self, fit: _Fit, n: Floats, m: Floats) -> tuple[Floats, Floats]:
        """Linear predictor y without the launch, and its standard deviation; shape (q,) each."""
        over_n, over_m = self._over(n, m)
        y, slopes = _trend(fit.value[:4], over_n, over_m, m >= fit.switch)
        is_seen = (n[:, None] == self._seen[0]) & (m[:, None] == self._seen[1])
        launches = self._data.launch.max() + 1
        columns = np.hstack([slopes, np.zeros((n.size, launches)), is_seen])
        variance = np.einsum("qi,ij,qj->q", columns, fit.covariance, columns)
        variance += np.where(is_seen.any(axis=1), 0.0, fit.of_point**2)
        return y + is_seen @ fit.value[4 + launches :], np.sqrt(variance)


@lru_cache(maxsize=64)
def share_of(points: TimeoutPoints) -> Share:
    """The share by these points, fitted once."""
    return Share(points)


def _trend(
    value: Floats, over_n: Floats, over_m: Floats, is_beyond: np.ndarray
) -> tuple[Floats, Floats]:
    """Linear predictor y without effects (k,), and its derivatives by the parameters (k, 4)."""
    steepness, exponent = np.exp(value[1]), np.exp(value[2])
    load = over_m + exponent * over_n
    y = value[0] + steepness * load + value[3] * is_beyond
    by_exponent = steepness * exponent * over_n
    slopes = [np.ones_like(y), steepness * load, by_exponent, is_beyond.astype(float)]
    return y, np.column_stack(slopes)


def _probability(y: Floats) -> tuple[Floats, Floats]:
    """Share of `y` and its derivative, with the stray repetitions."""
    power = _power(y)
    clear = np.exp(-power)
    return STRAY + (1 - 2 * STRAY) * (1 - clear), (1 - 2 * STRAY) * power * clear


def _power(y: Floats) -> Floats:
    return np.asarray(np.exp(np.clip(y, -30.0, 5.0)))


def _fit(data: _Data, switch: float, of_launch: float, of_point: float) -> _Fit:
    """The most probable parameters and effects for given deviations: damped Newton's method."""
    means, deviations = np.array([USUAL.level, USUAL.steepness, USUAL.exponent, USUAL.step]).T
    effects = data.effects
    launches = data.launch.max() + 1
    scale = np.full(effects.shape[1], of_point)
    scale[:launches] = of_launch
    precision = 1 / np.concatenate([deviations, scale]) ** 2
    centre = np.concatenate([means, np.zeros(scale.size)])
    is_beyond = data.m >= switch

    def at(value: Floats) -> tuple[float, Floats, Floats]:
        y, slopes = _trend(value[:4], data.over_n, data.over_m, is_beyond)
        chance, slope = _probability(y + effects @ value[4:])
        off = (value - centre) * precision
        fits = data.late * np.log(chance) + (data.trials - data.late) * np.log1p(-chance)
        columns = np.hstack([slopes, effects])
        spread = chance * (1 - chance)
        gradient = columns.T @ ((data.late - data.trials * chance) * slope / spread) - off
        weight = data.trials * slope**2 / spread
        information = (columns * weight[:, None]).T @ columns + np.diag(precision)
        return float(fits.sum() - 0.5 * off @ (value - centre)), gradient, information

    value, damping = centre, 1.0
    height, gradient, information = at(value)
    for _ in range(_STEPS):
        damped = information + damping * np.diag(np.diag(information))
        step = np.linalg.solve(damped, gradient)
        tried = at(value + step)
        if tried[0] < height:
            damping = min(damping * 4, 1e9)
            if np.abs(step).max() < 1e-9:
                break
            continue
        is_done = tried[0] - height < 1e-7 and damping < 1e-2
        value, damping = value + step, damping / 8
        height, gradient, information = tried
        if is_done:
            break
    _, logarithm = np.linalg.slogdet(information)
    evidence = height + 0.5 * float(np.log(precision).sum()) - 0.5 * float(logarithm)
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    return _Fit(value, covariance, evidence, of_launch, of_point, switch)


def _quantiles(values: Floats, weights: Floats, level: float) -> Floats:
    """The weighted quantile of each column of `values` (k, q)."""
    order = np.argsort(values, axis=0)
    reached = np.cumsum(weights[order], axis=0)
    place = np.argmax(reached >= level * reached[-1], axis=0)
    return np.asarray(np.take_along_axis(values, order, axis=0)[place, np.arange(values.shape[1])])
