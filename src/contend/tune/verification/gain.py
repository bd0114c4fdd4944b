"""What a program gains by rules: time without over time with them, from runs in pairs.

Source: Student 1908, on logarithms of the ratios; Bonferroni for many cells. Idea: what disturbs a
machine for minutes disturbs both runs of a pair, so that their ratio is what is compared. The
gain is the geometric mean of the ratios of the pairs. Something is slower where its gain is below
`LEAST` beyond chance, by a one-sided test at 2.5 % over the number of things that are tested; its
interval of 95 % is shown without that correction.
Restrictions: one pair gives no interval, and then nothing is called slower.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEAST = 0.98  # of the gain; less than two per cent is no loss that matters
CHANCE = 0.025


@dataclass(frozen=True)
class Pair:
    """Seconds of one thing in both runs of a pair."""

    default: float
    tuned: float


@dataclass(frozen=True)
class Gain:
    """Time of the default over that with the rules, with bounds; `seconds` are medians."""

    value: float
    low: float | None
    high: float | None
    chance: float | None  # of such pairs where the gain is not below LEAST
    default_seconds: float
    tuned_seconds: float
    pairs: int

    def is_slower(self, tested: int = 1) -> bool:
        """Return whether it is significantly below `LEAST`, where so many things are tested."""
        return self.chance is not None and self.chance < CHANCE / max(tested, 1)


def gain_of(pairs: Sequence[Pair]) -> Gain | None:
    """The gain of pairs of positive times; None where there are none.

    >>> found = gain_of([Pair(2.0, 1.0), Pair(2.2, 1.0), Pair(1.8, 1.0)])
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2), found.is_slower()
    (1.99, 1.55, 2.56, False)
    """
    timed = [pair for pair in pairs if pair.default > 0 and pair.tuned > 0]
    if not timed:
        return None
    default = np.array([pair.default for pair in timed])
    tuned = np.array([pair.tuned for pair in timed])
    logs = np.log(default / tuned)
    low = high = chance = None
    if len(timed) > 1:
        from scipy.stats import t as student

        error = float(logs.std(ddof=1)) / np.sqrt(len(timed)) or np.finfo(float).tiny
        law = student(len(timed) - 1, loc=logs.mean(), scale=error)
        low, high = np.exp(law.interval(1 - 2 * CHANCE)).tolist()
        chance = float(law.sf(np.log(LEAST)))
    medians = float(np.median(default)), float(np.median(tuned))
    return Gain(float(np.exp(logs.mean())), low, high, chance, *medians, len(timed))
