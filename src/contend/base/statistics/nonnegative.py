"""Coefficients that cannot be negative, by the logarithm of fitted over observed.

Source: Huber, "Robust Statistics", 1981 (the loss); Lawson, Hanson 1974, ch. 23 (the steps).
Idea: times have errors in proportion to their size, so the logarithm of the ratio is what counts.
Weights of 1/observed^2 would favour what was observed too small, and bias every coefficient down.
A ratio beyond `ROBUST_FROM` counts by its amount, not by its square: a lost packet that waits for a
time-out makes a time several times as long. Newton's method; each step is a least squares problem
with non-negative coefficients, and a step that does not improve is halved.
Proof: with r = log(fitted / observed), the square of r is convex in the fitted value up to r = 1,
so the loss is convex where no r exceeds `ROBUST_FROM`. A minimum of a loss below that of one such r
is therefore the only one. Others are the best of several starts, lines through some of the points
among them.
"""

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from contend.base.document import Floats

ROBUST_FROM = 0.3  # logarithm of a ratio; 30 % is more than repetitions without losses differ
_LEAST = 1e-12  # stands for a fitted value of 0 or below, of the observed
_STEPS = 100
_HALVINGS = 30
_SAME = 1e-9  # relative difference of the losses of one optimum
_CLOSE = 1e-14  # relative improvement of the loss that ends the search
STARTS = 24  # where the best is not proven
_IN_VAIN = 5  # starts in a row that lead to nothing better, after which there are no more


def loss(residuals: Floats) -> float:
    """Sum of the squares of logarithms, beyond `ROBUST_FROM` of what they amount to."""
    size = np.abs(residuals)
    tails = 2 * ROBUST_FROM * size - ROBUST_FROM**2
    return float(np.where(size <= ROBUST_FROM, size**2, tails).sum())


def logarithms(design: Floats, observed: Floats, fixed: Floats, coefficients: Floats) -> Floats:
    """Logarithm of fitted over observed, (N,); a fitted value is at least 1e-12 of the observed."""
    ratios: Floats = np.log(np.maximum((fixed + design @ coefficients) / observed, _LEAST))
    return ratios


def nonnegative(design: Floats, observed: Floats, fixed: Floats, starts: int = STARTS) -> Floats:
    """The (k,) that `fixed` (N,) + `design` (N, k) times them is closest to `observed` (N,) with.

    Observations are positive. A column without any effect has a coefficient of zero. Where the best
    is not proven as many `starts` are tried.
    """
    relative, offset = design / observed[:, None], fixed / observed
    norms = np.linalg.norm(relative, axis=0)
    relative = relative / np.where(norms > 0, norms, 1.0)
    best, least, in_vain = np.zeros(design.shape[1]), np.inf, 0
    for start in islice(_starts(relative, offset), starts):
        optimum, reached = _descend(relative, offset, start)
        in_vain = in_vain + 1 if reached >= least * (1 - _SAME) else 0
        if reached < least:
            best, least = optimum, reached
        if least < ROBUST_FROM**2 or in_vain >= _IN_VAIN:
            break
    return np.where(norms > 0, best / np.where(norms > 0, norms, 1.0), 0.0)


def _starts(design: Floats, offset: Floats) -> Iterator[Floats]:
    """Least squares first; then one column alone, and exact fits of as many points as columns."""
    from scipy.optimize import nnls  # takes longer to import than most commands to run

    yield nnls(design, 1.0 - offset)[0]
    rest, columns = 1.0 - offset, range(design.shape[1])
    for column in columns:
        has_effect = design[:, column] > 0
        ratios = rest[has_effect] / design[has_effect, column]
        for share in (0.25, 0.5, 0.75) if ratios.size else ():
            start = np.zeros(design.shape[1])
            start[column] = max(float(np.quantile(ratios, share)), 0.0)
            yield start
    spread = np.unique(np.linspace(0, len(design) - 1, 6).astype(int)).tolist()
    for rows in combinations(spread, len(columns)):
        chosen = list(rows)
        yield nnls(design[chosen], rest[chosen])[0]


def _descend(design: Floats, offset: Floats, start: Floats) -> tuple[Floats, float]:
    """A local optimum from `start`, and its loss; the observations are all 1."""
    from scipy.optimize import nnls

    here, ones = start, np.ones(len(design))
    residuals = logarithms(design, ones, offset, here)
    reached = loss(residuals)
    for _ in range(_STEPS):
        slopes, curvatures = _derivatives(residuals)
        fitted = np.exp(residuals)
        roots = np.sqrt(curvatures) / fitted
        target = design @ here - fitted * slopes / curvatures
        step = nnls(design * roots[:, None], target * roots)[0] - here
        for _ in range(_HALVINGS):
            tried = logarithms(design, ones, offset, here + step)
            if (trial_loss := loss(tried)) < reached:
                break
            step = step / 2
        else:
            break
        is_close = reached - trial_loss <= _CLOSE * reached
        here, residuals, reached = here + step, tried, trial_loss
        if is_close:
            break
    return here, reached


def _derivatives(residuals: Floats) -> tuple[Floats, Floats]:
    """First and second derivative of half the loss by the fitted value, times it and its square.

    Where the loss is not convex the curvature of the parabola through the origin stands in.
    """
    slopes = np.clip(residuals, -ROBUST_FROM, ROBUST_FROM)
    size = np.abs(residuals)
    straight = np.where(size <= ROBUST_FROM, 1.0, ROBUST_FROM / np.maximum(size, ROBUST_FROM))
    curvatures = (size <= ROBUST_FROM) - slopes
    return slopes, np.where(curvatures > 0.25 * straight, curvatures, straight)
