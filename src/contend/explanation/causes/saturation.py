"""Beyond so many processes a message costs more: something shared is full."""

from contend.explanation.case import Case
from contend.explanation.cause import Try
from contend.explanation.commands import exchange
from contend.explanation.of_structure import OfStructure
from contend.structure.finding import Finding


class Saturation(OfStructure):
    """An onset over n, before the n of the case."""

    name, order = "saturation", 50
    kinds, value = ("saturation",), "factor at the largest n"
    over_n = True

    def tries(self, case: Case, finding: Finding) -> tuple[Try, ...]:
        """What to try."""
        return (exchange(case),)

    def is_of(self, case: Case, finding: Finding) -> bool:
        """Whether it sets in before the n of the case."""
        last = finding.values.get("last n before")
        return last is not None and case.n > float(last)
