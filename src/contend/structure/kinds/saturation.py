"""Saturation: up to some n a message costs the same, beyond it more."""

from collections.abc import Iterator

import numpy as np

from contend.document import Quantity
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.grown import WHAT, Grown, grown
from contend.structure.model import LAUNCH
from contend.structure.words import at_sizes, evidence, times


class Saturation(Kind):
    """An onset over n, after which the cost grows or is another one."""

    name = "saturation"
    order = 60

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each run of regimes that agree on it."""
        for own in grown(seen, ["onset", "step"]):
            factor = _measured(seen, own)
            error, without = own.errors()
            is_dearer = own.parameter > 0
            yield Finding(
                "saturation" if is_dearer else "cheaper beyond an n", own.sizes, own.counts,
                f"{at_sizes(seen.exchange, own.sizes)} {_said(own, factor)}{own.otherwise()} "
                f"{evidence(error, without)}.",
                {"last n before": Quantity(value=float(own.term.last_flat or 0), unit="1"),
                 "factor at the largest n": factor}, error, without,
            )  # fmt: skip


def _measured(seen: Analysis, own: Grown) -> Quantity:
    """At the largest n as it was measured there: no curve over n is the truth."""
    place = len(own.counts) - 1
    logarithm, slope = (float(curve[place]) for curve in own.term.curve(own.parameter))
    deviation = float(np.hypot(abs(slope) * own.deviation, LAUNCH / 2))
    return seen.factor(logarithm + own.missed(place), deviation)


def _said(own: Grown, factor: Quantity) -> str:
    flat, last = own.term.last_flat, own.counts[-1]
    beyond = next(n for n in own.counts if n > (flat or 0))
    what = WHAT[own.term.on]
    more = "more" if own.parameter > 0 else "less"
    cause = f": saturation sets in between n = {flat} and {beyond}" if own.parameter > 0 else ""
    how = (
        f", as (n-1)^{own.parameter:.2f} from there on"
        if own.term.kind == "onset" and beyond < last
        else ""
    )
    return (
        f"{what} costs the same up to n = {flat} and {more} beyond it, {times(factor)} times as "
        f"much at n = {last}{how}{cause}"
    )
