"""A number of processes that takes longer than all others lead to expect."""

from contend.explanation.case import Case
from contend.explanation.cause import Try
from contend.explanation.commands import measure
from contend.explanation.of_structure import OfStructure, sizes_in
from contend.structure.finding import Finding


class OddCount(OfStructure):
    """An n alone."""

    name, order = "n that stands out", 52
    kinds, value = ("n that stands out",), "factor"
    over_n = True

    def tries(self, case: Case, finding: Finding) -> tuple[Try, ...]:
        """What to try."""
        again = measure(case, sizes_in(case, finding))
        return (Try(again, "tells whether this launch alone was slow"),)

    def is_of(self, case: Case, finding: Finding) -> bool:
        """Whether it is the n of the case."""
        return finding.counts == (case.n,)
