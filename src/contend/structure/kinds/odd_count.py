"""A single number of processes that takes longer, or less long, than all others lead to expect."""

from collections.abc import Iterator

import numpy as np

from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.model import LAUNCH
from contend.structure.regime import Regime
from contend.structure.words import at_sizes, times

_CLEAR = 4.0  # standard deviations, of the largest of all n and regimes
_LEAST = np.log(1.2)


class OddCount(Kind):
    """Where the growth that fits best still misses an n by far."""

    name = "odd_count"
    order = 90

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each regime and n."""
        for regime in seen.regimes:
            yield from _of(seen, regime)


def _of(seen: Analysis, regime: Regime) -> Iterator[Finding]:
    points, best = regime.points, regime.explanation.best
    if points.counts.size <= 3 + len(best.terms):
        return
    own = np.bincount(points.place)
    mean = np.bincount(points.place, weights=best.errors) / own
    middle = float(np.median(mean))
    deviation = np.sqrt((regime.noise / points.trust) ** 2 / own + LAUNCH**2)
    for place, off in enumerate(mean - middle):
        if abs(off) > max(_CLEAR * deviation[place], _LEAST):
            n, factor = int(points.counts[place]), seen.factor(float(off), float(deviation[place]))
            sizes = regime.sizes[0], regime.sizes[-1]
            yield Finding(
                "n that stands out", sizes, (n,),
                f"{at_sizes(seen.exchange, sizes)} n = {n} stands out: an exchange takes "
                f"{times(factor)} times what all n together lead to expect.",
                {"factor": factor},
            )  # fmt: skip
