"""A size from which times are higher: the library changes its algorithm or its protocol there."""

from contend.explanation.case import Case
from contend.explanation.cause import Try
from contend.explanation.commands import choose
from contend.explanation.of_structure import OfStructure, sizes_in
from contend.structure.finding import Finding


class Step(OfStructure):
    """A jump, upwards."""

    name, order = "step at a size", 41
    kinds, value = ("algorithm switch", "level jump"), "jump"

    def tries(self, case: Case, finding: Finding) -> tuple[Try, ...]:
        """What to try."""
        return choose(case, sizes_in(case, finding))
