"""A size from which a byte costs more: buffers, caches or switches that it does not fit into."""

from contend.explanation.case import Case
from contend.explanation.cause import Try
from contend.explanation.commands import choose, exchange
from contend.explanation.of_structure import OfStructure, sizes_in
from contend.structure.finding import Finding


class DearerBytes(OfStructure):
    """A slope that rises."""

    name, order = "dearer bytes", 42
    kinds, value = ("rising slope",), "byte"

    def tries(self, case: Case, finding: Finding) -> tuple[Try, ...]:
        """What to try."""
        sizes = sizes_in(case, finding)
        return (exchange(case),) if case.is_exchange else choose(case, sizes)
