"""Fit of times that jump by delta from M bytes on, M chosen by Akaike's criterion.

Used by every form that has a delta, and for the step of a single message. A measured time is a
known part, plus columns times coefficients that cannot be negative, plus delta where m >= M. Each
measured size is tried as M, and no jump at all; M counts as a parameter, and a jump is believed
only if delta is significant for the number of sizes tried (Bonferroni).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from contend.base.document import Floats, Quantity
from contend.base.statistics.nonnegative import STARTS
from contend.base.statistics.regression import Regression, fit_times

SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class ThresholdFit:
    """The fit with the best criterion; `threshold` is M in bytes, None without a jump."""

    threshold: float | None
    regression: Regression

    def seconds(self, sizes: Floats, columns: Sequence[Floats]) -> Floats:
        """What is fitted, less its known part; the arguments as given to the fit."""
        seconds: Floats = _design(self.threshold, sizes, columns) @ self.regression.coefficients
        return seconds

    def jump(self) -> dict[str, Quantity]:
        """The parameters delta and, where there is a jump, M."""
        if self.threshold is None:
            return {"delta": Quantity(value=0.0, unit="s")}
        delta = self.regression.quantity(-1, "s")
        return {"delta": delta, "M": Quantity(value=self.threshold, unit="B")}

    def free(self, *columns: str) -> tuple[str, ...]:
        """Names in the order of the regression's covariance, given those of the columns."""
        return columns if self.threshold is None else (*columns, "delta")


Search: TypeAlias = Callable[[Floats, Floats, Floats | float, Sequence[Floats]], ThresholdFit]


def fit_threshold(
    sizes: Floats,
    seconds: Floats,
    fixed: Floats | float,
    columns: Sequence[Floats],
    starts: int = STARTS,
) -> ThresholdFit:
    """Best fit of `seconds` (k,) at `sizes` (k,) bytes, over all choices of M.

    Every point counts by the relative error of the time measured, its known part included.
    """
    distinct, fits = np.unique(sizes), [fit_at(None, sizes, seconds, fixed, columns, starts)]
    for threshold in distinct.tolist():
        design = _design(threshold, sizes, columns)
        if sizes.size <= design.shape[1] + 1 or np.linalg.matrix_rank(design) < design.shape[1]:
            continue  # nothing left to judge the fit by, or a jump that a column already says
        candidate = fit_at(threshold, sizes, seconds, fixed, columns, starts)
        if candidate.regression.coefficients[-1] > 0:
            fits.append(candidate)
    best = min(fits, key=lambda fit: fit.regression.aic)
    return best if best.threshold is None or _is_significant(best, distinct.size) else fits[0]


def fit_at(
    threshold: float | None,
    sizes: Floats,
    seconds: Floats,
    fixed: Floats | float,
    columns: Sequence[Floats],
    starts: int = STARTS,
) -> ThresholdFit:
    """Best fit with M given, which counts as a parameter all the same; None for no jump."""
    design = _design(threshold, sizes, columns)
    return ThresholdFit(
        threshold, fit_times(design, seconds, fixed, 0 if threshold is None else 1, starts)
    )


def _design(threshold: float | None, sizes: Floats, columns: Sequence[Floats]) -> Floats:
    """Columns side by side, and that of delta."""
    jump = [] if threshold is None else [(sizes >= threshold).astype(np.float64)]
    scaled: Floats = np.column_stack([*columns, *jump])
    return scaled


def _is_significant(fit: ThresholdFit, tried: int) -> bool:
    """Whether delta differs from zero at 5 % (Student's t), given that `tried` sizes were tried.

    The criterion alone finds a jump in a third of exchanges that have none.
    """
    from scipy.special import stdtr

    delta, variance = fit.regression.coefficients[-1], fit.regression.covariance[-1, -1]
    if variance <= 0:
        return True
    chance = stdtr(fit.regression.degrees_of_freedom, -delta / np.sqrt(variance))
    return bool(chance * tried < SIGNIFICANCE)


def threshold_of(parameters: Mapping[str, Quantity]) -> float | None:
    """M in bytes; None without a jump."""
    return float(parameters["M"]) if "M" in parameters else None


def has_jumped(threshold: Quantity | None, delta: Quantity, size: Floats) -> Floats:
    """Delta where `size` reaches M, else 0; any shape."""
    if threshold is None:
        return np.zeros_like(size)
    return np.where(size >= float(threshold), float(delta), 0.0)


def threshold_regime(threshold: Quantity | None, sizes: Floats) -> list[str]:
    """`m < M` or `m >= M` for each size, `all sizes` without M."""
    if threshold is None:
        return ["all sizes"] * sizes.size
    return ["m >= M" if large else "m < M" for large in sizes >= float(threshold)]
