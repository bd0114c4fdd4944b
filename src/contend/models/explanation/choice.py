"""Which algorithm and which terms of growth the times of a regime ask for.

Idea: the plain explanation is a direct exchange whose messages cost the same at every n. Another
family, and named terms (`terms`), two at most, are tried, and kept where the extended Bayesian
information criterion (`contend.base.statistics.criterion`) is strongly for them. What it does not
strongly tell apart is kept as another possibility; of as many terms forwarding goes first.
Restrictions: k terms take k + 2 numbers of processes or more, since k + 1 would agree with any k
terms; of two n only powers and a fixed part are tried, whose names say no cause.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb
from operator import itemgetter

import numpy as np

from contend.base.statistics.criterion import STRONG, criterion, deviance
from contend.models.explanation.families import Family, families
from contend.models.explanation.model import Fit, Points, fit
from contend.models.explanation.terms import On, Term, candidates

LEAST_EFFECT = 0.15  # a term that changes no time by more is not worth a word
_KEPT = 3  # models of each length that are made longer
_STARTUPS = ("startups", "power")  # of what is forwarded, which another family would be
_SHAPES = {"power", "onset", "step"}
_Model = tuple[Family, tuple[Term, ...]]
_VISIBLE = 0.3  # share of a time that start-ups take somewhere, of those that are forwarded


@dataclass(frozen=True)
class Explanation:
    """The best fit, the plain one, and others that are not much worse by other terms or family."""

    best: Fit
    plain: Fit
    others: tuple[Fit, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether a direct exchange at one cost per message is enough."""
        return self.best is self.plain


def explained(
    points: Points, least_error: float, degrees: int, per_node: int | None,
    *, may_forward: bool,
) -> Explanation:  # fmt: skip
    """The family and terms that fit best; `degrees` of freedom are behind the points' noise.

    `least_error` is that of a line over m for each n by itself, which no explanation goes below.
    """
    direct, *forwarding = families()
    plain = fit(points, direct, ())
    if points.counts.size < 2:
        return Explanation(plain, plain)
    tried = [direct, *(forwarding if may_forward else ())]
    single: list[_Model] = [
        (family, (term,)) for family in tried for term in _terms(points, family, per_node)
    ]
    models = len(tried), len(single), comb(len(single), 2)  # of 0, 1 and 2 terms

    def score(error: float, terms: int, models: int) -> float:
        lost = deviance(error, least_error, max(degrees, 1))
        return criterion(lost, terms, points.place.size, models)

    most = score(plain.error, 0, 1) - STRONG
    scored: list[tuple[float, Fit]] = []
    longer: list[_Model] = [(family, ()) for family in tried[1:]]
    for terms in range(3):
        if min([most, *(pair[0] for pair in scored)]) <= score(0.0, terms, models[terms]):
            break  # no fit, as good as it may be, makes up for its terms
        fits = _fits(points, longer)
        scored += [(score(each.error, terms, models[terms]), each) for each in fits]
        scored = sorted((pair for pair in scored if pair[0] < most), key=itemgetter(0))
        longer = single if terms == 0 else _longer(points, scored[:_KEPT], per_node)
    if not scored:
        return Explanation(plain, plain)
    ties = [candidate for score, candidate in scored if score < scored[0][0] + STRONG]
    best = ties[0]
    if best.fixed > 0:
        alike = (candidate for candidate in ties if len(candidate.terms) == len(best.terms))
        best = next((candidate for candidate in alike if candidate.is_forwarded), best)
    unlike = [candidate for candidate in ties if _names(candidate) != _names(best)]
    return Explanation(best, plain, tuple(unlike))


def _longer(
    points: Points, scored: Sequence[tuple[float, Fit]], per_node: int | None
) -> list[_Model]:
    """Direct exchanges with another term each, as far as the n tell."""
    return [
        (candidate.family, (*candidate.terms, term))
        for _, candidate in scored
        if not candidate.is_forwarded and len(candidate.terms) < max(points.counts.size - 2, 1)
        for term in _terms(points, candidate.family, per_node)
        if all(_is_another(term, other) for other in candidate.terms)
    ]


def _terms(points: Points, family: Family, per_node: int | None) -> list[Term]:
    """Candidates for a family; start-ups and bytes apart where there are several sizes."""
    counts, several = points.counts, points.sizes.min() < points.sizes.max()
    ons: tuple[On, ...] = ("all", "bytes", "startups") if several else ("all",)
    terms = candidates(counts, per_node, family.sent(counts)[0], ons)
    if family.is_direct:
        return terms
    names = ("fixed", "power", "powers_of_two") if counts.size > 2 else ("fixed",)
    terms = [term for term in terms if term.name in names and (term.on, term.name) != _STARTUPS]
    return [replace(term, sign=1) if term.name == "power" else term for term in terms]


def _is_another(term: Term, other: Term) -> bool:
    """Whether two terms say different things, as powers of start-ups and of bytes do."""
    names = {term.name, other.name}
    if names <= _SHAPES:
        return names == {"power"} and term.on != other.on
    if names == {"fixed", "power"}:  # together on start-ups they would be any curve over n
        return "bytes" in (term.on, other.on)
    return len(names) == 2


def _fits(points: Points, models: Iterable[_Model]) -> list[Fit]:
    """Fits of those models that make a difference."""
    fits = (fit(points, family, terms) for family, terms in models)
    return [each for each in fits if _is_worth_telling(each, points)]


def _is_worth_telling(candidate: Fit, points: Points) -> bool:
    """Whether every term changes times, and in the sense that its name says."""
    if candidate.is_forwarded:
        is_alike = np.ptp(candidate.family.sent(points.counts)[0]) == 0
        if is_alike or (1 - candidate.bytes_share).max() < _VISIBLE:
            return False  # by bytes alone it is a direct exchange of dearer messages
    for number, (term, parameter) in enumerate(
        zip(candidate.terms, candidate.parameters, strict=True)
    ):
        if np.ptp(candidate.effect(number, points.place)) < np.log1p(LEAST_EFFECT):
            return False
        if term.sign * parameter < 0:
            return False
    return True


def _names(candidate: Fit) -> tuple[bool, frozenset[str]]:
    return candidate.is_forwarded, frozenset(term.name for term in candidate.terms)
