"""Straight lines over the size through the times of many ranges of sizes at once.

Idea: within a regime a time is a start-up plus a cost per byte, a line for each n by itself. Each
time counts by its relative error. A line is written by its times at the first and at the last size
of the range, both positive, so that it is positive between them; its start-up may be negative.
Formula: log T = log(exp(a) (1 - w) + exp(b) w), w = (m - first) / (last - first); least squares of
log T by Newton's method with Gauss's approximation, from the line of least relative error.
"""

from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats

_STEPS = 8
_CLOSE = 1e-7  # of a logarithm: steps that are shorter for all lines are the last
_LONGEST_STEP = 1.0  # of a logarithm
_RIDGE = 1e-9


@dataclass(frozen=True)
class Lines:
    """Lines of k ranges at each n: logarithms of the times at both ends, shape (k, n_counts).

    `covariance` (k, n_counts, 2, 2) is that of both ends for errors of deviation 1, `squares` are
    sums of squared errors of logarithms, `parameters` how many numbers were fitted; `errors` and
    `leverage` have shape (k, n_counts, n_sizes), zero outside a range.
    """

    first: Floats
    last: Floats
    covariance: Floats
    squares: Floats
    parameters: np.ndarray
    errors: Floats
    leverage: Floats


def fit_lines(sizes: Floats, logarithms: Floats, chosen: np.ndarray) -> Lines:
    """Lines through logarithms (n_counts, n_sizes; NaN: none) at `chosen` sizes (k, n_sizes)."""
    used = chosen[:, None, :] & np.isfinite(logarithms)
    weight, times = used.astype(float), np.where(used, logarithms, 0.0)
    along = _along(sizes, chosen)[:, None, :]
    ends = _start(times, weight, along)
    for _ in range(_STEPS):
        fitted, columns = _line(ends, along)
        step = _solve(columns * weight, weight * (times - fitted))
        ends = ends + np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        if np.abs(step).max() < _CLOSE:
            break
    fitted, columns = _line(ends, along)
    columns = columns * weight
    inverse = _inverse(columns)
    leverage = np.einsum("akns,abkn,bkns->kns", columns, inverse, columns)
    several = used.sum(axis=2)
    errors = weight * (times - fitted) * (several > 2)[:, :, None]  # two points have their own line
    return Lines(
        ends[0], ends[1], np.moveaxis(inverse, (0, 1), (2, 3)), (errors**2).sum(axis=2),
        np.minimum(several, 2), errors, np.clip(leverage, 0.0, 1.0),
    )  # fmt: skip


def _along(sizes: Floats, chosen: np.ndarray) -> Floats:
    """Place of every size between the ends of each range, shape (k, n_sizes)."""
    low = np.where(chosen, sizes, np.inf).min(axis=1)[:, None]
    high = np.where(chosen, sizes, -np.inf).max(axis=1)[:, None]
    return np.asarray((sizes - low) / np.where(high > low, high - low, 1.0))


def _start(times: Floats, weight: Floats, along: Floats) -> Floats:
    """Logarithms at both ends (2, k, n_counts) of the line of least squared relative errors."""
    middle = (times * weight).sum(axis=2) / np.maximum(weight.sum(axis=2), 1.0)
    each = weight * np.exp(np.clip(middle[:, :, None] - times, -50, 50))
    ends = _solve(np.stack([each * (1 - along), each * along]), weight)
    lowest = np.exp(np.clip((times - middle[:, :, None]) * weight, -50, 0).min(axis=2)) * 0.5
    return np.asarray(np.log(np.maximum(ends, lowest)) + middle)


def _line(ends: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Logarithm of the line at all sizes, and its derivatives by both ends (2, k, n, sizes).

    Outside the range, where nothing counts, a line may cross zero and is cut off.
    """
    shift = ends.max(axis=0)[:, :, None]
    low, high = np.exp(ends[:, :, :, None] - shift)
    parts = np.stack([low * (1 - along), high * along])
    time = np.maximum(parts.sum(axis=0), 1e-12)
    return shift + np.log(time), parts / time


def _inverse(columns: Floats) -> Floats:
    """Inverse of the normal matrix of two columns for each range and n, (2, 2, k, n_counts)."""
    (aa, ab), (_, bb) = np.einsum("akns,bkns->abkn", columns, columns)
    ridge = _RIDGE * (aa + bb) + 1e-30
    aa, bb = aa + ridge, bb + ridge
    return np.asarray(np.array([[bb, -ab], [-ab, aa]]) / (aa * bb - ab * ab))


def _solve(columns: Floats, aim: Floats) -> Floats:
    """Least squares of `aim` by two columns, for each range and n; (2, k, n_counts)."""
    by_column = np.einsum("akns,kns->akn", columns, aim)
    return np.asarray(np.einsum("abkn,bkn->akn", _inverse(columns), by_column))
