"""Which algorithm of the catalogue the times of a regime grow like, over n."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from contend.document import Quantity
from contend.structure.families import Family, families
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.model import Fit
from contend.structure.regime import Regime
from contend.structure.words import at_sizes, counted, evidence
from contend.units import format_seconds

_ALIKE = 0.1  # of an exponent
_FIXED = "a part that does not depend on n"
_UNLIKE = 0.35  # of log time; what is off by more is like no algorithm
_CLEARLY = 1.2  # times that errors are larger without forwarding; less is left unsaid
_BYTES = 0.5  # share of a time from which on its bytes are told


class AlgorithmOfSizes(Kind):
    """A family for each run of regimes."""

    name = "algorithm"
    order = 30

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """None where there is one n: nothing is then known of growth."""
        if seen.exchange.counts.size < 2:
            return
        for is_forwarded, run in groupby(
            seen.regimes, lambda one: one.explanation.best.is_forwarded
        ):
            own = list(run)
            sizes = own[0].sizes[0], own[-1].sizes[-1]
            best = max(own, key=lambda one: one.points.place.size).explanation.best
            error, without = (_error(fits) for fits in _both(own))
            if error > _UNLIKE or (is_forwarded and without < _CLEARLY * error):
                continue
            like = _forwarded(seen, best) if is_forwarded else _direct(seen, own)
            said = f"{at_sizes(seen.exchange, sizes)} {like}{_or_direct(own)}"
            if seen.exchange.counts.size == 2:
                said += ", as far as two numbers of processes tell"
            if not is_forwarded and best.fixed <= 0:
                yield Finding("algorithm", sizes, seen.counts, f"{said}.")
                continue
            said += f" {evidence(error, without)}"
            values = {"fixed": Quantity(value=best.fixed, unit="s")} if best.fixed > 0 else {}
            yield Finding("algorithm", sizes, seen.counts, f"{said}.", values, error, without)


def _or_direct(own: Sequence[Regime]) -> str:
    """That a direct exchange would do as well, of times that seem to be forwarded."""
    is_open = any(
        other.fixed > 0 and not other.is_forwarded
        for regime in own
        for other in regime.explanation.others
        if not regime.explanation.best.family.is_direct and other.family.is_direct
    )
    return f", or of a direct one beside {_FIXED}" if is_open else ""


def _direct(seen: Analysis, own: Sequence[Regime]) -> str:
    fits = [one.explanation.best for one in own]
    is_plain = all(term.kind == "fixed" for fit in fits for term in fit.terms)
    cost = (
        f"of the same cost for {counted(seen.counts)}"
        if is_plain
        else "whose cost depends on n, as told below"
    )
    like = f"like those of a {families()[0].title}"
    text = f"times grow with n {like}: n-1 messages of a process, {cost}"
    longest = max(fits, key=lambda fit: fit.errors.size)
    others = [other for one in own for other in one.explanation.others]
    is_open = seen.exchange.counts.size == 2 or any(other.is_forwarded for other in others)
    is_open = is_open and longest.fixed > 0
    return f"{text}{_beside(longest)}{', or else small ones are forwarded' * is_open}"


def _beside(fit: Fit) -> str:
    """The part of the time that does not depend on n, if there is one."""
    if fit.fixed <= 0:
        return ""
    return f", beside {format_seconds(fit.fixed)} that do not depend on n"


def _forwarded(seen: Analysis, best: Fit) -> str:
    """What they grow like, and how many messages that is."""
    if not best.family.is_direct:
        return _like(seen, best.family) + _beside(best)
    forwarding, exponents = families()[1], {"startups": 1 + best.startup_exponent}
    if best.bytes_share.max() >= _BYTES:
        exponents["bytes"] = 1 + best.byte_exponent
    usual = _usual(seen, forwarding)
    if all(abs(exponents[what] - usual[what]) < _ALIKE for what in exponents):
        return _like(seen, forwarding)
    return _mixed(exponents, usual, forwarding)


def _like(seen: Analysis, family: Family) -> str:
    """Times that grow as a family's."""
    counts = seen.exchange.counts
    sent = family.sent(counts)[0]
    return (
        f"times grow with n like those of {family.title}: {sent[0]:.0f} to {sent[-1]:.0f} "
        f"messages of a process, where a direct exchange of {counted(seen.counts)} has "
        f"{counts[0] - 1:.0f} to {counts[-1] - 1:.0f}"
    )


def _usual(seen: Analysis, family: Family) -> dict[str, float]:
    """Powers of n-1 that start-ups and bytes of a family grow as over the n measured."""
    counts = seen.exchange.counts
    way = np.log((counts[-1] - 1) / (counts[0] - 1))
    messages, volume = (float(np.log(sent[-1] / sent[0]) / way) for sent in family.sent(counts))
    return {"startups": messages, "bytes": volume}


def _mixed(exponents: Mapping[str, float], usual: Mapping[str, float], family: Family) -> str:
    """What start-ups and bytes grow as, and of which algorithm that is."""
    startups = exponents["startups"]
    said = f"start-ups grow with n as (n-1)^{startups:.2f}"
    if startups > usual["startups"] + _ALIKE:
        said += f", between {family.title} ({usual['startups']:.2f}) and a direct exchange (1)"
    elif startups > usual["startups"] - _ALIKE:
        said += f", as of {family.title}"
    else:
        said += f", as of {family.title} beside {_FIXED}"
    if "bytes" not in exponents:
        return said
    bytes_ = exponents["bytes"]
    like = "a direct exchange" if abs(bytes_ - 1) < _ALIKE else ""
    like = like or (family.title if abs(bytes_ - usual["bytes"]) < _ALIKE else "")
    return f"{said}, and bytes as (n-1)^{bytes_:.2f}{f', as of {like}' if like else ''}"


def _both(own: list[Regime]) -> tuple[list[Fit], list[Fit]]:
    return [one.explanation.best for one in own], [one.explanation.plain for one in own]


def _error(fits: list[Fit]) -> float:
    """Standard deviation of log time."""
    squares = sum(float(fit.errors @ fit.errors) for fit in fits)
    return float((squares / sum(fit.errors.size for fit in fits)) ** 0.5)
