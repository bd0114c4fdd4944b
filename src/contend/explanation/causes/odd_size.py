"""A single size that takes longer than its neighbours lead to expect."""

from contend.explanation.case import Case
from contend.explanation.cause import Try
from contend.explanation.commands import measure
from contend.explanation.of_structure import OfStructure
from contend.structure.finding import Finding


class OddSize(OfStructure):
    """A size alone."""

    name, order = "odd size", 40
    kinds, value = ("odd size",), "factor"

    def tries(self, case: Case, finding: Finding) -> tuple[Try, ...]:
        """What to try."""
        m = finding.sizes[0]
        near = [m - m // 4, m, m + m // 4]
        return (Try(measure(case, near), "tells whether this size alone is slow, or was once"),)
