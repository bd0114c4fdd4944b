"""Which algorithm of the catalogue the times of a regime grow like, over n."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from contend.base.document import Quantity
from contend.base.units import format_seconds
from contend.models.explanation.families import families
from contend.models.explanation.finding import Analysis, Finding, Kind
from contend.models.explanation.model import Fit
from contend.models.explanation.regime import Regime
from contend.models.explanation.words import at_sizes, counted, evidence

_UNLIKE = 0.35  # of log time; what is off by more is like no algorithm
_CLEARLY = 1.2  # times that errors are larger without forwarding; less is left unsaid


class AlgorithmOfSizes(Kind):
    name, order = "algorithm", 30

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """None where there is one n: nothing is then known of growth."""
        regimes = seen.regimes if len(seen.counts) > 1 else ()
        for is_forwarded, run in groupby(regimes, lambda each: each.explanation.best.is_forwarded):
            alike = list(run)
            error = _error([regime.explanation.best for regime in alike])
            without = _error([regime.explanation.plain for regime in alike])
            if error > _UNLIKE or (is_forwarded and without < _CLEARLY * error):
                continue
            sizes = alike[0].ends[0], alike[-1].ends[1]
            best = max(alike, key=lambda regime: regime.points.place.size).explanation.best
            text = f"{at_sizes(seen.exchange, sizes)} times grow with n like those of "
            text += _forwarded(seen, best, alike) if is_forwarded else _direct(seen, best, alike)
            text += ", as far as two numbers of processes tell" * (len(seen.counts) == 2)
            if not is_forwarded and best.fixed <= 0:
                yield Finding("algorithm", sizes, seen.counts, f"{text}.")
                continue
            values = {"fixed": Quantity(value=best.fixed, unit="s")} if best.fixed > 0 else {}
            text += f" {evidence(error, without)}."
            yield Finding("algorithm", sizes, seen.counts, text, values, error, without)


def _direct(seen: Analysis, best: Fit, alike: Sequence[Regime]) -> str:
    """A direct exchange, whether its cost grows, and what else it may be."""
    names = {term.name for regime in alike for term in regime.explanation.best.terms}
    cost = "whose cost depends on n, as described below"
    if names <= {"fixed"}:
        cost = f"of the same cost for {counted(seen.counts)}"
    is_open = any(other.is_forwarded for other in _others(alike)) or len(seen.counts) == 2
    small = ", or else small ones are forwarded" * (is_open and best.fixed > 0)
    return f"a {families()[0].title}: n-1 messages of a process, {cost}{_beside(best)}{small}"


def _forwarded(seen: Analysis, best: Fit, alike: Sequence[Regime]) -> str:
    """An exchange that forwards, and whether a direct one would do as well."""
    counts = seen.exchange.counts
    sent = best.family.sent(counts)[0]
    is_open = any(other.fixed > 0 and not other.is_forwarded for other in _others(alike))
    direct = ", or of a direct one beside a part that does not depend on n" * is_open
    return (
        f"{best.title}: {sent[0]:.0f} to {sent[-1]:.0f} messages of a process, where a direct "
        f"exchange of {counted(seen.counts)} has {counts[0] - 1:.0f} to {counts[-1] - 1:.0f}"
        f"{_beside(best)}{direct}"
    )


def _others(alike: Sequence[Regime]) -> list[Fit]:
    return [other for regime in alike for other in regime.explanation.others]


def _beside(fit: Fit) -> str:
    """The part of the time that does not depend on n, if there is one."""
    if fit.fixed <= 0:
        return ""
    return f", beside {format_seconds(fit.fixed)} that do not depend on n"


def _error(fits: Sequence[Fit]) -> float:
    """Standard deviation of log time."""
    return float(np.sqrt(np.mean(np.concatenate([fit.errors for fit in fits]) ** 2)))
