"""Straight lines over the size through the times of many ranges of sizes at once.

Idea: within a regime a time is a start-up plus a cost per byte, a line for each n by itself. Each
time counts by its relative error. A line is written by its times at the first and at the last size
of the range, both positive, so that it is positive between them; its start-up may be negative.
Formula: log T = log(exp(a) (1 - w) + exp(b) w), w = (m - first) / (last - first); least squares of
log T by Newton's method with Gauss's approximation, from the line of least relative error.
"""

from dataclasses import dataclass

import numpy as np

from contend.document import Floats

_STEPS = 8
_CLOSE = 1e-7  # of a logarithm: steps that are shorter for all lines are the last
_LONGEST_STEP = 1.0  # of a logarithm
_RIDGE = 1e-9


@dataclass(frozen=True)
class Lines:
    """Lines of k ranges at each n: logarithms of the times at both ends, shape (k, n_counts).

    `squares` are sums of squared errors of logarithms, `parameters` how many numbers were fitted;
    `errors` and `leverage` have shape (k, n_counts, n_sizes), zero outside a range.
    """

    first: Floats
    last: Floats
    squares: Floats
    parameters: np.ndarray
    errors: Floats
    leverage: Floats


def fit_lines(sizes: Floats, logarithms: Floats, chosen: np.ndarray) -> Lines:
    """Lines through logarithms (n_counts, n_sizes; NaN: none) at `chosen` sizes (k, n_sizes)."""
    used = chosen[:, None, :] & np.isfinite(logarithms)
    weight, times = used.astype(float), np.where(used, logarithms, 0.0)
    along = _along(sizes, chosen)[:, None, :]
    first, last = _start(times, weight, along)
    for _ in range(_STEPS):
        fitted, by_first, by_last = _line(first, last, along)
        left = weight * (times - fitted)
        step = _solve(by_first, by_last, weight, left)
        first = first + np.clip(step[0], -_LONGEST_STEP, _LONGEST_STEP)
        last = last + np.clip(step[1], -_LONGEST_STEP, _LONGEST_STEP)
        if np.abs(step).max() < _CLOSE:
            break
    fitted, by_first, by_last = _line(first, last, along)
    errors = weight * (times - fitted)
    parameters = np.minimum(used.sum(axis=2), 2)
    errors *= (used.sum(axis=2) > 2)[:, :, None]  # two points have their own line
    return Lines(
        first, last, (errors**2).sum(axis=2), parameters, errors,
        _leverage(by_first, by_last, weight),
    )  # fmt: skip


def _along(sizes: Floats, chosen: np.ndarray) -> Floats:
    """Place of every size between the ends of each range, shape (k, n_sizes)."""
    low = np.where(chosen, sizes, np.inf).min(axis=1)[:, None]
    high = np.where(chosen, sizes, -np.inf).max(axis=1)[:, None]
    return np.asarray((sizes - low) / np.where(high > low, high - low, 1.0))


def _start(times: Floats, weight: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Logarithms at both ends of the line whose sum of squared relative errors is least."""
    middle = (times * weight).sum(axis=2) / np.maximum(weight.sum(axis=2), 1.0)
    each = weight * np.exp(np.clip(middle[:, :, None] - times, -50, 50))
    step = _solve(each * (1 - along), each * along, weight, weight)
    lowest = np.exp(np.clip((times - middle[:, :, None]) * weight, -50, 0).min(axis=2)) * 0.5
    ends = (np.log(np.maximum(end, lowest)) + middle for end in step)
    return tuple(ends)


def _line(first: Floats, last: Floats, along: Floats) -> tuple[Floats, Floats, Floats]:
    """Logarithm of the line at all sizes, and its derivatives by both ends.

    Outside the range, where nothing counts, a line may cross zero and is cut off.
    """
    shift = np.maximum(first, last)[:, :, None]
    low, high = np.exp(first[:, :, None] - shift), np.exp(last[:, :, None] - shift)
    near, far = low * (1 - along), high * along
    time = np.maximum(near + far, 1e-12)
    return shift + np.log(time), near / time, far / time


def _solve(left: Floats, right: Floats, weight: Floats, aim: Floats) -> tuple[Floats, Floats]:
    """Least squares of `aim` by two columns, for each range and n; shapes (k, n_counts)."""
    left, right = left * weight, right * weight
    aa, ab, bb = _sum(left, left), _sum(left, right), _sum(right, right)
    ay, by = _sum(left, aim), _sum(right, aim)
    ridge = _RIDGE * (aa + bb) + 1e-30
    aa, bb = aa + ridge, bb + ridge
    determinant = aa * bb - ab * ab
    return (bb * ay - ab * by) / determinant, (aa * by - ab * ay) / determinant


def _leverage(left: Floats, right: Floats, weight: Floats) -> Floats:
    """How much each time pulls its own line, from 0 to 1; shape (k, n_counts, n_sizes)."""
    left, right = left * weight, right * weight
    aa, ab, bb = _sum(left, left), _sum(left, right), _sum(right, right)
    ridge = _RIDGE * (aa + bb) + 1e-30
    aa, bb = (aa + ridge)[:, :, None], (bb + ridge)[:, :, None]
    cross = ab[:, :, None]
    found = (bb * left**2 - 2 * cross * left * right + aa * right**2) / (aa * bb - cross**2)
    return np.asarray(np.clip(found, 0.0, 1.0))


def _sum(one: Floats, other: Floats) -> Floats:
    """Of products over the sizes, shape (k, n_counts)."""
    return np.asarray(np.einsum("kns,kns->kn", one, other))
