"""Growth for good: the cost of a message grows as a power of n, as on a torus.

Restrictions: two n tell how much it grew between them, not why, nor whether it goes on.
"""

from contend.base.document import Quantity
from contend.models.explanation.finding import Analysis
from contend.models.explanation.growth import COST_OF, Growth, GrowthKind, Statement
from contend.models.explanation.words import at_sizes, counted, times


class GrowthForGood(GrowthKind):
    """A power of n-1 beyond the messages of the algorithm."""

    name, order = "growth_for_good", 80
    terms = ("power",)

    def statement(self, seen: Analysis, found: Growth) -> Statement:
        """The power, and what it comes to over the n measured."""
        factor, wide = found.factor(seen), seen.t_factor * found.deviation
        exponent = Quantity(
            value=found.parameter, unit="1",
            low=found.parameter - wide, high=found.parameter + wide,
        )  # fmt: skip
        where, cost = at_sizes(seen.exchange, found.sizes), COST_OF[found.term.on]
        grows, several = found.parameter > 0, len(found.counts) > 2
        sentence = (
            f"{where} the cost of {cost} {'grows' if grows else 'falls'} with every n, as "
            f"(n-1)^{times(exponent)}, {times(factor)} times over {counted(found.counts)}"
            f"{', as on a torus' if grows else ''}"
            if several
            else f"{where} {cost} costs {times(factor)} times as much for {found.counts[-1]} "
            f"processes as for {found.counts[0]}; two numbers of processes do not tell why, nor "
            "whether it goes on"
        )
        kind = "growth for good" if several else "growth"
        kind = kind if grows else "falling cost over n"
        return kind, sentence, {"exponent": exponent, "factor": factor}
