"""From which size on a form describes times, where smaller ones follow a law of their own.

Idea: below some size a library forwards or combines messages, or the start-ups of many messages
overlap, so that one form for all sizes fits neither part and finds a slope between both. Every
measured size is tried as the smallest that the form describes; those below it are given a line of
their own, which takes nothing of the form. Akaike's criterion, corrected for few points (Hurvich,
Tsai 1989), chooses; that size counts as a parameter, as do the coefficients of the line.
Restrictions: all sizes are described unless the line is better by an F test at 5 % after
Bonferroni's correction for the number of sizes tried, and the form is off by more than 10 % in the
median of what it would leave out. Four sizes remain.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from contend.base.document import Floats
from contend.base.statistics.nonnegative import loss
from contend.base.statistics.regression import ROUNDING, fit_times
from contend.base.statistics.threshold import SIGNIFICANCE

FEWEST = 4  # sizes that remain
MATERIAL = 0.1  # of what is left out; less than that is no other law
_SHORTEST = 1e-12  # of the observed, what a fitted value is at least

Fitted: TypeAlias = tuple[Callable[[Floats], Floats], int]  # times by size, and parameters
FitFrom: TypeAlias = Callable[[Floats, Floats], Fitted]


def smallest_described_size(
    sizes: Floats, seconds: Floats, whole: Fitted, fit_roughly: FitFrom
) -> float | None:
    """The smallest of `sizes` (k,) that a form describes; None where that is all of them.

    `whole` has the form's times by size, and how many parameters it has taken, when fitted to all
    of them; `fit_roughly` gives that when fitted to some, and may miss a poor fit's best.
    """
    distinct = np.unique(sizes)
    everything, taken = whole
    off = _logarithms(everything(sizes), seconds)
    if distinct.size <= FEWEST or np.abs(off).max() <= np.log1p(MATERIAL):
        return None
    plain = _criterion(loss(off), sizes.size, taken)
    best, least = None, plain
    tried = distinct[1 : 1 - FEWEST]
    for start in tried.tolist():
        below = sizes < start
        upper, used = fit_roughly(sizes[~below], seconds[~below])
        of_line, in_line = _line(sizes[below], seconds[below])
        lost = loss(_logarithms(upper(sizes[~below]), seconds[~below])) + of_line
        criterion = _criterion(lost, sizes.size, used + in_line + 1)
        missed = np.abs(_logarithms(upper(sizes[below]), seconds[below]))
        if criterion < least and np.median(missed) > np.log1p(MATERIAL):
            more, freedom = used + in_line + 1 - taken, sizes.size - used - in_line - 1
            if _is_better(loss(off), lost, more, freedom, sizes.size) * tried.size < SIGNIFICANCE:
                best, least = start, criterion
    return best


def _line(sizes: Floats, seconds: Floats) -> tuple[float, int]:
    """What a line leaves, and its parameters: as many as there are sizes, but two at most."""
    count = int(min(np.unique(sizes).size, 2))
    design = np.column_stack([np.ones_like(sizes), sizes])[:, :count]
    if sizes.size <= count:
        return 0.0, count
    coefficients = fit_times(design, seconds, starts=1).coefficients
    return loss(_logarithms(design @ coefficients, seconds)), count


def _logarithms(fitted: Floats, seconds: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(fitted / seconds, _SHORTEST)))


def _criterion(lost: float, points: int, parameters: int) -> float:
    freedom = points - parameters - 1
    if freedom <= 0:
        return np.inf
    lost = max(lost, points * ROUNDING**2)
    more = 2 * parameters * (parameters + 1) / freedom
    return float(points * np.log(lost / points) + 2 * parameters + more)


def _is_better(before: float, after: float, more: int, freedom: int, points: int) -> float:
    """Chance of a loss so much less by `more` parameters that say nothing."""
    from scipy.special import fdtrc

    least = points * ROUNDING**2
    if more <= 0:
        return 0.0
    ratio = (max(before, least) / max(after, least) - 1) * freedom / more
    return float(fdtrc(more, freedom, max(ratio, 0.0)))
