"""Hockney's model of one message.

Source: R. Hockney, "The communication challenge for MPP", Parallel Computing 20, 1994; used by
Steffenel, Martinasso, Trystram, GPC 2007, section 3.
Idea: a start-up and a constant rate.
Cost: T(m) = alpha + beta m, with alpha in seconds and beta in seconds per byte.
Fitted: by relative error, beside a step from some size on where there is one. A switch that stores
a frame before it forwards it, and a library that asks before it sends, make a larger message wait
once. A line without a step takes that wait for a cost of every byte.
Restrictions: one line for all sizes. The step is reported but not part of the model: messages that
follow each other hide it. `relative_residual` says how far off the line with its step is.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from contend.base.document import Floats, Quantity, Record, require_numbers
from contend.base.errors import InvalidInputError
from contend.base.statistics.threshold import fit_at, fit_threshold

if TYPE_CHECKING:
    import pandas as pd


class Hockney(Record):
    """Fitted alpha and beta, their covariance, and the sizes they were seen at."""

    alpha: Quantity
    beta: Quantity
    covariance: tuple[tuple[float, float], tuple[float, float]] | None = None
    step: Quantity | None = Field(None, description="what larger messages take in addition")
    step_from: Quantity | None = Field(None, description="the smallest size that takes it")
    relative_residual: float | None = None
    sizes_seen: tuple[int, ...] = ()

    @model_validator(mode="after")
    def _is_of_numbers(self) -> "Hockney":
        require_numbers(alpha=self.alpha, beta=self.beta, step=self.step, step_from=self.step_from)
        return self

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


def fit(table: "pd.DataFrame", like: Hockney | None = None) -> Hockney:
    """Model that fits a table of one-way times, columns `m` (bytes) and `seconds`.

    By relative error; at least three sizes. A step is looked for as the jump of a contention
    signature is, see `contend.base.statistics.threshold`, unless it is where that of `like` is.
    """
    sizes = np.asarray(table["m"], dtype=np.float64)
    seconds = np.asarray(table["seconds"], dtype=np.float64)
    if np.unique(sizes).size < 3:
        raise InvalidInputError(
            f"{np.unique(sizes).size} message sizes for alpha and beta", "measure three or more"
        )
    columns = [np.ones_like(sizes), sizes]
    if like is None:
        best = fit_threshold(sizes, seconds, 0.0, columns)
    else:
        start = None if like.step_from is None else float(like.step_from)
        best = fit_at(start, sizes, seconds, 0.0, columns)
    line = best.regression
    if line.coefficients[1] <= 0:
        raise InvalidInputError("the ping-pong does not grow with the size", "measure larger sizes")
    covariance: Any = tuple(tuple(float(cell) for cell in row[:2]) for row in line.covariance[:2])
    jump = best.jump()
    return Hockney(
        alpha=line.quantity(0, "s"),
        beta=line.quantity(1, "s/B"),
        covariance=covariance,
        step=jump["delta"] if "M" in jump else None,
        step_from=jump.get("M"),
        relative_residual=float(np.median(np.abs(best.seconds(sizes, columns) / seconds - 1))),
        sizes_seen=tuple(int(size) for size in np.unique(sizes)),
    )
