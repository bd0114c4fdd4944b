"""Terms of growth as the regimes have them: one finding for a term of regimes side by side."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from contend.base.document import Quantity
from contend.models.explanation.finding import Analysis, Finding, Kind
from contend.models.explanation.model import Fit
from contend.models.explanation.regime import Regime
from contend.models.explanation.terms import Term
from contend.models.explanation.words import either, evidence

COST_OF = {"all": "a message", "bytes": "a byte", "startups": "a start-up"}
_ALIKE = 3.0  # standard deviations that parameters of one term may differ by
_SHARE_ALIKE = 0.25  # of the larger parameter; noise alone would tell regimes apart too finely
Statement = tuple[str, str, dict[str, Quantity]]  # kind, sentence without evidence, values
_IN_WORDS = {
    "power": "a cost of {cost} that grows with every n",
    "onset": "saturation beyond n = {n}",
    "step": "a step beyond n = {n}",
    "fixed": "a part of the time that does not depend on n",
    "local": "cheaper messages within a node",
    "powers_of_two": "another path at powers of two",
    "outlier": "n = {n} that stands out",
}


@dataclass(frozen=True)
class Growth:
    """A term with its parameter, and the regimes that have it, side by side."""

    term: Term
    parameter: float
    deviation: float
    fits: tuple[Fit, ...]
    regimes: tuple[Regime, ...]

    @property
    def main(self) -> int:
        return max(range(len(self.fits)), key=lambda at: self.fits[at].errors.size)

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(int(n) for n in self.regimes[self.main].points.counts)

    @property
    def sizes(self) -> tuple[int, int]:
        return self.regimes[0].sizes[0], self.regimes[-1].sizes[-1]

    def factor(self, seen: Analysis, place: int = -1) -> Quantity:
        """By what the term multiplies at the n of that place."""
        logarithm, slope = (float(curve[place]) for curve in self.term.curve(self.parameter))
        return seen.factor(logarithm, abs(slope) * self.deviation)

    def missed(self, place: int) -> float:
        """Logarithm by which the n of that place is dearer than fitted, against all the others.

        A term on bytes is missed by more than the time is, where the time is not all bytes.
        """
        fit = self.fits[self.main]
        share = self.term.share(fit.bytes_share)
        is_at = self.regimes[self.main].points.place == place
        used = share >= share.max() / 2
        residuals = fit.errors / np.maximum(share, 1e-9)
        here, rest = residuals[used & is_at], residuals[used & ~is_at]
        return float(here.mean() - rest.mean()) if here.size and rest.size else 0.0

    def errors(self) -> tuple[float, float]:
        """Deviation of log time with all terms, and with this one taken back, about the mean."""
        parts, without = [], []
        for fit, regime in zip(self.fits, self.regimes, strict=True):
            number = [term.name for term in fit.terms].index(self.term.name)
            taken = fit.effect(number, regime.points.place)
            parts.append(fit.errors)
            without.append(fit.errors + taken - np.mean(taken))
        squares = (np.mean(np.concatenate(each) ** 2) for each in (parts, without))
        return tuple(float(np.sqrt(each)) for each in squares)  # type: ignore[return-value]

    def otherwise(self) -> str:
        """What else the same times could come from, as the end of a sentence."""
        others = {
            _IN_WORDS[term.name].format(n=term.n, cost=COST_OF[term.on])
            for regime in self.regimes
            for fit in regime.explanation.others
            if len(fit.terms) == 1 and fit.family.is_direct
            for term in fit.terms
            if term.name != self.term.name
        }
        return f"; {either(sorted(others))} would fit as well" if others else ""


class GrowthKind(Kind):
    """Base of the kinds that say what a term of growth means; `terms` are its names."""

    terms: ClassVar[tuple[str, ...]]

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each run of regimes that agree on a term."""
        for growth in growths(seen, self.terms):
            kind, sentence, values = self.statement(seen, growth)
            is_outlier = growth.term.name == "outlier"
            counts = tuple(n for n in growth.counts if n == growth.term.n or not is_outlier)
            error, without = growth.errors()
            sentence += f"{growth.otherwise()} {evidence(error, without)}."
            yield Finding(kind, growth.sizes, counts, sentence, values, error, without)

    @abstractmethod
    def statement(self, seen: Analysis, growth: Growth) -> Statement:
        """Say what the term means."""


def growths(seen: Analysis, names: Sequence[str]) -> Iterator[Growth]:
    """Terms of these names, each for a run of regimes that agree on it."""
    run: Growth | None = None
    for regime in seen.regimes:
        fit = regime.explanation.best
        for number, term in enumerate(fit.terms):
            if term.name not in names:
                continue
            parameter = float(fit.parameters[number])
            growth = Growth(term, parameter, fit.deviation(number), (fit,), (regime,))
            joined = _joined(run, growth) if run else None
            if run and joined is None:
                yield run
            run = joined or growth
    if run:
        yield run


def _joined(before: Growth, after: Growth) -> Growth | None:
    """Both as one, where they agree; a regime without the term between them does not count."""
    apart = abs(before.parameter - after.parameter)
    widest = max(abs(before.parameter), abs(after.parameter))
    alike = max(_ALIKE * np.hypot(before.deviation, after.deviation), _SHARE_ALIKE * widest)
    is_same = (before.term.name, before.term.n, before.counts) == (
        after.term.name, after.term.n, after.counts)  # fmt: skip
    if not is_same or apart > alike:
        return None
    mean = np.average(
        [before.parameter, after.parameter], weights=[before.deviation**-2, after.deviation**-2]
    )
    larger = max((before, after), key=lambda each: max(fit.errors.size for fit in each.fits))
    # both have the same launches, which is why they tell no more together
    deviation = min(before.deviation, after.deviation)
    both = before.fits + after.fits, before.regimes + after.regimes
    return Growth(larger.term, float(mean), deviation, *both)
