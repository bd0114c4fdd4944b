"""A single number of processes that takes longer, or less long, than the others lead to expect."""

from collections.abc import Iterator
from typing import ClassVar

from contend.models.explanation.case import Case
from contend.models.explanation.commands import measure
from contend.models.explanation.finding import Analysis, Finding, Try
from contend.models.explanation.growth import Growth, GrowthKind, Statement
from contend.models.explanation.words import at_sizes, times


class OutlierN(GrowthKind):
    """An n that lies on no curve of the others."""

    name, order = "outlier_n", 90
    terms = ("outlier",)
    slow: ClassVar = {"outlier n": "factor"}

    def statement(self, seen: Analysis, found: Growth) -> Statement:
        factor, n = seen.factor(found.parameter, found.deviation), found.term.n
        sentence = (
            f"{at_sizes(seen.exchange, found.sizes)} n = {n} stands out: an exchange takes "
            f"{times(factor)} times what the other n lead to expect"
        )
        return "outlier n", sentence, {"factor": factor}

    def tries(self, case: Case, found: Finding) -> Iterator[Try]:
        again = measure(case, case.sizes_of(found))
        yield Try(again, "tells whether this launch alone was slow")
