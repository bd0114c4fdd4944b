"""How often a repetition has a time-out: a smooth share over n and m, with what is not known of it.

Source: regression of counts with random effects, see `contend.models.timeouts.regression`.
Idea: each of the many messages of an exchange may lose its last frames, none of them knowing of the
others; the repetition is free of time-outs if all messages are. The loss grows with what a port has
to take. A library that exchanges otherwise from some size on has another share from there on.
Formula: share = 1 - exp(-exp(y)), y = a + c (log m + q log(n-1)) + s [m >= S] + launch + point. So
where half of the repetitions wait, m falls as (n-1)^-q. c and q are positive: the share never falls
with n, nor with m but at S.
Fitted: all of it at once by what is most probable. The deviations of launches and points are
averaged over, by how well each explains the counts, and so is S, one of the sizes or none. What a
prediction may be is drawn from what parameters and effects may be; launches are averaged over, and
the effect of a point that was not measured is any.
Restrictions: shares of a campaign on one network; other traffic is not known of.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.models.timeouts.record import TimeoutPoints
from contend.models.timeouts.regression import PARAMETERS, Cells, Fit, fit, losses, trend

DEVIATIONS = (0.15, 0.4, 1.0, 2.5)  # of launches and of points, tried
LIKELY_DEVIATION = 0.8  # scale of their half-normal prior
SWITCHING = 0.3  # of the libraries exchange otherwise from some size on, among those measured
FAINT = 0.01  # an S so much less probable than another is left out
REPORTED = 0.8  # probability from which an S is reported
LEVEL = 0.90  # of the interval, as of all predictions of what is unseen
DRAWS = 1000
_SEED = 1  # of the draws; a prediction repeats itself
_ABSCISSAE, _WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Share:
    """The share of repetitions with a time-out, by `points`."""

    def __init__(self, points: TimeoutPoints) -> None:
        n, m = np.array(points.n, float), np.array(points.m, float)
        self._middle = float(np.mean(np.log(n - 1))), float(np.mean(np.log(m)))
        _, launch = np.unique(np.array([points.n, points.launch]), axis=1, return_inverse=True)
        self._seen, point = np.unique(np.array([n, m]), axis=1, return_inverse=True)
        counts = np.array(points.repetitions, float), np.array(points.late, float)
        self._cells = Cells(*self._over(n, m), m, launch.ravel(), point.ravel(), *counts)
        fits = [
            fit(self._cells, switch, of_launch, of_point)
            for switch in self._switches()
            for of_launch in DEVIATIONS
            for of_point in DEVIATIONS
        ]
        weight = np.array([self._weight(fit) for fit in fits])
        probable = np.exp(weight - weight.max())
        self._draw(fits, probable / probable.sum())

    @property
    def switch(self) -> float | None:
        """Size from which on the library exchanges otherwise; None where none is probable."""
        sizes, counts = np.unique(self._switch, return_counts=True)
        probable = sizes[(counts > REPORTED * self._switch.size) & np.isfinite(sizes)]
        return float(probable[0]) if probable.size else None

    def predict(self, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Share over all launches, and the ends of its interval of 90 %; shape (q,) each.

        The share is the mean of what it may be. Where that is far from even, the interval reaches
        to it.
        """
        counts, sizes = np.broadcast_arrays(
            *(np.atleast_1d(np.asarray(values, float)) for values in (n, m))
        )
        over_n, over_m = (row[:, None] for row in self._over(counts, sizes))
        y = trend(self._value, over_n, over_m, sizes[:, None] >= self._switch)
        is_seen = (counts[:, None] == self._seen[0]) & (sizes[:, None] == self._seen[1])
        of_point = is_seen.astype(float) @ self._of_seen
        y += np.where(is_seen.any(axis=1)[:, None], of_point, self._of_unseen)
        shares = np.zeros_like(y)
        for at, weight in zip(_ABSCISSAE, _WEIGHTS, strict=True):  # over launches
            shares += weight * -np.expm1(-losses(y + at * self._of_launch))
        shares = np.minimum(shares, 1.0)  # rounding
        low, high = np.quantile(shares, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=1)
        share = np.asarray(shares.mean(axis=1))
        return share, np.minimum(low, share), np.maximum(high, share)

    def half(self, n: ArrayLike) -> Floats:
        """Bytes of which half of the repetitions wait, but for S; shape of `n`."""
        level, steepness, exponent = (
            float(np.median(values)) for values in (self._value[0], *np.exp(self._value[1:3]))
        )
        way = (np.log(np.log(2.0)) - level) / steepness
        over_n = np.log(np.asarray(n, float) - 1) - self._middle[0]
        return np.asarray(np.exp(self._middle[1] + way - exponent * over_n))

    def _over(self, n: Floats, m: Floats) -> tuple[Floats, Floats]:
        tiny = np.finfo(float).tiny  # an empty message is far below all others
        return np.log(n - 1) - self._middle[0], np.log(np.maximum(m, tiny)) - self._middle[1]

    def _switches(self) -> list[float]:
        """The sizes S that are not faint, infinite for none."""
        middle = DEVIATIONS[len(DEVIATIONS) // 2]
        switches = [np.inf, *np.unique(self._cells.m)[1:].tolist()]
        weight = [self._weight(fit(self._cells, at, middle, middle)) for at in switches]
        kept = np.array(weight) >= max(weight) + np.log(FAINT)
        return [at for at, is_kept in zip(switches, kept, strict=True) if is_kept]

    def _weight(self, fit: Fit) -> float:
        """Logarithm of how probable a fit is; deviations tried are even on a logarithmic scale."""
        both = np.array([fit.of_launch, fit.of_point])
        prior = float(np.sum(np.log(both) - 0.5 * (both / LIKELY_DEVIATION) ** 2))
        others = np.unique(self._cells.m).size - 1
        of_switch = SWITCHING / others if np.isfinite(fit.switch) else 1 - SWITCHING
        return fit.evidence + prior + float(np.log(of_switch))

    def _draw(self, fits: list[Fit], probable: Floats) -> None:
        """Parameters (4, draws) and effects, as many of each fit as it is probable."""
        rng = np.random.default_rng(_SEED)
        counts = np.diff(np.round(np.cumsum(probable) * DRAWS).astype(int), prepend=0)
        values = []
        for candidate, count in zip(fits, counts, strict=True):
            factor = np.linalg.cholesky(candidate.covariance)
            normal = rng.standard_normal((factor.shape[0], count))
            values.append(candidate.value[:, None] + factor @ normal)
        drawn = np.hstack(values)
        self._value, effects = drawn[:PARAMETERS], drawn[PARAMETERS:]
        self._of_seen = effects[self._cells.launches :]
        self._of_launch, of_point, self._switch = (
            np.repeat([getattr(fit, name) for fit in fits], counts)
            for name in ("of_launch", "of_point", "switch")
        )
        self._of_unseen = of_point * rng.standard_normal(of_point.size)


@lru_cache(maxsize=64)
def share_of(points: TimeoutPoints) -> Share:
    return Share(points)
