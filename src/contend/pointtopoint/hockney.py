"""Hockney's model of one message.

Source: R. Hockney, "The communication challenge for MPP", Parallel Computing 20, 1994; used by
Steffenel, Martinasso, Trystram, GPC 2007, section 3.
Idea: a start-up and a constant rate.
Cost: T(m) = alpha + beta m, with alpha in seconds and beta in seconds per byte.
Restrictions: one line for all sizes. Where a library changes its protocol with the size, the line
is a compromise by relative error; `relative_residual` says how large a one.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.document import Floats, Quantity, Record
from contend.errors import InvalidInputError
from contend.regression import nonnegative_gls


class Hockney(Record):
    """Fitted alpha and beta, their covariance, and the sizes they were seen at."""

    alpha: Quantity
    beta: Quantity
    covariance: tuple[tuple[float, float], tuple[float, float]] | None = None
    relative_residual: float | None = None
    sizes_seen: tuple[int, ...] = ()

    def seconds(self, m: ArrayLike) -> Floats:
        """Time of one message of `m` bytes, any shape.

        >>> given(alpha=1e-6, beta=1e-9).seconds([0, 500]).tolist()
        [1e-06, 1.5e-06]
        """
        return float(self.alpha) + float(self.beta) * np.asarray(m, dtype=np.float64)


def given(alpha: float, beta: float) -> Hockney:
    """Model with parameters that the caller knows, in s and s/B."""
    if not (np.isfinite([alpha, beta]).all() and alpha >= 0 and beta > 0):
        raise InvalidInputError(
            f"alpha {alpha!r} s, beta {beta!r} s/B cannot describe a message",
            "give alpha >= 0 and beta > 0",
        )
    return Hockney(alpha=Quantity(value=alpha, unit="s"), beta=Quantity(value=beta, unit="s/B"))


def fit(table: pd.DataFrame) -> Hockney:
    """Model that fits a table of one-way times, columns `m` (bytes) and `seconds`.

    Generalised least squares with weights by relative error; at least three sizes.
    """
    sizes = np.asarray(table["m"], dtype=np.float64)
    seconds = np.asarray(table["seconds"], dtype=np.float64)
    if np.unique(sizes).size < 3:
        raise InvalidInputError(
            f"{np.unique(sizes).size} message sizes for alpha and beta", "measure three or more"
        )
    design = np.column_stack([np.ones_like(sizes), sizes])
    result = nonnegative_gls(design, seconds, seconds)
    if result.coefficients[1] <= 0:
        raise InvalidInputError("the ping-pong does not grow with the size", "measure larger sizes")
    alpha, beta = (_quantity(result, 0, "s"), _quantity(result, 1, "s/B"))
    covariance: Any = tuple(tuple(float(cell) for cell in row) for row in result.covariance)
    return Hockney(
        alpha=alpha,
        beta=beta,
        covariance=covariance,
        relative_residual=float(np.median(np.abs(design @ result.coefficients / seconds - 1))),
        sizes_seen=tuple(int(size) for size in np.unique(sizes)),
    )


def _quantity(result: Any, index: int, unit: Any) -> Quantity:
    value, low, high = result.coefficients, result.low, result.high
    return Quantity(
        value=float(value[index]), unit=unit, low=float(low[index]), high=float(high[index])
    )
