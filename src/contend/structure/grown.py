"""Terms of growth as the regimes have them: the same term of regimes side by side is one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from contend.document import Floats, Quantity
from contend.structure.finding import Analysis
from contend.structure.growth import Term
from contend.structure.model import Fit, Points
from contend.structure.regime import Regime
from contend.structure.words import either

WHAT = {"all": "a message", "bytes": "a byte", "startups": "a start-up"}
_ALIKE = 3.0  # standard deviations that parameters of one term may differ by
_SHARE_ALIKE = 0.25  # of the larger parameter; noise alone would tell regimes apart too finely


@dataclass(frozen=True)
class Grown:
    """A term with its parameter, and the regimes that have it, side by side."""

    term: Term
    parameter: float
    deviation: float
    fits: tuple[Fit, ...]
    regimes: tuple[Regime, ...]

    @property
    def points(self) -> Points:
        """Of the regime that tells most."""
        return max(self.regimes, key=lambda regime: regime.points.place.size).points

    @property
    def counts(self) -> tuple[int, ...]:
        """All n measured there."""
        return tuple(int(n) for n in self.points.counts)

    @property
    def sizes(self) -> tuple[int, int]:
        """The first and the last."""
        return self.regimes[0].sizes[0], self.regimes[-1].sizes[-1]

    def factor(self, seen: Analysis, place: int = -1) -> Quantity:
        """By what the term multiplies at the n of that place."""
        logarithm, slope = (float(curve[place]) for curve in self.term.curve(self.parameter))
        return seen.factor(logarithm, abs(slope) * self.deviation)

    def missed(self, place: int) -> float:
        """Logarithm by which the n of that place is dearer than fitted, against all the others.

        A term on bytes is missed by more than the time is, where the time is not all bytes.
        """
        fit = max(self.fits, key=lambda one: one.errors.size)
        shares = {"all": 1.0 + 0 * fit.bytes_share, "bytes": fit.bytes_share}
        share = shares.get(self.term.on, 1 - fit.bytes_share)
        own = self.points.place == place % self.points.counts.size
        used = share >= share.max() / 2
        left = fit.errors / np.maximum(share, 1e-9)
        here, rest = left[used & own], left[used & ~own]
        return float(here.mean() - rest.mean()) if here.size and rest.size else 0.0

    def errors(self) -> tuple[float, float]:
        """Of log time with all terms, and with the term taken back."""
        return _spread(self.fits, self.regimes, None), _spread(self.fits, self.regimes, self.term)

    def otherwise(self) -> str:
        """What else the same times could come from, as the end of a sentence."""
        known = {
            _words(term)
            for regime in self.regimes
            for fit in regime.explanation.others
            if len(fit.terms) == 1 and fit.family.is_direct
            for term in fit.terms
            if term.kind != self.term.kind
        }
        return f"; {either(sorted(known))} would fit as well" if known else ""


def grown(seen: Analysis, kinds: Sequence[str]) -> Iterator[Grown]:
    """Terms of these kinds, each for a run of regimes that agree on it."""
    run: Grown | None = None
    for regime in seen.regimes:
        for own in _own(regime, kinds):
            joined = _joined(run, own) if run else None
            if run and joined is None:
                yield run
            run = joined or own
    if run:
        yield run


def _own(regime: Regime, kinds: Sequence[str]) -> Iterator[Grown]:
    fit = regime.explanation.best
    for number, term in enumerate(fit.terms):
        if term.kind in kinds:
            parameter = float(fit.parameters[number])
            yield Grown(term, parameter, fit.deviation(number), (fit,), (regime,))


def _joined(left: Grown, right: Grown) -> Grown | None:
    """Both as one, where they agree; a regime without the term between them does not count."""
    apart = abs(left.parameter - right.parameter)
    widest = max(abs(left.parameter), abs(right.parameter))
    alike = max(_ALIKE * np.hypot(left.deviation, right.deviation), _SHARE_ALIKE * widest)
    is_same = left.term.kind == right.term.kind and left.counts == right.counts
    if not is_same or apart > alike or left.term.last_flat != right.term.last_flat:
        return None
    weights = np.array([1 / left.deviation**2, 1 / right.deviation**2])
    mean = float(weights @ [left.parameter, right.parameter] / weights.sum())
    larger = max((left, right), key=lambda one: one.points.place.size)
    # both have the same launches, which is why they tell no more together
    deviation = min(left.deviation, right.deviation)
    return Grown(larger.term, mean, deviation, left.fits + right.fits, left.regimes + right.regimes)


def _spread(fits: Sequence[Fit], regimes: Sequence[Regime], without: Term | None) -> float:
    """Standard deviation of errors, those of a term that is taken back about their own mean."""
    parts: list[Floats] = []
    for fit, regime in zip(fits, regimes, strict=True):
        errors = fit.errors
        for term, parameter in zip(fit.terms, fit.parameters, strict=True):
            if without is not None and term.kind == without.kind:
                shares = {"all": 1.0, "bytes": fit.bytes_share, "startups": 1 - fit.bytes_share}
                taken = term.curve(float(parameter))[0][regime.points.place] * shares[term.on]
                errors = errors + taken - np.mean(taken)
        parts.append(errors)
    return float(np.sqrt(np.mean(np.concatenate(parts) ** 2)))


def _words(term: Term) -> str:
    """A term as a possibility."""
    return {
        "power": f"a cost of {WHAT[term.on]} that grows with every n",
        "onset": f"saturation beyond n = {term.last_flat}",
        "step": f"a step beyond n = {term.last_flat}",
        "fixed": "a part of the time that does not depend on n",
        "local": "cheaper messages within a node",
        "powers_of_two": "another path at powers of two",
    }[term.kind]
