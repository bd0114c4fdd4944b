"""Powers of two: numbers of processes for which a library takes another path."""

from collections.abc import Iterator

from contend.number_text import listed
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.grown import grown
from contend.structure.words import at_sizes, evidence, times


class PowersOfTwo(Kind):
    """Where powers of two and other n lie on two curves."""

    name = "powers_of_two"
    order = 70

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each run of regimes that agree on it."""
        for own in grown(seen, ["powers_of_two"]):
            factor = seen.factor(own.parameter, own.deviation)
            powers = [n for n in own.counts if n & (n - 1) == 0]
            others = [n for n in own.counts if n & (n - 1)]
            error, without = own.errors()
            yield Finding(
                "powers of two", own.sizes, own.counts,
                f"{at_sizes(seen.exchange, own.sizes)} powers of two take another path: at n = "
                f"{listed(powers)} an exchange takes {times(factor)} times what the others "
                f"({listed(others)}) lead to expect{own.otherwise()} {evidence(error, without)}.",
                {"factor": factor}, error, without,
            )  # fmt: skip
