"""What changes with n, a kind for each term of growth.

Local messages, saturation, powers of two, growth for good, and single n that stand out.

Restrictions: two n show how much the cost grew between them, not why, nor whether it goes on.
"""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from contend.base.document import Quantity
from contend.base.number_text import listed, percent
from contend.models.explanation.case import Case
from contend.models.explanation.commands import exchange, measure
from contend.models.explanation.finding import Analysis, Finding, Try
from contend.models.explanation.growth import COST_OF, Growth, GrowthKind, Statement
from contend.models.explanation.model import LAUNCH
from contend.models.explanation.words import at_sizes, counted, times, within

BEFORE = "last n before"


class LocalMessages(GrowthKind):
    """Where several processes share a node and growth over n is that of the remote share."""

    name, order = "local_messages", 50
    terms = ("local",)

    def statement(self, seen: Analysis, growth: Growth) -> Statement:
        """The shares that stay on the node, and what they cost."""
        per_node = seen.exchange.processes_per_node or 1
        cost = seen.factor(growth.parameter, growth.deviation)
        counts = [n for n in growth.counts if n > per_node]
        shares = [(n, percent((per_node - 1) / (n - 1))) for n in (counts[0], counts[-1])]
        ends = " and ".join(f"{share} for n = {n}" for n, share in dict.fromkeys(shares))
        where = within(at_sizes(seen.exchange, growth.sizes))
        sentence = (
            f"{per_node} processes per node: {per_node - 1} of n-1 messages stay on the node "
            f"({ends}), where {COST_OF[growth.term.on]} costs {times(cost)} times one to another "
            f"node ({where}); so the mean cost grows with n until nearly all peers are remote"
        )
        return "local messages", sentence, {"local over remote": cost}


class Saturation(GrowthKind):
    """An onset over n, after which the cost grows or is another one."""

    name, order = "saturation", 60
    terms = ("onset", "step")
    slow: ClassVar = {"saturation": "factor at the largest n"}

    def statement(self, seen: Analysis, growth: Growth) -> Statement:
        """The n around it, and the cost at the largest n."""
        factor, flat, last = _measured(seen, growth), growth.term.n or 0, growth.counts[-1]
        beyond = next(n for n in growth.counts if n > flat)
        is_dearer = growth.parameter > 0
        sentence = (
            f"{at_sizes(seen.exchange, growth.sizes)} {COST_OF[growth.term.on]} costs the same up "
            f"to n = {flat} and {'more' if is_dearer else 'less'} beyond it, {times(factor)} times "
            f"as much at n = {last}"
        )
        if growth.term.name == "onset" and beyond < last:
            sentence += f", as (n-1)^{growth.parameter:.2f} from there on"
        if is_dearer:
            sentence += f": saturation sets in between n = {flat} and {beyond}"
        values = {BEFORE: Quantity(value=float(flat), unit="1"), "factor at the largest n": factor}
        return "saturation" if is_dearer else "cheaper beyond an n", sentence, values

    def factor(self, case: Case, finding: Finding) -> float | None:
        """Only beyond the n that it sets in at."""
        is_beyond = case.n > float(finding.values[BEFORE])
        return super().factor(case, finding) if is_beyond else None

    def tries(self, case: Case, finding: Finding) -> Iterator[Try]:
        yield exchange(case)


def _measured(seen: Analysis, growth: Growth) -> Quantity:
    """At the largest n as it was measured there: no curve over n is the truth."""
    place = len(growth.counts) - 1
    logarithm, slope = (float(curve[place]) for curve in growth.term.curve(growth.parameter))
    deviation = float(np.hypot(abs(slope) * growth.deviation, LAUNCH / 2))
    return seen.factor(logarithm + growth.missed(place), deviation)


class PowersOfTwo(GrowthKind):
    """Where powers of two and other n lie on two curves; a cause where the case is on the upper."""

    name, order = "powers_of_two", 70
    terms = ("powers_of_two",)
    slow: ClassVar = {"powers of two": "factor"}

    def statement(self, seen: Analysis, growth: Growth) -> Statement:
        factor = seen.factor(growth.parameter, growth.deviation)
        powers = [n for n in growth.counts if n & (n - 1) == 0]
        others = [n for n in growth.counts if n & (n - 1)]
        sentence = (
            f"{at_sizes(seen.exchange, growth.sizes)} powers of two take another path: at n = "
            f"{listed(powers)} an exchange takes {times(factor)} times what the others "
            f"({listed(others)}) lead to expect"
        )
        return "powers of two", sentence, {"factor": factor}

    def factor(self, case: Case, finding: Finding) -> float | None:
        """Ratio of the class of the case to the other."""
        factor = super().factor(case, finding)
        return factor if factor is None or case.n & (case.n - 1) == 0 else 1 / factor

    def tries(self, case: Case, finding: Finding) -> Iterator[Try]:
        other = case.n - 1 if case.n & (case.n - 1) == 0 else 1 << (case.n.bit_length() - 1)
        again = measure(case, case.sizes_of(finding), sorted({other, case.n}))
        yield Try(again, "compares both paths at nearly the same n")


class GrowthForGood(GrowthKind):
    """A power of n-1 beyond the messages of the algorithm."""

    name, order = "growth_for_good", 80
    terms = ("power",)

    def statement(self, seen: Analysis, growth: Growth) -> Statement:
        """The power, and what it comes to over the n measured."""
        factor, wide = growth.factor(seen), seen.t_factor * growth.deviation
        exponent = Quantity(
            value=growth.parameter, unit="1",
            low=growth.parameter - wide, high=growth.parameter + wide,
        )  # fmt: skip
        where, cost = at_sizes(seen.exchange, growth.sizes), COST_OF[growth.term.on]
        grows, several = growth.parameter > 0, len(growth.counts) > 2
        sentence = (
            f"{where} the cost of {cost} {'grows' if grows else 'falls'} with every n, as "
            f"(n-1)^{times(exponent)}, {times(factor)} times over {counted(growth.counts)}"
            f"{', as on a torus' if grows else ''}"
            if several
            else f"{where} {cost} costs {times(factor)} times as much for {growth.counts[-1]} "
            f"processes as for {growth.counts[0]}; two numbers of processes do not tell why, nor "
            "whether it goes on"
        )
        kind = "growth for good" if several else "growth"
        kind = kind if grows else "falling cost over n"
        return kind, sentence, {"exponent": exponent, "factor": factor}


class OutlierN(GrowthKind):
    """An n that lies on no curve of the others."""

    name, order = "outlier_n", 90
    terms = ("outlier",)
    slow: ClassVar = {"outlier n": "factor"}

    def statement(self, seen: Analysis, growth: Growth) -> Statement:
        factor, n = seen.factor(growth.parameter, growth.deviation), growth.term.n
        sentence = (
            f"{at_sizes(seen.exchange, growth.sizes)} n = {n} stands out: an exchange takes "
            f"{times(factor)} times what the other n lead to expect"
        )
        return "outlier n", sentence, {"factor": factor}

    def tries(self, case: Case, finding: Finding) -> Iterator[Try]:
        again = measure(case, case.sizes_of(finding))
        yield Try(again, "tells whether this launch alone was slow")
