"""pLogP parameters from times of collective algorithms, where no message was timed by itself.

Source: the idea of parameters of an algorithm's own, found from times of the collective operation,
is that of Nuriyev, Lastovetsky, IEEE Access 9, 2021, there for Hockney's model.
Idea: closed forms are linear, or linear in pieces, in the latency L and the values of the gap at
knots; so times of algorithms over sizes say what L and g were. g starts above zero and never falls.
Found by least squares of the logarithm of predicted over measured time, so that every point counts
by its relative error, and robustly: an error far above 10 % counts by its amount, not its square.
What times leave open (a binomial tree on a power of two tells L + g(m), not L) is taken from other
parameters: those given as `towards`, or Hockney's line through the same times.
Cost: knots x iterations evaluations of the closed forms; some tenths of a second.
Restrictions: the parameters are effective ones. They hold what pLogP does not know, contention and
copying at the n that was measured, as if it were a property of the network.
"""

from collections.abc import Callable, Sequence

import numpy as np

from contend.base.document import Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.schedules.fitting.series import Series
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.predict import asked_sizes

ROBUST_FROM = 0.1  # relative error from which a point is taken for an outlier
HOLD = 0.03  # weight of `towards` against a point: decides only what the points leave open
_FARTHEST = 1e4  # factor by which a parameter may leave what it starts from
_CLOSEST = 1.5  # least ratio of neighbouring knots
_STARTS = (0.1, 1.0, 10.0)  # of L: which path is critical changes with it, so there are valleys
_NO_TIME = 1e-12  # seconds; stands for 0, of which there is no logarithm


def fit(series: Sequence[Series], towards: PLogP | None = None) -> PLogP:
    """Latency and gap with which the closed forms give the times of all `series`.

    Raises InvalidInputError when there are fewer than two points.
    """
    points = sum(row.m.size for row in series)
    if points < 2:
        raise InvalidInputError(f"{points} time of an algorithm", "measure more sizes")
    return _fitted(series, knots(series), towards or line(series))


def line(series: Sequence[Series]) -> PLogP:
    """Hockney's line: L = alpha / 2 and g(m) = alpha / 2 + beta m, the best for the times."""
    sizes = np.array([0.0, 1.0, max(float(row.m.max()) for row in series) + 2])

    def straight(logarithms: Floats) -> PLogP:
        half, beta = np.exp(logarithms)
        return _plogp(half, sizes, half + beta * sizes)

    seconds = np.concatenate([row.seconds for row in series])
    m = np.concatenate([row.m for row in series])
    ranks = max(row.n for row in series)
    start = np.log([seconds.min() / ranks, (seconds / np.maximum(m, 1)).min() / ranks])
    return straight(_least(lambda values: _misfit(series, straight(values)), start)[0])


def knots(series: Sequence[Series]) -> Floats:
    """Sizes of the table: those measured, and as many beyond as the closed forms ask for."""
    measured = np.unique(np.concatenate([row.m for row in series])).astype(np.float64)
    asked = [_asked(row) for row in series]
    low, high = min(pair[0] for pair in asked), max(pair[1] for pair in asked)
    sizes = _thinned(measured[measured > 0]) or [max(high, 1.0)]
    ratio = float(np.median(np.divide(sizes[1:], sizes[:-1]))) if sizes[1:] else 4.0
    while sizes[0] > max(low, 1.0):
        sizes.insert(0, max(sizes[0] / ratio, low, 1.0))
    while sizes[-1] < high:
        sizes.append(sizes[-1] * ratio)
    empty = [0.0] if low == 0 else []
    return np.array([*empty, *sizes])


def relative_errors(series: Sequence[Series], plogp: PLogP) -> Floats:
    """Predicted over measured less one, of all points in order."""
    return np.concatenate([row.predicted(plogp) / row.seconds - 1 for row in series])


def _asked(series: Series) -> tuple[float, float]:
    probe = _plogp(0.0, np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    return asked_sizes(series.predicted, probe)


def _thinned(sizes: Floats) -> list[float]:
    """Ascending sizes without those too close to the one before."""
    kept: list[float] = []
    for size in sizes.tolist():
        if not kept or size >= _CLOSEST * kept[-1]:
            kept.append(size)
    return kept


def _fitted(series: Sequence[Series], sizes: Floats, towards: PLogP) -> PLogP:
    """The best parameters, which differ from `towards` only as far as the times ask for it."""
    latency = max(float(towards.latency), _NO_TIME)
    gap = np.maximum(towards.gap_at(sizes), _NO_TIME)
    steps = np.maximum(np.diff(gap, prepend=0.0), gap / _FARTHEST)

    def parameters(logarithms: Floats) -> PLogP:
        """Parameters: L, g at the first knot, and the growth of g from each knot to the next."""
        return _plogp(np.exp(logarithms[0]), sizes, np.cumsum(np.exp(logarithms[1:])))

    def residuals(logarithms: Floats) -> Floats:
        plogp = parameters(logarithms)
        values = np.array([float(plogp.latency), *plogp.gap.array])
        pull = HOLD * np.log(values / [latency, *gap])
        return np.concatenate([_misfit(series, plogp), pull])

    starts = [np.log([latency * share, *steps]) for share in _STARTS]
    fits = [_least(residuals, start) for start in starts]
    return parameters(min(fits, key=lambda fit: fit[1])[0])


def _misfit(series: Sequence[Series], plogp: PLogP) -> Floats:
    """Logarithm of predicted over measured time of all points."""
    return np.concatenate(
        [np.log(np.maximum(row.predicted(plogp), _NO_TIME) / row.seconds) for row in series]
    )


def _least(residuals: Callable[[Floats], Floats], start: Floats) -> tuple[Floats, float]:
    """Where the robust sum of squares is least, and that sum."""
    from scipy.optimize import least_squares

    far = np.log(_FARTHEST)
    result = least_squares(
        residuals, start, bounds=(start - far, start + far), loss="soft_l1", f_scale=ROBUST_FROM
    )
    return result.x, float(result.cost)


def _plogp(latency: float, sizes: Floats, gap: Floats) -> PLogP:
    return PLogP(
        latency=Quantity(value=float(latency), unit="s"),
        size=Quantity(value=tuple(sizes.tolist()), unit="B"),
        gap=Quantity(value=tuple(gap.tolist()), unit="s"),
        method="schedules",
    )
