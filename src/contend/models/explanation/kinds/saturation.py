"""Saturation: up to some n a message costs the same, beyond it more: something shared is full."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from contend.base.document import Quantity
from contend.models.explanation.case import Case
from contend.models.explanation.commands import exchange
from contend.models.explanation.finding import Analysis, Finding, Try
from contend.models.explanation.growth import COST_OF, Growth, GrowthKind, Statement
from contend.models.explanation.model import LAUNCH
from contend.models.explanation.words import at_sizes, times

BEFORE = "last n before"


class Saturation(GrowthKind):
    """An onset over n, after which the cost grows or is another one."""

    name, order = "saturation", 60
    terms = ("onset", "step")
    slow: ClassVar = {"saturation": "factor at the largest n"}

    def statement(self, seen: Analysis, found: Growth) -> Statement:
        """The n around it, and the cost at the largest n."""
        factor, flat, last = _measured(seen, found), found.term.n or 0, found.counts[-1]
        beyond = next(n for n in found.counts if n > flat)
        is_dearer = found.parameter > 0
        sentence = (
            f"{at_sizes(seen.exchange, found.sizes)} {COST_OF[found.term.on]} costs the same up to "
            f"n = {flat} and {'more' if is_dearer else 'less'} beyond it, {times(factor)} times as "
            f"much at n = {last}"
        )
        if found.term.name == "onset" and beyond < last:
            sentence += f", as (n-1)^{found.parameter:.2f} from there on"
        if is_dearer:
            sentence += f": saturation sets in between n = {flat} and {beyond}"
        values = {BEFORE: Quantity(value=float(flat), unit="1"), "factor at the largest n": factor}
        return "saturation" if is_dearer else "cheaper beyond an n", sentence, values

    def factor(self, case: Case, found: Finding) -> float | None:
        """Only beyond the n that it sets in at."""
        is_beyond = case.n > float(found.values[BEFORE])
        return super().factor(case, found) if is_beyond else None

    def tries(self, case: Case, found: Finding) -> Iterator[Try]:
        yield exchange(case)


def _measured(seen: Analysis, found: Growth) -> Quantity:
    """At the largest n as it was measured there: no curve over n is the truth."""
    place = len(found.counts) - 1
    logarithm, slope = (float(curve[place]) for curve in found.term.curve(found.parameter))
    deviation = float(np.hypot(abs(slope) * found.deviation, LAUNCH / 2))
    return seen.factor(logarithm + found.missed(place), deviation)
