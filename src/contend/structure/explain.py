"""Which family and terms of growth the times of a regime ask for, and which they cannot tell apart.

Idea: the plain explanation is a direct exchange whose messages cost the same at every n. Another
one has to fit so much better that noise would not make it so once in `FALSE_ALARM` of exchanges,
whatever is tried; among those that do, one with more terms has to earn them (`_price`). What fits
as well as the best to within `TIE` is told as another possibility.
Restrictions: k terms take k + 2 numbers of processes or more, since k + 1 would agree with any k
terms; of two n only powers are tried, whose names say no cause.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from contend.document import Floats
from contend.structure.families import Family, families
from contend.structure.growth import (
    On,
    Term,
    fixed,
    is_power_of_two,
    local,
    onset,
    power,
    powers_of_two,
    step,
)
from contend.structure.model import Fit, Points, fit

FALSE_ALARM = 5e-4  # of each explanation tried; some thirty are, not independent of each other
LEAST_EFFECT = 0.15  # a term that changes times by less over the n measured is not worth a word
TIE = 4.0  # of the weighted sum of squares, a ratio of likelihoods of 7
_FEWEST_FLAT = 2  # numbers of processes that show that times per message are level
_TERM, _ANOTHER = 0.65, 0.5  # what a term beside others, and another family, have to earn
_USUAL = 0.4  # and a part that does not depend on n beside small messages that are forwarded
_NAMELESS = 0.1  # and a power of start-ups below n-1, which no algorithm has, beside
_VISIBLE = 0.3  # share of the time that start-ups, or bytes, take somewhere in a regime


@dataclass(frozen=True)
class Explanation:
    """The best fit, the plain one, and other fits that are as good by other terms or family."""

    best: Fit
    plain: Fit
    others: tuple[Fit, ...]
    scale: float

    def forwarding(self) -> "Explanation":
        """With a fit that forwards in the place of a direct one that hardly grows, if as good."""
        for one in self.others:
            if one.is_forwarded and self.best.family.is_direct and self.best.fixed > 0:
                rest = tuple(other for other in self.others if other is not one)
                return replace(self, best=one, others=(self.best, *rest))
        return self

    @property
    def is_plain(self) -> bool:
        """Whether a direct exchange at one cost per message is enough."""
        return self.best is self.plain


def explained(
    points: Points, least_error: float, degrees: int, per_node: int | None, *, may_forward: bool
) -> Explanation:
    """The family and terms that fit best; `degrees` of freedom are behind the points' noise.

    `least_error` is that of a line over m for each n by itself, which no explanation goes below.
    """
    from scipy.special import chdtri, fdtri

    least = float(chdtri(1, FALSE_ALARM))
    scale = float(fdtri(1, max(degrees, 1), 1 - FALSE_ALARM)) / least
    direct, *others = families()
    plain = fit(points, direct, ())
    found = [plain]
    most_earned = (plain.error - least_error) / scale
    if may_forward and most_earned > least * _ANOTHER:
        for family in (variant for other in others for variant in other.variants):
            found += [fit(points, family, terms) for terms in _of_another(points, family)]
    if most_earned > least:
        tried = (fit(points, direct, terms) for terms in _of_direct(points, per_node))
        found += [one for one in tried if may_forward or not one.is_forwarded]
    scores = {
        id(one): one.error / scale
        + (0.0 if one is plain else least * _price(one) + _placed(one, points.counts))
        for one in found
        if one is plain or is_worth_telling(one, points)
    }
    found = sorted((one for one in found if id(one) in scores), key=lambda one: scores[id(one)])
    best = found[0]
    ties = [
        one
        for one in found[1:]
        if one is not plain
        and _kinds(one) != _kinds(best)
        and (_is_as_good(one, best, scores) or _is_as_close(one, best, points))
    ]
    return Explanation(best, plain, tuple(ties) if best is not plain else (), scale)


def _is_as_good(one: Fit, best: Fit, scores: Mapping[int, float]) -> bool:
    """Whether it is no less likely than the best to speak of, with no more terms."""
    return scores[id(one)] <= scores[id(best)] + TIE and len(one.terms) <= len(best.terms)


def _is_as_close(one: Fit, best: Fit, points: Points) -> bool:
    """Whether two n, which any two terms agree with, cannot tell a direct one from forwarding."""
    is_other = one.family.is_direct and not one.is_forwarded and not best.family.is_direct
    return points.counts.size == 2 and is_other and one.error <= best.error + TIE


def _price(one: Fit) -> float:
    """What an explanation has to earn, in units of the test: another family less than a term."""
    of_family = 1 - _TERM if one.family.is_direct else _ANOTHER
    is_nameless = one.family.is_direct and one.is_forwarded
    is_usual = not one.family.is_direct and [term.kind for term in one.terms] == ["fixed"]
    terms = len(one.terms) * (_USUAL if is_usual else _TERM)
    return terms + of_family + _NAMELESS * is_nameless


def _placed(one: Fit, counts: Floats) -> float:
    """What an onset has to earn for being put after the n that suits it best, of all.

    Powers of two have to where all of one class come first, which is an onset by another name.
    """
    places = 2 * float(np.log(max(counts.size - _FEWEST_FLAT, 1)))
    kinds = {term.kind for term in one.terms}
    is_mixed = np.abs(np.diff(is_power_of_two(counts).astype(int))).sum() > 1
    is_by_class = "powers_of_two" in kinds and not is_mixed
    return places * bool(kinds & {"onset", "step"}) + (places + 1) * is_by_class


def _kinds(one: Fit) -> tuple[bool, frozenset[str]]:
    """What tells explanations apart for a reader."""
    return one.family.is_direct, frozenset(term.kind for term in one.terms)


def is_worth_telling(one: Fit, points: Points) -> bool:
    """Whether every term makes a difference, and is on something that takes time."""
    counts = one.family.sent(points.counts)[0]
    if not one.family.is_direct and np.ptp(np.log(counts)) == 0:
        return False
    if not one.family.is_direct and (1 - one.bytes_share).max() < _VISIBLE:
        return False  # by bytes alone it cannot be told from a direct exchange of dearer messages
    for term, parameter in zip(one.terms, one.parameters, strict=True):
        share = {"all": np.ones(1), "bytes": one.bytes_share, "startups": 1 - one.bytes_share}
        if share[term.on].max() < _VISIBLE:
            return False
        if np.ptp(np.log(term.factors(float(parameter)))) < np.log1p(LEAST_EFFECT):
            return False
        if term.kind == "fixed" and parameter < 0:
            return False
        if term.kind == "local" and parameter > 0:
            return False  # a message within a node is no dearer than one to another
    return True


def _of_another(points: Points, family: Family) -> Iterator[tuple[Term, ...]]:
    """Terms of families that forward."""
    counts, (sent, _) = points.counts, family.sent(points.counts)
    if counts.size < 2:
        return
    yield ()
    yield (fixed(sent),)
    if counts.size >= 3:
        yield (power(counts, "all"),)
        yield (power(counts, "bytes"),)
        if _has_both_classes(counts):
            yield (powers_of_two(counts, "all"),)


def _of_direct(points: Points, per_node: int | None) -> Iterator[tuple[Term, ...]]:
    """Terms of a direct exchange."""
    counts = points.counts
    if counts.size < 2:
        return
    ons: tuple[On, ...] = ("all", "bytes") if points.sizes.min() < points.sizes.max() else ("all",)
    yield from ((power(counts, on),) for on in (*ons, *(("startups",) if len(ons) > 1 else ())))
    yield (fixed(counts - 1),)
    if len(ons) > 1:
        yield power(counts, "startups"), power(counts, "bytes")
        yield fixed(counts - 1), power(counts, "bytes")
    if counts.size < 3:
        return
    growing = [term for on in ons for term in _causes(counts, per_node, on)]
    both = _has_both_classes(counts)
    yield from ((term,) for term in growing)
    if both:
        yield (powers_of_two(counts, "all"),)
    if counts.size < 4:
        return
    yield from ((fixed(counts - 1), term) for term in growing if term.on == "bytes")
    if both:
        yield fixed(counts - 1), powers_of_two(counts, "all")
        classes = powers_of_two(counts, "all")
        yield from ((term, classes) for term in growing)
        yield from ((power(counts, on), classes) for on in ons)
    shared = [term for term in growing if term.kind == "local"]
    yield from (
        (first, second)
        for first, second in combinations([*growing, *(power(counts, on) for on in ons)], 2)
        if first in shared and second.kind in ("power", "onset") and first.on == second.on
    )


def _causes(counts: Floats, per_node: int | None, on: On) -> Iterator[Term]:
    """Onsets after every n that leaves enough before it, and what stays on a node."""
    for place in range(_FEWEST_FLAT - 1, counts.size - 1):
        yield onset(counts, place, on)
        if place < counts.size - 2:
            yield step(counts, place, on)
    if per_node is not None and per_node > 1 and counts.max() > per_node:
        yield local(counts, per_node, on)


def _has_both_classes(counts: Floats) -> bool:
    """Whether there are powers of two and others, of three n one among the two others.

    Where all of one class come first, a step over n is as good, and both are told.
    """
    classes = is_power_of_two(counts)
    if counts.size == 3:
        return bool(classes[0] == classes[2] != classes[1])
    return bool(min(classes.sum(), (~classes).sum()) >= 2)
