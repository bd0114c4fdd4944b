"""Generalised least squares with coefficients that cannot be negative.

Times are observed with errors in proportion to their size, so the covariance of the observations
is diag(observed^2) unless the caller knows better: every point then counts by its relative error.
A cost per byte or per message below zero has no meaning; with at most a handful of coefficients
the constrained optimum is found exactly by trying every subset of them.

Source: Aitken 1936 (generalised least squares); Lawson, Hanson 1974, ch. 23 (non-negativity).
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import statsmodels.api as sm

from contend.document import Floats, Quantity, Unit
from contend.errors import InvalidInputError

CONFIDENCE = 0.95
ROUNDING = 1e-12  # relative; a loss below it says nothing about the fit


@dataclass(frozen=True)
class Regression:
    """Coefficients with their 95 % bounds (k,), covariance (k, k) and Akaike's criterion.

    `aic` leaves out a constant that depends on the observations and their covariance alone.
    """

    coefficients: Floats
    low: Floats
    high: Floats
    covariance: Floats
    degrees_of_freedom: int
    aic: float

    def quantity(self, index: int, unit: Unit) -> Quantity:
        """Coefficient `index` with its bounds."""
        columns = (self.coefficients, self.low, self.high)
        value, low, high = (float(column[index]) for column in columns)
        return Quantity(value=value, unit=unit, low=low, high=high)


def nonnegative_gls(design: Floats, observed: Floats, sigma: Floats) -> Regression:
    """Best fit of `observed` (N,) by `design` (N, k) with no coefficient below zero.

    Parameters
    ----------
    sigma
        Standard deviations (N,) or covariance (N, N) of the observations, up to a factor.
    """
    covariance = sigma**2 if sigma.ndim == 1 else sigma
    if design.shape[0] <= design.shape[1]:
        raise InvalidInputError(
            f"{design.shape[0]} points for {design.shape[1]} parameters", "measure more sizes"
        )
    subsets = [
        list(columns)
        for count in range(1, design.shape[1] + 1)
        for columns in combinations(range(design.shape[1]), count)
    ]
    fits = [
        (columns, sm.GLS(observed, design[:, columns], sigma=covariance).fit())
        for columns in subsets
    ]
    feasible = [(columns, fit) for columns, fit in fits if (fit.params >= 0).all()]
    best = min(feasible, key=lambda item: float(item[1].ssr), default=None)
    return _expand(best, fits[-1][1], design, observed)


def _expand(
    best: tuple[list[int], Any] | None, free: Any, design: Floats, observed: Floats
) -> Regression:
    """Put the chosen columns back among all.

    A coefficient held at zero keeps its upper bound, and no bound is below zero. `best` is None
    when no positive cost improves on none: all coefficients are then zero.
    """
    count = design.shape[1]
    coefficients, low = np.zeros(count), np.zeros(count)
    high = np.maximum(free.conf_int(alpha=1 - CONFIDENCE)[:, 1], 0.0)
    covariance = np.zeros((count, count))
    loss = float(free.model.wendog @ free.model.wendog)
    if best is not None:
        columns, fit = best
        bounds = fit.conf_int(alpha=1 - CONFIDENCE)
        coefficients[columns], high[columns] = fit.params, bounds[:, 1]
        low[columns] = np.maximum(bounds[:, 0], 0.0)
        covariance[np.ix_(columns, columns)] = fit.cov_params()
        loss = max(float(fit.ssr), loss * ROUNDING**2)
    used = len(best[0]) if best else 0
    return Regression(
        coefficients,
        low,
        high,
        covariance,
        degrees_of_freedom=observed.size - used,
        aic=float(observed.size * np.log(max(loss / observed.size, 1e-300)) + 2 * used),
    )
