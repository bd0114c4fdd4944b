"""What counts as one repeat of measured graphs: a launch; of a single launch, a repetition.

Idea: what is measured within a launch resembles each other, so intervals come from launches
(statistics.launches), each of which counts once however many messages, graphs and repetitions it
has. A stalled one must not decide: from four on the outer ones are left out (midmean, Tukey,
"Exploratory data analysis", 1977); of three, a median would be 28 % wider and cover more than
it says. A campaign of one launch can only say how far its own repetitions determine a value; such
an interval carries another name and takes enough of them.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Bounds, Floats, Quantity, Unit
from contend.base.statistics.launches import OVER_LAUNCHES, WITHIN_LAUNCH, Estimate, over_launches
from contend.samples.messages import MessageSample

FEWEST = 6  # repetitions of a single launch below which they tell nothing
TRIMMED = 0.25  # of the repeats, on either side
Kept = frozenset[int]  # repeats that an estimate is made from


def bounds_by(samples: Sequence[MessageSample]) -> Bounds:
    """What bounds from these samples are: over their launches, or within the only one."""
    return OVER_LAUNCHES if len({sample.launch for sample in samples}) > 1 else WITHIN_LAUNCH


def repeats(sample: MessageSample, rows: int, by: Bounds) -> np.ndarray:
    """Number of the repeat that each of so many rows of a sample belongs to, (rows,)."""
    return np.full(rows, sample.launch) if by == OVER_LAUNCHES else np.arange(rows)


def typical(values: Floats, of: np.ndarray, kept: Kept | None = None) -> Floats:
    """Mean over the repeats of the median within each, of positive `values` (rows, ...).

    On the scale of logarithms; from four repeats on without the least and largest quarter of them.
    `of` (rows,) are the repeats; without `kept` all count. NaN where none is left.

    >>> typical(np.array([1.0, 1.0, 4.0, 8.0]), np.array([0, 0, 0, 1])).round(3).tolist()
    2.828
    """
    logarithms = np.log(values)
    chosen = [number for number in np.unique(of).tolist() if kept is None or number in kept]
    if not chosen:
        return np.full(values.shape[1:], np.nan)
    within = np.sort([np.median(logarithms[of == number], axis=0) for number in chosen], axis=0)
    outer = int(TRIMMED * len(within))
    mean: Floats = np.exp(within[outer : len(within) - outer].mean(axis=0))
    return mean


def over_repeats(
    numbers: Sequence[int], estimate: Callable[[Kept], ArrayLike], by: Bounds
) -> Estimate:
    """What `estimate` says of all these repeats, with bounds where there are enough of them."""
    estimated = over_launches(numbers, lambda kept: estimate(frozenset(kept)))
    if by == OVER_LAUNCHES or len(numbers) >= FEWEST:
        return estimated
    return Estimate(estimated.value, 1, np.empty((0, estimated.value.size)), 0.0)


def quantity_of(estimate: Estimate, index: int, unit: Unit, by: Bounds) -> Quantity:
    """A value of an estimate with its bounds, which say what they are."""
    quantity = estimate.quantity(index, unit)
    return quantity if quantity.low is None else quantity.model_copy(update={"bounds": by})
