"""Names that take the same times: one algorithm, or one that the library replaces by another.

Two settings are aliases where the times of both, at every point that has both, differ by no more
than launches do. Points are four or more. The default is one of the names.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from contend.choose.rivals import Contest, Rival
from contend.choose.rules import DEFAULT, Aliases

FEWEST_POINTS = 4
SAME, DIFFERENT = 0.02, 0.05  # logarithms of ratios: always within noise, and never so


Told = dict[tuple[float, float], tuple[float, float]]  # by n and m: a gain and its variance


def aliases(contest: Contest) -> Iterator[Aliases]:
    """Groups of names of a contest, each name in one at most."""
    run = [one for one in contest.rivals if not one.is_foretold]
    told = {DEFAULT: _of_default(contest)} | {one.setting: _told(one) for one in run}
    left = list(told)
    while left:
        first, *others = left
        group = [first]
        for name in others:
            if all(_is_same(told[one], told[name]) for one in group):
                group.append(name)
        left = [name for name in left if name not in group]
        if len(group) > 1:
            apart = [_apart(told[one], told[two])[0] for one, two in combinations(group, 2)]
            yield Aliases(
                operation=contest.operation,
                names=tuple(group),
                points=min(one.size for one in apart),
                difference=float(np.median(np.concatenate(apart))),
            )


def _is_same(one: Told, other: Told) -> bool:
    apart, noise = _apart(one, other)
    allowed = np.clip(2 * noise, SAME, DIFFERENT)
    return apart.size >= FEWEST_POINTS and bool((apart <= allowed).all())


def _apart(one: Told, other: Told) -> tuple[np.ndarray, np.ndarray]:
    """Absolute logarithms of ratios at the points of both, and their standard deviations."""
    pairs = [(one[key], other[key]) for key in sorted(one.keys() & other.keys())]
    gains = np.array([abs(left[0] - right[0]) for left, right in pairs])
    return gains, np.sqrt(np.array([left[1] + right[1] for left, right in pairs]))


def _told(rival: Rival) -> Told:
    pairs = rival.pairs
    told = zip(pairs.gain.tolist(), pairs.variance.tolist(), strict=True)
    return dict(zip(zip(pairs.n.tolist(), pairs.m.tolist(), strict=True), told, strict=True))


def _of_default(contest: Contest) -> Told:
    """No gain, at all points."""
    return {point: (0.0, 0.0) for one in contest.rivals for point in _told(one)}
