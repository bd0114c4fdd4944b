"""Powers of two: numbers of processes for which a library takes another path."""

from collections.abc import Iterator
from typing import ClassVar

from contend.base.number_text import listed
from contend.models.explanation.case import Case
from contend.models.explanation.commands import measure
from contend.models.explanation.finding import Analysis, Finding, Try
from contend.models.explanation.growth import Growth, GrowthKind, Statement
from contend.models.explanation.words import at_sizes, times


class PowersOfTwo(GrowthKind):
    """Where powers of two and other n lie on two curves; a cause where the case is on the upper."""

    name, order = "powers_of_two", 70
    terms = ("powers_of_two",)
    slow: ClassVar = {"powers of two": "factor"}

    def statement(self, seen: Analysis, found: Growth) -> Statement:
        factor = seen.factor(found.parameter, found.deviation)
        powers = [n for n in found.counts if n & (n - 1) == 0]
        others = [n for n in found.counts if n & (n - 1)]
        sentence = (
            f"{at_sizes(seen.exchange, found.sizes)} powers of two take another path: at n = "
            f"{listed(powers)} an exchange takes {times(factor)} times what the others "
            f"({listed(others)}) lead to expect"
        )
        return "powers of two", sentence, {"factor": factor}

    def factor(self, case: Case, found: Finding) -> float | None:
        """Ratio of the class of the case to the other."""
        factor = super().factor(case, found)
        return factor if factor is None or case.n & (case.n - 1) == 0 else 1 / factor

    def tries(self, case: Case, found: Finding) -> Iterator[Try]:
        other = case.n - 1 if case.n & (case.n - 1) == 0 else 1 << (case.n.bit_length() - 1)
        again = measure(case, case.sizes_of(found), sorted({other, case.n}))
        yield Try(again, "compares both paths at nearly the same n")
