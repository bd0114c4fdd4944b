"""Numbers of processes that are powers of two, or are none, take a slower path of the library."""

from contend.explanation.case import Case
from contend.explanation.cause import Try
from contend.explanation.commands import measure
from contend.explanation.of_structure import OfStructure, sizes_in
from contend.structure.finding import Finding


class PowersOfTwo(OfStructure):
    """Two curves over n, and the case on the upper one."""

    name, order = "powers of two", 51
    kinds, value = ("powers of two",), "factor"
    over_n = True

    def tries(self, case: Case, finding: Finding) -> tuple[Try, ...]:
        """What to try."""
        other = case.n - 1 if case.n & (case.n - 1) == 0 else 1 << (case.n.bit_length() - 1)
        again = measure(case, sizes_in(case, finding), sorted({other, case.n}))
        return (Try(again, "compares both paths at nearly the same n"),)

    def factor(self, case: Case, finding: Finding) -> float | None:
        """That of the class of the case over the other."""
        known = super().factor(case, finding)
        is_power = case.n & (case.n - 1) == 0
        return known if known is None or is_power else 1 / known
