"""The options that make an algorithm fastest, for many sizes at once.

Idea: all degrees (or windows, or leaders) of a list, each with the best of the segments m / 2^i;
then for each size the best of them with the segment search. The list has the small degrees, for
each height of a tree or number of rounds the least degree that reaches all ranks (a larger one of
the same height only sends more), and those that share the ranks evenly among a few subtrees.
Restrictions: a degree that is not in the list can be a little better, by some percent.

The segment. Source: Barchet-Estefanel, Mounie, RenPar 2005, section 3; hill climbing as in
Kielmann, Bal, Gorlatch, Verstoep, Hofman, Parallel Computing 27(11), 2001.
Idea: first the best of the segments m / 2^i, then neighbours of the best few, with steps that are
halved where none is better. What is varied is the number k of segments: of all segments that cut a
message in k, ceil(m/k) is the smallest. All sizes and all hills are climbed at once, in arrays.
Cost: some 10 log2(m) evaluations of the closed form, where a scan takes m.
Restrictions: finds the best segment of a time with one valley; with more of them the best of those
that the first search has seen.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules import Algorithm
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, ints

_STARTS = 3  # hills that are climbed: the best few segments of the first search
Cost = Callable[[Ints], Floats]  # of numbers of segments, shape (sizes, any)


def best_segments(
    algorithm: Algorithm, plogp: PLogP, n: int, m: ArrayLike, **options: int
) -> tuple[Ints, Floats]:
    """Segments with the least time for `n` ranks, and that time, for each of the sizes (sizes,)."""
    if "segment" not in algorithm.options:
        raise InvalidInputError(
            f"{algorithm.collective} {algorithm.name} sends no segments",
            "choose an algorithm that has the option 'segment'",
        )
    sizes = ints(m)[:, None]
    most = np.maximum(sizes, 1)

    def seconds(k: Ints) -> Floats:
        segment: ArrayLike = _segment(sizes, k)
        times = algorithm.seconds(
            plogp,
            n,
            np.broadcast_to(sizes, k.shape),
            segment=segment,  # type: ignore[arg-type]  # one for each size
            **options,
        )
        return times

    powers = np.minimum(1 << np.arange(int(most.max(initial=1)).bit_length() + 1), most)
    k = _climb(seconds, _starts(seconds, powers), most)
    times = seconds(k)
    best = np.argmin(times, axis=1)[:, None]
    segment = _segment(sizes, np.take_along_axis(k, best, axis=1))
    return segment[:, 0], np.take_along_axis(times, best, axis=1)[:, 0]


def _segment(m: Ints, k: Ints) -> Ints:
    """The smallest segments that cut m bytes in k, or less."""
    return ints(np.maximum(-(-m // k), 1))


def _starts(seconds: Cost, powers: Ints) -> Ints:
    """The best few of the numbers of segments, none of them twice; shape (sizes, starts)."""
    times = np.array(seconds(powers))
    times[:, 1:][powers[:, 1:] == powers[:, :-1]] = np.inf
    order = np.argsort(times, axis=1, kind="stable")[:, :_STARTS]
    return np.take_along_axis(powers, order, axis=1)


def _climb(seconds: Cost, k: Ints, most: Ints) -> Ints:
    """The bottom of the valley that each k lies in."""
    step, best = np.maximum(k // 2, 1), seconds(k)
    while step.any():
        near = np.concatenate([k - step, k + step], axis=1)
        times = seconds(np.clip(near, 1, most))
        times = np.where((near >= 1) & (near <= most), times, np.inf)
        below, above = np.split(times, 2, axis=1)
        nearest = np.minimum(below, above)
        is_better = nearest < best
        moved = np.where(below <= above, k - step, k + step)
        k, best = np.where(is_better, moved, k), np.where(is_better, nearest, best)
        step = np.where(is_better, step, step // 2)
    return k


_SMALL = 17  # degrees below it are all tried, as are such windows
_SHARES = 3  # subtrees among which ranks are shared, at most
_COARSE = 24  # segments m / 2^i, as far as a byte for messages up to 16 MiB


@dataclass(frozen=True)
class Tuned:
    """The best options for each size, arrays (sizes,), and the times that they give."""

    options: dict[str, Ints]
    seconds: Floats

    def at(self, index: int) -> dict[str, int]:
        return {name: int(values[index]) for name, values in self.options.items()}


def tune(algorithm: Algorithm, plogp: PLogP, n: int, m: ArrayLike) -> Tuned:
    """The best options for `n` ranks and each of the sizes (sizes,)."""
    sizes = ints(m)
    fixed, times = zip(*_tried(algorithm, plogp, n, sizes), strict=True)
    coarse = np.stack(times)
    best = np.argmin(coarse, axis=0)
    options = {name: ints([fixed[index][name] for index in best]) for name in fixed[0]}
    if "segment" not in algorithm.options:
        return Tuned(options, coarse.min(axis=0))
    segment, seconds = np.ones_like(sizes), np.zeros(sizes.shape)
    for index in np.unique(best):
        is_chosen = best == index
        segment[is_chosen], seconds[is_chosen] = best_segments(
            algorithm, plogp, n, sizes[is_chosen], **fixed[index]
        )
    return Tuned(options | {"segment": segment}, seconds)


def at_options(
    algorithm: Algorithm, plogp: PLogP, n: int, m: Ints, options: Mapping[str, Ints]
) -> Floats:
    """Times of sizes (sizes,) that have options of their own, arrays (sizes,)."""
    fixed = [name for name in options if name != "segment"]
    if not fixed:
        return algorithm.uniform_seconds(plogp, n, m, **options)  # type: ignore[arg-type]
    times = np.zeros(m.shape)
    together = np.stack([options[name] for name in fixed], axis=1)
    for values in np.unique(together, axis=0):
        is_alike = (together == values).all(axis=1)
        chosen = dict(zip(fixed, map(int, values), strict=True))
        segments = {name: each[is_alike] for name, each in options.items() if name == "segment"}
        times[is_alike] = algorithm.uniform_seconds(plogp, n, m[is_alike], **chosen, **segments)
    return times


def degrees(n: int) -> list[int]:
    """Degrees that are tried for `n` ranks, ascending.

    >>> degrees(100)[15:]
    [16, 34, 50, 99, 100]
    """
    tried = set(range(1, min(_SMALL, n + 1))) | {-(-n // share) for share in range(1, _SHARES + 1)}
    for height in range(1, n.bit_length() + 1):
        tried.add(_least(n, [height]))  # rounds of a radix
        tried.add(_least(n, range(height + 1)))  # a full tree
    return sorted(tried)


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
            tried = [chosen | {name: value} for chosen in tried for value in degrees(n)]
    timed = []
    for options in tried:
        with suppress(InvalidInputError):
            timed.append((options, _coarse(algorithm, plogp, n, sizes, options)))
    return timed or [({}, _coarse(algorithm, plogp, n, sizes, {}))]


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
