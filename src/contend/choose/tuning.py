"""The options that make an algorithm fastest, for many sizes at once.

Idea: all degrees (or windows, or leaders) of a list, each with the best of the segments m / 2^i;
then for each size the best of them with the segment search. The list has the small degrees, for
each height of a tree or number of rounds the least degree that reaches all ranks (a larger one of
the same height only sends more), and those that share the ranks evenly among a few subtrees.
Restrictions: a degree that is not in the list can be a little better, by some percent.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contend.choose.segment import best_segments
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules import Algorithm
from contend.schedules.ragged import Ints, ints

_SMALL = 17  # degrees below it are all tried, as are such windows
_SHARES = 3  # subtrees among which ranks are shared, at most
_COARSE = 24  # segments m / 2^i, as far as a byte for messages up to 16 MiB


@dataclass(frozen=True)
class Tuned:
    """The best options for each size, arrays (sizes,), and the times that they give."""

    options: dict[str, Ints]
    seconds: Floats

    def at(self, index: int) -> dict[str, int]:
        """The options for one of the sizes."""
        return {name: int(values[index]) for name, values in self.options.items()}


def tune(algorithm: Algorithm, plogp: PLogP, n: int, m: ArrayLike) -> Tuned:
    """The best options for `n` ranks and each of the sizes (sizes,)."""
    sizes = ints(m)
    fixed, times = zip(*_tried(algorithm, plogp, n, sizes), strict=True)
    coarse = np.stack(times)
    best = np.argmin(coarse, axis=0)
    found = {name: ints([fixed[index][name] for index in best]) for name in fixed[0]}
    if "segment" not in algorithm.options:
        return Tuned(found, coarse.min(axis=0))
    segment, seconds = np.ones_like(sizes), np.zeros(sizes.shape)
    for index in np.unique(best):
        own = best == index
        segment[own], seconds[own] = best_segments(algorithm, plogp, n, sizes[own], **fixed[index])
    return Tuned(found | {"segment": segment}, seconds)


def at_options(
    algorithm: Algorithm, plogp: PLogP, n: int, m: Ints, options: Mapping[str, Ints]
) -> Floats:
    """Times of sizes (sizes,) that have options of their own, arrays (sizes,)."""
    fixed = [name for name in options if name != "segment"]
    if not fixed:
        return algorithm.uniform_seconds(plogp, n, m, **options)  # type: ignore[arg-type]
    found = np.zeros(m.shape)
    together = np.stack([options[name] for name in fixed], axis=1)
    for values in np.unique(together, axis=0):
        own = (together == values).all(axis=1)
        chosen = dict(zip(fixed, map(int, values), strict=True))
        segments = {name: each[own] for name, each in options.items() if name == "segment"}
        found[own] = algorithm.uniform_seconds(plogp, n, m[own], **chosen, **segments)
    return found


def degrees(n: int) -> list[int]:
    """Degrees that are tried for `n` ranks, ascending.

    >>> degrees(100)[15:]
    [16, 34, 50, 99, 100]
    """
    found = set(range(1, min(_SMALL, n + 1))) | {-(-n // share) for share in range(1, _SHARES + 1)}
    for height in range(1, n.bit_length() + 1):
        found.add(_least(n, [height]))  # rounds of a radix
        found.add(_least(n, range(height + 1)))  # a full tree
    return sorted(found)


def _least(n: int, powers: Sequence[int]) -> int:
    """The least degree of which these powers together are n or more."""
    return bisect_left(range(n + 1), n, lo=1, key=lambda d: sum(d**power for power in powers))


def _tried(
    algorithm: Algorithm, plogp: PLogP, n: int, sizes: Ints
) -> list[tuple[dict[str, int], Floats]]:
    """Values of options other than the segment, with their times; a radix of 1 has none."""
    tried: list[dict[str, int]] = [{}]
    for name in ("degree", "window", "leaders"):
        if name in algorithm.options:
            tried = [one | {name: value} for one in tried for value in degrees(n)]
    found = []
    for options in tried:
        with suppress(InvalidInputError):
            found.append((options, _coarse(algorithm, plogp, n, sizes, options)))
    return found or [({}, _coarse(algorithm, plogp, n, sizes, {}))]


def _coarse(
    algorithm: Algorithm, plogp: PLogP, n: int, sizes: Ints, options: dict[str, int]
) -> Floats:
    """Least time over the segments m / 2^i; the time, where there are no segments."""
    if "segment" not in algorithm.options:
        return algorithm.uniform_seconds(plogp, n, sizes, **options)
    cut = np.maximum(sizes[:, None] >> np.arange(_COARSE), 1)
    amount = np.broadcast_to(sizes[:, None], cut.shape)
    times = algorithm.seconds(plogp, n, amount, segment=cut, **options)
    return np.asarray(times.min(axis=1))
