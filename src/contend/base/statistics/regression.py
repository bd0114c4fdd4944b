"""Fit of times by columns times coefficients that cannot be negative, with what it leaves open.

Every point counts by its relative error (`statistics.nonnegative`): times span orders of magnitude.
A cost per byte or per message below zero has no meaning.
Bounds are those of Student's t with the derivatives at the optimum, the variance that of Huber's
robust estimate (Robust Statistics, 1981, section 7.6). They tell the scatter of the points about
the fit; what launches differ by as a whole shows only over launches (`statistics.launches`).
"""

from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats, Quantity, Unit
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import WITHIN_LAUNCH, t_factor
from contend.base.statistics.nonnegative import ROBUST_FROM, STARTS, logarithms, loss, nonnegative

ROUNDING = 1e-12  # relative; an error below it says nothing about the fit

UNUSABLE = 0.5  # relative error of a fit above which it describes nothing


@dataclass(frozen=True)
class Regression:
    """Coefficients with their 95 % bounds (k,), covariance (k, k) and Akaike's criterion.

    `chosen` parameters beside the coefficients count in the degrees of freedom and the criterion,
    which leaves out a constant that depends on the observations alone.
    """

    coefficients: Floats
    low: Floats
    high: Floats
    covariance: Floats
    degrees_of_freedom: int
    aic: float

    def quantity(self, index: int, unit: Unit) -> Quantity:
        columns = (self.coefficients, self.low, self.high)
        value, low, high = (float(column[index]) for column in columns)
        return Quantity(value=value, unit=unit, low=low, high=high, bounds=WITHIN_LAUNCH)


def fit_times(
    design: Floats,
    observed: Floats,
    fixed: Floats | float = 0.0,
    chosen: int = 0,
    starts: int = STARTS,
) -> Regression:
    """Best fit of `observed` (N,) by `fixed` (N,) + `design` (N, k), no coefficient below zero.

    Parameters
    ----------
    chosen
        How many further parameters were chosen to fit, as the size from which times jump.
    starts
        Of the search for the best fit; one does where a poor fit is dropped anyway.

    >>> line = np.column_stack([np.ones(4), [1.0, 2.0, 4.0, 8.0]])
    >>> fit_times(line, line @ [3.0, 2.0]).coefficients.round(9).tolist()
    [3.0, 2.0]
    """
    if design.shape[0] <= design.shape[1] + chosen:
        raise InvalidInputError(
            f"{design.shape[0]} points for {design.shape[1] + chosen} parameters",
            "measure more sizes",
        )
    if not (observed > 0).all():
        raise InvalidInputError("a time of 0 s", "measure it with a finer clock")
    offset = np.broadcast_to(np.asarray(fixed, dtype=np.float64), observed.shape)
    coefficients = nonnegative(design, observed, offset, starts)
    residuals = logarithms(design, observed, offset, coefficients)
    jacobian = design / (observed * np.exp(residuals))[:, None]
    is_used = coefficients > 0
    degrees = observed.size - int(is_used.sum()) - chosen
    variance = _variance(residuals, degrees)
    low, high, covariance = _bounds(coefficients, residuals, jacobian, variance, degrees)
    error = max(loss(residuals), observed.size * ROUNDING**2)
    aic = observed.size * np.log(error / observed.size) + 2 * (is_used.sum() + chosen)
    return Regression(coefficients, low, high, covariance, degrees, float(aic))


def _variance(residuals: Floats, degrees_of_freedom: int) -> float:
    """Return the variance of the logarithm of a time, scaled to give that of the coefficients."""
    inside = np.abs(residuals) <= ROBUST_FROM
    slopes = np.clip(residuals, -ROBUST_FROM, ROBUST_FROM)
    share = max(float(inside.mean()), 0.5)  # of fewer the formula is no longer one
    return float(np.sum(slopes**2)) / degrees_of_freedom / share**2


def _bounds(
    coefficients: Floats, residuals: Floats, jacobian: Floats, variance: float, degrees: int
) -> tuple[Floats, Floats, Floats]:
    """Low and high (k,), and the covariance (k, k), which is zero for coefficients held at zero.

    These keep the upper bound of a fit in which they are free, and no bound is below zero.
    """
    norms = np.linalg.norm(jacobian, axis=0)
    norms = np.where(norms > 0, norms, 1.0)
    scaled, factor = jacobian / norms, t_factor(degrees)
    slopes = np.clip(residuals, -ROBUST_FROM, ROBUST_FROM)
    inverse = np.linalg.pinv(scaled)
    free = coefficients - inverse @ slopes / norms
    error = np.sqrt(variance * np.sum(inverse**2, axis=1)) / norms
    low, high = np.zeros(coefficients.size), np.maximum(free + factor * error, 0.0)
    used = np.flatnonzero(coefficients > 0)
    covariance = np.zeros((coefficients.size, coefficients.size))
    if used.size:
        inverse = np.linalg.pinv(scaled[:, used]) / norms[used, None]
        covariance[np.ix_(used, used)] = variance * inverse @ inverse.T
        apart = factor * np.sqrt(np.diag(covariance)[used])
        low[used] = np.maximum(coefficients[used] - apart, 0.0)
        high[used] = coefficients[used] + apart
    return low, high, covariance
