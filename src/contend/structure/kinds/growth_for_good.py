"""Growth for good: the cost of a message grows as a power of n, as on a torus.

Restrictions: of a direct exchange; where messages are forwarded the algorithm is told with its
growth. Two n tell how much it grew between them, not why, nor whether it goes on.
"""

from collections.abc import Iterator

from contend.document import Quantity
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.grown import WHAT, Grown, grown
from contend.structure.words import at_sizes, counted, evidence, times


class GrowthForGood(Kind):
    """A power of n-1 beyond the n-1 messages of a direct exchange."""

    name = "growth_for_good"
    order = 80

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each run of regimes that agree on it."""
        for on in ("bytes", "all", "startups"):
            for own in grown(seen, ["power"]):
                is_forwarded = any(fit.is_forwarded for fit in own.fits)
                if own.term.on == on and not is_forwarded:
                    yield _finding(seen, own)


def _finding(seen: Analysis, own: Grown) -> Finding:
    factor = own.factor(seen)
    apart = seen.t_factor * own.deviation
    exponent = Quantity(
        value=own.parameter, unit="1", low=own.parameter - apart, high=own.parameter + apart
    )
    error, without = own.errors()
    is_told = len(own.counts) > 2
    grows = own.parameter > 0
    kind = "growth for good" if grows and is_told else "growth" if grows else "falling cost over n"
    where, what = at_sizes(seen.exchange, own.sizes), WHAT[own.term.on]
    said = (
        f"{where} the cost of {what} {'grows' if grows else 'falls'} with every n, as "
        f"(n-1)^{times(exponent)}, {times(factor)} times over {counted(own.counts)}"
        f"{', as on a torus' if grows else ''}{own.otherwise()}"
        if is_told
        else f"{where} {what} costs {times(factor)} times as much for {own.counts[-1]} processes "
        f"as for {own.counts[0]}; two numbers of processes do not tell why, nor whether it goes on"
    )
    return Finding(
        kind, own.sizes, own.counts, f"{said} {evidence(error, without)}.",
        {"exponent": exponent, "factor": factor}, error, without,
    )  # fmt: skip
