"""The choice of the next points, one after the other.

Source: Nemhauser, Wolsey, Fisher, Mathematical Programming 14, 1978.
Idea: each next point is the one that narrows the intervals most per second among those that narrow
them at least a share as much as the best one does: half of it where points are counted, which keeps
to 1-1/sqrt(e) of the best set of as many points, a fifth where seconds count. So points that cost
nothing and tell nothing are left. Where the intervals are widest is not where they are wrong: at
each n sizes are taken in the order of the candidates, which spreads them evenly, and what is chosen
is the n of the next one.
Restrictions: a point that narrows by less than `LEAST` is not worth a measurement.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.measure.probes.cost import Bill
from contend.measure.probes.interval_forecast import Foreseen

Narrowed = Literal["mean", "largest"]
LEAST = 0.005
NEAR_LARGEST = 8  # power of the mean that stands for the largest width
OF_POINTS, OF_SECONDS = 0.5, 0.2  # of the best gain: what a point has to gain to be taken
MOST_POINTS = 200


@dataclass(frozen=True)
class Limits:
    """When to stop: seconds spent, points chosen, or a high/low that is narrow enough.

    And what a single point has to take off the width, a share of it.
    """

    seconds: float = math.inf
    points: int = MOST_POINTS
    until: float = 1.0
    least: float = LEAST

    @classmethod
    def of(cls, seconds: float | None, points: int | None, until: float | None) -> "Limits | None":
        """Those that are given; None for none, and an error for one that allows nothing."""
        if seconds is not None and not seconds > 0:
            raise InvalidInputError(f"a budget of {seconds:g} s", "give time to measure, e.g. 60s")
        if points is not None and points < 1:
            raise InvalidInputError(f"{points} points", "give 1 or more")
        if until is not None and not until > 1:
            raise InvalidInputError(f"a high/low of {until:g}", "give more than 1, e.g. 1.5")
        if seconds is points is until is None:
            return None
        usual = cls()
        return cls(
            usual.seconds if seconds is None else seconds,
            usual.points if points is None else points,
            usual.until if until is None else until,
        )


@dataclass(frozen=True)
class Choice:
    """A candidate by its place, the seconds that it adds, and log high/low of targets then."""

    candidate: int
    seconds: float
    widths: Floats  # (t,)


def narrowed(widths: Floats, criterion: Narrowed) -> Floats:
    """The width that is to become less, over the last axis: the mean one, or nearly the largest.

    A single point seldom narrows the largest of several alike, so that these count together.
    """
    power = NEAR_LARGEST if criterion == "largest" else 1
    return np.asarray((widths**power).mean(axis=-1) ** (1 / power))


def middle(widths: Floats, criterion: Narrowed) -> Floats:
    """High/low of targets together, over the last axis: the median one, or the largest."""
    if criterion == "largest":
        return np.asarray(np.exp(widths.max(axis=-1)))
    return np.asarray(np.exp(np.median(widths, axis=-1)))


def is_narrow(widths: Floats, until: float, criterion: Narrowed) -> NDArray[np.bool_]:
    """Whether high/low is no more than `until`, over the last axis.

    In the median, or for all; and in the geometric mean, so that no n is left out for others.
    """
    typical = np.exp(narrowed(widths, criterion))
    return np.asarray(np.maximum(middle(widths, criterion), typical) <= until)


def choose(
    foreseen: Foreseen, bill: Bill, limits: Limits, criterion: Narrowed = "mean"
) -> tuple[Choice, ...]:
    """Return the next points within the limits, in order; at each n as the candidates are ordered.

    Where a single further point makes the intervals narrow enough, and all is cheaper by that, it
    is the last.
    """
    share = OF_POINTS if math.isinf(limits.seconds) and limits.until <= 1 else OF_SECONDS
    chosen: tuple[Choice, ...] = ()
    ends: list[tuple[Choice, ...]] = []
    free = np.ones(foreseen.candidates, dtype=bool)
    budget, widths = limits.seconds, foreseen.widths()
    while len(chosen) < limits.points and not is_narrow(widths, limits.until, criterion):
        before, seconds, then = (
            narrowed(widths, criterion),
            bill.of_next(),
            foreseen.widths_with_each(),
        )
        gain = before - narrowed(then, criterion)
        fits = _first_of_each(bill.n, free) & (seconds <= budget) & (gain >= limits.least * before)
        if not fits.any():
            break
        enough = fits & is_narrow(then, limits.until, criterion)
        if enough.any():
            last = int(np.argmin(np.where(enough, seconds, np.inf)))
            ends.append((*chosen, Choice(last, float(seconds[last]), then[last])))
        fits &= gain >= share * gain[fits].max()
        best = int(np.argmax(np.where(fits, gain / seconds, -np.inf)))
        chosen = (*chosen, Choice(best, float(seconds[best]), then[best]))
        foreseen, bill = foreseen.after(best), bill.after(best)
        free[best], budget, widths = False, budget - seconds[best], then[best]
    return min([*ends, chosen], key=lambda steps: sum(step.seconds for step in steps))


def _first_of_each(n: Floats, free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which of the `free` candidates are the first at their n; shape (c,)."""
    places = np.flatnonzero(free)
    is_first = np.zeros(free.size, dtype=bool)
    is_first[places[np.unique(n[places], return_index=True)[1]]] = True
    return is_first
